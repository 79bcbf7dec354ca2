// Finds cases by asking phase 1, which costs little, what it would take.
#include "props/campaign/kernel_turns.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace gradproof::campaign {
namespace {

/// One step in so many is a kernel's turn.
constexpr std::uint64_t kEvery = 12;
/// So many cases are drawn at a time, first small ones: what they compute takes longer than to draw
/// them.
constexpr std::uint64_t kDraws = 12;
/// A way for which so many searches found no case seems to be impossible: it has its usual turns
/// only.
constexpr int kMostSearches = 12;
constexpr std::int64_t kSizes[] = {256, 1024, 4096, 1 << 14, 1 << 17};

/// A step through numbers below `count` that meets each once, and far ones one after the other.
std::size_t stride(std::size_t count) {
  std::size_t step = count * 618 / 1000 + 1;
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

}  // namespace

KernelTurns::KernelTurns(const Schedule& schedule, const props::Choices& choices)
    : schedule_(schedule), sets_{""} {
  if (choices.kernels.empty()) return;
  kernels_ = choices.kernels[static_cast<std::size_t>(schedule.op())];
  sets_.insert(sets_.end(), choices.instruction_sets.begin(), choices.instruction_sets.end());
  for (const props::CoveragePoint& point : schedule.coverage_points()) {
    std::vector<std::int32_t>& types = types_[point.product];
    if (std::find(types.begin(), types.end(), point.dtype) == types.end())
      types.push_back(point.dtype);
  }
}

const props::CoveragePoint& KernelTurns::draw_point(props::SeededSource& source, const Step& step,
                                                    std::int32_t type) const {
  std::vector<const props::CoveragePoint*> fit;
  for (const props::CoveragePoint& point : schedule_.coverage_points()) {
    if (point.product == step.point.product && point.dtype == type) fit.push_back(&point);
  }
  return *fit[source.below(fit.size())];
}

KernelTurns::Way KernelTurns::way(std::size_t turn, const std::vector<std::int32_t>& types) const {
  return {kernels_[turn % kernels_.size()], types[turn / kernels_.size() / sets_.size()],
          sets_[turn / kernels_.size() % sets_.size()]};
}

std::uint64_t KernelTurns::count(const Way& way, const props::KernelUses& runs) const {
  const auto& [kernel, type, set] = way;
  std::uint64_t sum = 0;
  for (auto at = runs.lower_bound({schedule_.op(), kernel, type, "", false}); at != runs.end();
       ++at) {
    const props::KernelUse& use = at->first;
    if (use.op != schedule_.op() || use.kernel != kernel || use.dtype != type) break;
    if (use.compared) continue;
    const bool other = std::find(sets_.begin(), sets_.end(), use.instruction_set) != sets_.end();
    if (set.empty() ? !other : use.instruction_set == set) sum += at->second;
  }
  return sum;
}

std::size_t KernelTurns::due(std::size_t turn, const std::vector<std::int32_t>& types,
                             const props::KernelUses& runs) const {
  const std::size_t all = kernels_.size() * sets_.size() * types.size();
  std::size_t best = turn;
  int fewest = kMostSearches;
  for (std::size_t i = 0; i < all && fewest > 0; ++i) {
    const std::size_t next = (turn + i) % all;
    const Way one = way(next, types);
    const auto at = failed_searches_.find(one);
    const int failed = at == failed_searches_.end() ? 0 : at->second;
    if (failed >= fewest || count(one, runs) >= props::kLeastRuns) continue;
    best = next;
    fewest = failed;
  }
  return best;
}

std::optional<KernelTurns::Turn> KernelTurns::at(std::uint64_t j, const Step& step,
                                                 Checker& checker, const props::KernelUses* runs) {
  const bool choosable = kernels_.size() * sets_.size() > 1;
  if (!choosable || j < schedule_.sweep()) return std::nullopt;
  // One of the next kEvery steps, whichever job has it.
  props::SeededSource source = schedule_.source(5, j / kEvery);
  if (source.below(kEvery) != j % kEvery) return std::nullopt;
  // Every combination has its turn; kernel, set and type change with each turn. Each round begins
  // one later, so that products, which take turns too, meet all.
  const std::vector<std::int32_t>& types = types_.at(step.point.product);
  const std::size_t count = kernels_.size() * sets_.size() * types.size();
  const auto n_th = static_cast<std::size_t>(j / kEvery);
  std::size_t turn = (n_th + n_th / count) % count * stride(count) % count;
  if (runs != nullptr) turn = due(turn, types, *runs);
  const Way wanted = way(turn, types);
  const auto& [kernel, type, set] = wanted;
  std::uint64_t n = j * kDraws * std::size(kSizes);
  for (const std::int64_t size : kSizes) {
    std::vector<props::CoveragePoint> points;
    std::vector<props::Case> drawn;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      props::CoveragePoint point = draw_point(source, step, type);
      props::Case c = schedule_.candidate(n++, point, size);
      if (!schedule_.wants(c)) continue;
      points.push_back(std::move(point));
      drawn.push_back(std::move(c));
    }
    if (drawn.empty()) continue;
    const std::vector<std::string> takes = checker.kernels_for(drawn, set);
    const auto found = std::find(takes.begin(), takes.end(), kernel);
    if (found == takes.end()) continue;
    const auto at = static_cast<std::size_t>(found - takes.begin());
    return Turn{std::move(drawn[at]), points[at], !set.empty()};
  }
  ++failed_searches_[wanted];
  return std::nullopt;
}

}  // namespace gradproof::campaign
