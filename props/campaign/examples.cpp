// Learns predictors by sequential covering: the best one first, then the best for the failing
// examples that are left, until none is left.
#include "props/campaign/examples.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace gradproof::campaign {
namespace {

using props::Features;

constexpr std::size_t kMost = 4000;
/// Beta squared of the F-measure. Precision weighs more than recall: of ten defects at once, each
/// explains only a tenth of the failures.
constexpr double kWeightOfAll = 0.09;
/// Prior of the precision: as many examples, half of them failing. A few examples prove little.
constexpr double kDoubt = 5;
/// Least odds ratio of failing with a feature to failing without it. A defect that needs more than
/// features can express has smaller, random ratios for many of them.
constexpr double kOddsRatio = 6;

/// What two findings share predicts about as well if it is right so many times as often as what
/// either of them needs.
constexpr double kAboutAsWell = 0.7;

constexpr std::string_view kValues = "values, ";  // how the modes of wrong values begin

}  // namespace

std::string mode(const std::string& kind, const std::string& look) { return kind + ", " + look; }

Examples::Bits Examples::bits(const Features& features) {
  Bits bits;
  for (const std::string& feature : features) {
    const std::size_t number = numbers_.try_emplace(feature, numbers_.size()).first->second;
    if (number < bits.size()) bits.set(number);
  }
  return bits;
}

void Examples::add(const props::Check& check, const props::Verdict& verdict) {
  if (all_.size() >= kMost) return;
  all_.push_back(
      {bits(props::features(*check.test)), verdict.held ? "" : mode(verdict.kind, verdict.look)});
  if (!verdict.held) failed_.push_back({{check.property, *check.test, verdict, nullptr}});
}

nlohmann::json Examples::to_json() const {
  std::vector<std::string> names(numbers_.size());
  for (const auto& [name, number] : numbers_) names[number] = name;
  nlohmann::json cases = nlohmann::json::array();
  for (const Example& one : all_) {
    std::vector<std::size_t> has;
    for (std::size_t i = 0; i < one.has.size(); ++i) {
      if (one.has.test(i)) has.push_back(i);
    }
    cases.push_back({one.mode, has});
  }
  return {{"features", names}, {"cases", cases}};
}

void Examples::add(const nlohmann::json& told) {
  const nlohmann::json& names = told.at("features");
  for (const nlohmann::json& one : told.at("cases")) {
    Features features;
    for (const std::size_t number : one.at(1)) features.insert(names.at(number));
    all_.push_back({bits(features), one.at(0)});
  }
}

/// F-measure of the features as a predictor: near 1 if all failing and no passing examples have
/// them, 0 if no failing example has them.
double Examples::quality(const Split& split, const Bits& features) {
  const auto has = [&](const Bits& one) { return (one & features) == features; };
  const auto share = [](auto part, std::size_t of) {
    return static_cast<double>(part) / static_cast<double>(of);
  };
  const auto failed = std::count_if(split.failed.begin(), split.failed.end(), has);
  if (failed == 0) return 0;
  const auto passed = std::count_if(split.passed.begin(), split.passed.end(), has);
  // Passing examples are weighted as if there were as many as failing ones: often one sort is rare.
  const double weight = split.passed.empty() ? 0 : share(split.failed.size(), split.passed.size());
  const double precision =
      (static_cast<double>(failed) + kDoubt / 2) /
      (static_cast<double>(failed) + weight * static_cast<double>(passed) + kDoubt);
  const double recall = share(failed, split.failed.size());
  return (1 + kWeightOfAll) * precision * recall / (kWeightOfAll * precision + recall);
}

/// Whether examples with the features fail much more often if they have one feature more.
bool Examples::matters(const Split& split, const Bits& features, std::size_t one) {
  double counts[2][2] = {{1, 1},
                         {1, 1}};  // by has it, failed; starts at 1: few examples prove little
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
    // By name: of features that predict equally well the first is taken, whichever was met first.
    for (const auto& [name, i] : numbers_) {
      if (i >= from.size() || !from.test(i) || start.test(i)) continue;
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

double Examples::precision(const Split& split, const Bits& features) {
  const auto has = [&](const Bits& one) { return (one & features) == features; };
  const auto failed = std::ranges::count_if(split.failed, has);
  const auto passed = std::ranges::count_if(split.passed, has);
  return failed == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(failed + passed);
}

std::optional<Features> Examples::shared_predictor(const std::set<std::string>& modes,
                                                   const Features& from, const Features& one,
                                                   const Features& other) {
  Split split;
  for (const Example& example : all_) {
    if (example.mode.empty()) split.passed.push_back(example.has);
    if (modes.contains(example.mode)) split.failed.push_back(example.has);
  }
  const double alone = precision(split, bits(one)), alone_too = precision(split, bits(other));
  if (one.empty() || other.empty() || alone == 0 || alone_too == 0) return std::nullopt;
  const Choice shared = choose(split, bits(from));
  if (shared.features.none() ||
      precision(split, shared.features) < kAboutAsWell * std::max(alone, alone_too))
    return std::nullopt;
  Features features;
  std::ranges::copy_if(from, std::inserter(features, features.end()),
                       [&](const std::string& f) { return shared.features.test(numbers_.at(f)); });
  return features;
}

std::vector<std::optional<Features>> Examples::predictors(
    const std::string& mode, const std::vector<const Features*>& cases) {
  Split split;
  Bits met;  // what only shrunk cases have, no case of the campaign, predicts nothing
  for (const Example& one : all_) {
    met |= one.has;
    // Values are compared last: where they are wrong, nothing else was.
    if (one.mode.empty() || (one.mode.starts_with(kValues) && !mode.starts_with(kValues)))
      split.passed.push_back(one.has);
    if (one.mode == mode) split.failed.push_back(one.has);
  }
  std::vector<Bits> has;
  for (const Features* features : cases) has.push_back(bits(*features));
  split.failed.insert(split.failed.end(), has.begin(), has.end());
  std::vector<std::optional<Features>> learned(cases.size());
  while (!split.failed.empty()) {
    Choice best;
    std::size_t of = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (learned[i]) continue;
      const Choice choice = choose(split, has[i] & met);
      if (choice.quality <= best.quality) continue;
      best = choice;
      of = i;
    }
    if (best.quality == 0) break;
    Features features;
    for (const std::string& feature : *cases[of]) {
      if (best.features.test(numbers_.at(feature))) features.insert(feature);
    }
    const auto is_covered = [&](const Bits& one) { return (one & best.features) == best.features; };
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!learned[i] && is_covered(has[i])) learned[i] = features;
    }
    std::erase_if(split.failed, is_covered);
  }
  return learned;
}

}  // namespace gradproof::campaign
