// Which case comes when: case k of a seed is a function of the seed, k and the cells alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "props/cases/generator.h"

namespace gradproof::cli {

/// One step of a campaign: a valid case, and whether the variants made from it are taken too.
struct Step {
  props::Case valid;
  props::Cell cell;
  props::Misuse misuse =
      props::Misuse::none;  ///< a variant of the case with this misuse, if not none
  bool attacks = false;     ///< all of props::attacks(valid)
};

/// First a sweep of the contract: every cell once, ordered by product so that the library changes
/// its product only a few times; small cases, every attack. Then a few cases that chance brings up
/// too rarely: long axes for each operator, images beyond the caches for each gradient. After that
/// each product's operators take turns, whatever the number of their cells, with cells drawn at
/// random; now and then it is the turn of one of the layers that networks have (layers.h).
class Schedule {
 public:
  Schedule(std::span<const ref::Operator> operators, std::span<const ref::Product> products,
           std::uint64_t seed);

  const std::vector<props::Cell>& cells() const { return cells_; }
  Step step(std::uint64_t k) const;
  /// Whether a property that is checked on every `every`-th case only is due at step k.
  bool due(std::uint64_t k, int every) const;

 private:
  /// The cells of one operator on one product, as a range of cells_.
  struct Block {
    std::size_t first = 0, count = 0;
  };
  struct LayerOf {
    Block block;
    int layer;
  };
  /// Long axes come first, then large images.
  Block block_of_turn(std::uint64_t turn) const;
  /// The layer whose turn it is, if it is a layer's.
  const LayerOf* layer_of_turn(std::uint64_t turn) const;

  std::vector<props::Cell> cells_;
  std::vector<Block> long_, large_;  ///< taken once, after the sweep
  std::vector<Block> turns_;         ///< in the order in which they come after that
  std::vector<LayerOf> layers_;      ///< of the gradients, in the order in which they come between
  std::uint64_t seed_;
};

}  // namespace gradproof::cli
