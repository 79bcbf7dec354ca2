// Case k of a seed.
#include "props/cli/schedule.h"

namespace gradproof::cli {
namespace {

constexpr int kMisuses = static_cast<int>(props::Misuse::dead_stream);

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  props::SeededSource source(a * 0x9E3779B97F4A7C15u + b);
  return source.below(~std::uint64_t{0});
}

}  // namespace

Schedule::Schedule(std::span<const ref::Operator> operators, std::span<const ref::Product> products, std::uint64_t seed)
    : seed_(seed) {
  for (const ref::Product product : products) {
    for (const ref::Operator op : operators) {
      for (const props::Cell& cell : props::cells(op)) {
        if (cell.product == product) cells_.push_back(cell);
      }
    }
  }
}

Step Schedule::step(std::uint64_t k) const {
  const std::uint64_t round = k / cells_.size();
  props::SeededSource source(mix(seed_, k));
  Step step;
  step.cell = cells_[k % cells_.size()];
  step.attacks = round == 0 || source.below(8) == 0;
  // Every kind of misuse comes up in the sweep, later it is one case in eight.
  if (round == 0) {
    step.misuse = static_cast<props::Misuse>(1 + k % kMisuses);
  } else if (source.below(8) == 0) {
    step.misuse = static_cast<props::Misuse>(1 + source.below(kMisuses));
  }
  // Mostly small; now and then large enough to be divided among threads.
  props::Limits limits;
  const std::uint64_t size = source.below(64);
  limits.max_elements = round == 0 ? 512 : size == 0 ? 1 << 17 : size < 16 ? 256 : size < 32 ? 1024 : 4096;
  step.valid = props::generate_valid(source, step.cell, limits);
  return step;
}

bool Schedule::due(std::uint64_t k, int every) const {
  return every <= 1 || mix(seed_ ^ 0xD1CEu, k) % static_cast<std::uint64_t>(every) == 0;
}

}  // namespace gradproof::cli
