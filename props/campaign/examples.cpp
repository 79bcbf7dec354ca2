// Learning which features tell: one choice of few features after the other, the best first, until
// all failing examples are told (sequential covering).
#include "props/campaign/examples.h"

#include <algorithm>

namespace gradproof::campaign {
namespace {

using props::Features;

constexpr std::size_t kMost = 4000;
/// That no passing example has the features weighs more than that all failing ones have them: with
/// ten defects at once each explains a tenth.
constexpr double kWeightOfAll = 0.09;
/// As if so many more had the features, half of which failed: few examples show little.
constexpr double kDoubt = 5;
/// By how much the odds to fail must be higher with a feature than without it. Where features do
/// not tell all that a defect needs, odds differ by less from feature to feature.
constexpr double kOddsRatio = 6;

}  // namespace

std::string way(const std::string& kind, const std::string& look) { return kind + ", " + look; }

Examples::Bits Examples::bits(const Features& features) {
  Bits bits;
  for (const std::string& feature : features) {
    const std::size_t number = numbers_.try_emplace(feature, numbers_.size()).first->second;
    if (number < bits.size()) bits.set(number);
  }
  return bits;
}

void Examples::add(const props::Case& c, const props::Verdict& verdict) {
  if (all_.size() >= kMost) return;
  all_.push_back({bits(props::features(c)), verdict.held ? "" : way(verdict.kind, verdict.look)});
  if (!verdict.held)
    failed_.push_back({{props::find_property("equivalence"), c, verdict, nullptr}});
}

/// Near 1 if all failing and no passing examples have the features, which are none; 0 if no failing
/// one has them.
double Examples::quality(const Split& split, const Bits& features) {
  const auto has = [&](const Bits& one) { return (one & features) == features; };
  const auto share = [](auto part, std::size_t of) {
    return static_cast<double>(part) / static_cast<double>(of);
  };
  const auto failed = std::count_if(split.failed.begin(), split.failed.end(), has);
  if (failed == 0) return 0;
  const auto passed = std::count_if(split.passed.begin(), split.passed.end(), has);
  // As if as many had passed as failed: mostly one of the two is rare.
  const double weight = split.passed.empty() ? 0 : share(split.failed.size(), split.passed.size());
  const double precision =
      (static_cast<double>(failed) + kDoubt / 2) /
      (static_cast<double>(failed) + weight * static_cast<double>(passed) + kDoubt);
  const double recall = share(failed, split.failed.size());
  return (1 + kWeightOfAll) * precision * recall / (kWeightOfAll * precision + recall);
}

/// Whether cases with the features fail much more often if they have that one as well.
bool Examples::matters(const Split& split, const Bits& features, std::size_t one) {
  double counts[2][2] = {{1, 1},
                         {1, 1}};  // as if there had been one of each, so that few show little
  const auto count = [&](const std::vector<Bits>& cases, bool failed) {
    for (const Bits& has : cases) {
      if ((has & features) == features) ++counts[has.test(one)][failed];
    }
  };
  count(split.failed, true);
  count(split.passed, false);
  return counts[1][1] * counts[0][0] >= kOddsRatio * counts[1][0] * counts[0][1];
}

Examples::Choice Examples::choose(const Split& split, const Bits& from) const {
  Choice best{{}, quality(split, {})};
  for (bool better = true; better;) {
    better = false;
    const Bits start = best.features;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!from.test(i) || start.test(i)) continue;
      Bits more = start;
      more.set(i);
      if (const double q = quality(split, more); q > best.quality && matters(split, start, i)) {
        best = {more, q};
        better = true;
      }
    }
  }
  return best;
}

std::vector<std::optional<Features>> Examples::telling(const std::string& way,
                                                       const std::vector<const Features*>& cases) {
  Split split;
  for (const Example& one : all_) {
    if (one.way.empty()) split.passed.push_back(one.has);
    if (one.way == way) split.failed.push_back(one.has);
  }
  std::vector<Bits> has;
  for (const Features* features : cases) has.push_back(bits(*features));
  split.failed.insert(split.failed.end(), has.begin(), has.end());
  std::vector<std::optional<Features>> told(cases.size());
  while (!split.failed.empty()) {
    Choice best;
    std::size_t of = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (told[i]) continue;
      const Choice choice = choose(split, has[i]);
      if (choice.quality <= best.quality) continue;
      best = choice;
      of = i;
    }
    if (best.quality == 0) break;
    Features features;
    for (const std::string& feature : *cases[of]) {
      if (best.features.test(numbers_.at(feature))) features.insert(feature);
    }
    const auto is_told = [&](const Bits& one) { return (one & best.features) == best.features; };
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!told[i] && is_told(has[i])) told[i] = features;
    }
    std::erase_if(split.failed, is_told);
  }
  return told;
}

}  // namespace gradproof::campaign
