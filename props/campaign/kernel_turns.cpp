// Finds cases by asking phase 1, which costs little, what it would take.
#include "props/campaign/kernel_turns.h"

#include <algorithm>
#include <iterator>

namespace gradproof::campaign {
namespace {

/// One step in so many is a kernel's turn.
constexpr int kEvery = 6;
/// So many cases are drawn at a time, first small ones: what they compute takes longer than to draw
/// them.
constexpr std::uint64_t kDraws = 12;
constexpr std::int64_t kSizes[] = {256, 1024, 4096, 1 << 14, 1 << 17};

}  // namespace

KernelTurns::KernelTurns(const Schedule& schedule, const props::Choices& choices)
    : schedule_(schedule), sets_{""} {
  if (choices.kernels.empty()) return;
  kernels_ = choices.kernels[static_cast<std::size_t>(schedule.op())];
  sets_.insert(sets_.end(), choices.instruction_sets.begin(), choices.instruction_sets.end());
}

std::optional<KernelTurns::Turn> KernelTurns::at(std::uint64_t j, const Step& step,
                                                 Checker& checker) const {
  const bool choosable = kernels_.size() * sets_.size() > 1;
  if (!choosable || j < schedule_.sweep() || !schedule_.due(~j, kEvery)) return std::nullopt;
  // Both rounds are complete, whatever their lengths have in common: the kernel changes each turn,
  // the set when all kernels had theirs.
  const std::uint64_t turn = j / kEvery;
  const std::string& kernel = kernels_[turn % kernels_.size()];
  const std::string& set = sets_[turn / kernels_.size() % sets_.size()];
  std::uint64_t n = j * kDraws * std::size(kSizes);
  for (const std::int64_t size : kSizes) {
    std::vector<props::Case> drawn;
    for (std::uint64_t i = 0; i < kDraws; ++i)
      drawn.push_back(schedule_.candidate(n++, step.cell, size));
    const std::vector<std::string> takes = checker.kernels_for(drawn, set);
    const auto found = std::find(takes.begin(), takes.end(), kernel);
    if (found != takes.end())
      return Turn{std::move(drawn[static_cast<std::size_t>(found - takes.begin())]), !set.empty()};
  }
  return std::nullopt;
}

}  // namespace gradproof::campaign
