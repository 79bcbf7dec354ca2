// Case k of a seed.
#include "props/cli/schedule.h"

#include <map>

#include "props/cases/layers.h"

namespace gradproof::cli {
namespace {

/// Changing the product restarts the library, which costs about as much as a small case.
constexpr int kTurnsOnAProduct = 4;
constexpr int kLongAxes = 2, kLargeImages = 4;  // of an operator
constexpr std::uint64_t kTurnsOfALayer = 64;    // among so many one is a layer's
constexpr int kMisuses = static_cast<int>(props::Misuse::dead_stream);

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  props::SeededSource source(a * 0x9E3779B97F4A7C15u + b);
  return source.below(~std::uint64_t{0});
}

}  // namespace

Schedule::Schedule(std::span<const ref::Operator> operators, std::span<const ref::Product> products,
                   std::uint64_t seed)
    : seed_(seed) {
  std::map<ref::Operator, Block> last;  // of the products that have the operator
  for (const ref::Product product : products) {
    std::vector<Block> blocks;
    for (const ref::Operator op : operators) {
      const std::size_t first = cells_.size();
      for (const props::Cell& cell : props::cells(op)) {
        if (cell.product == product) cells_.push_back(cell);
      }
      if (cells_.size() == first) continue;
      blocks.push_back({first, cells_.size() - first});
      last[op] = blocks.back();
    }
    for (int i = 0; i < kTurnsOnAProduct; ++i)
      turns_.insert(turns_.end(), blocks.begin(), blocks.end());
  }
  for (const auto& [op, block] : last) {
    long_.insert(long_.end(), kLongAxes, block);
    if (!ref::is_backward(op)) continue;
    large_.insert(large_.end(), kLargeImages, block);
    for (std::size_t i = 0; i < props::layer_count(op); ++i)
      layers_.push_back({block, static_cast<int>(i)});
  }
}

Schedule::Block Schedule::block_of_turn(std::uint64_t turn) const {
  if (turn < long_.size()) return long_[turn];
  turn -= long_.size();
  if (turn < large_.size()) return large_[turn];
  return turns_[(turn - large_.size()) % turns_.size()];
}

const Schedule::LayerOf* Schedule::layer_of_turn(std::uint64_t turn) const {
  const std::uint64_t once = long_.size() + large_.size();
  if (layers_.empty() || turn < once || (turn - once) % kTurnsOfALayer != 0) return nullptr;
  return &layers_[(turn - once) / kTurnsOfALayer % layers_.size()];
}

Step Schedule::step(std::uint64_t k) const {
  const bool sweep = k < cells_.size();
  const std::uint64_t turn = sweep ? 0 : k - cells_.size();
  props::SeededSource source(mix(seed_, k));
  Step step;
  const LayerOf* layer = sweep ? nullptr : layer_of_turn(turn);
  if (sweep) {
    step.cell = cells_[k];
  } else {
    const Block block = layer != nullptr ? layer->block : block_of_turn(turn);
    step.cell = cells_[block.first + source.below(block.count)];
  }
  step.attacks = sweep || source.below(8) == 0;
  // Every kind of misuse comes up in the sweep, later it is one case in eight.
  if (sweep) {
    step.misuse = static_cast<props::Misuse>(1 + k % kMisuses);
  } else if (source.below(8) == 0) {
    step.misuse = static_cast<props::Misuse>(1 + source.below(kMisuses));
  }
  // Mostly small; now and then large enough to be divided among threads, or beyond caches.
  props::Limits limits;
  const bool once = turn < long_.size() + large_.size();
  limits.long_axis =
      !sweep && layer == nullptr && (once ? turn < long_.size() : source.below(128) == 0);
  const bool large =
      !sweep && !limits.long_axis && (once || layer != nullptr || source.below(512) == 0);
  if (layer != nullptr) limits.layer = layer->layer;
  const std::uint64_t size = limits.long_axis ? 0 : source.below(64);
  limits.max_elements = sweep       ? 512
                        : large     ? 1 << 20
                        : size == 0 ? 1 << 17
                        : size < 16 ? 256
                        : size < 32 ? 1024
                                    : 4096;
  step.valid = props::generate_valid(source, step.cell, limits);
  return step;
}

bool Schedule::due(std::uint64_t k, int every) const {
  return every <= 1 || mix(seed_ ^ 0xD1CEu, k) % static_cast<std::uint64_t>(every) == 0;
}

}  // namespace gradproof::cli
