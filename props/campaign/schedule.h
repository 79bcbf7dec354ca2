// Which case of an operator comes when: case j is a function of the seed, the operator, j and the
// products alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "props/cases/generator.h"

namespace gradproof::campaign {

/// One step of an operator's values.
struct Step {
  props::Case valid;
  props::Cell cell;
  /// A variant of the case with this misuse comes after it, if not none.
  props::Misuse misuse = props::Misuse::none;
};

/// Products take turns, a few cases each, for each change restarts the library. On its turns a
/// product's cells come first, each once, with small cases; then cells at random. In between, at
/// fixed places, come what chance brings up too rarely: long axes, images beyond the caches, layers
/// that networks have (layers.h). From the end of the cells on, the classes of cases take turns: a
/// case is drawn until it belongs to the class whose turn it is.
class Schedule {
 public:
  /// The products on which the operator exists take part.
  Schedule(ref::Operator op, std::span<const ref::Product> products, std::uint64_t seed);

  ref::Operator op() const { return op_; }
  /// Cells on all products; none if the operator is on none of them.
  const std::vector<props::Cell>& cells() const { return cells_; }
  /// The number of steps after which each cell had its case.
  std::uint64_t sweep() const { return sweep_; }
  /// The product of step j: the same for kStepsOnAProduct steps.
  ref::Product product(std::uint64_t j) const;
  Step step(std::uint64_t j) const;
  /// Whether step j takes as long as hundreds of others: an image beyond the caches.
  bool is_large(std::uint64_t j) const;

  /// Valid case n of the cell.
  props::Case candidate(std::uint64_t n, const props::Cell& cell, std::int64_t max_elements) const;

  /// A small valid case whose borders are tried: base b of the boundary cases. The first
  /// `first_bases()` walk through every product.
  props::Case base(std::uint64_t b) const;
  std::uint64_t first_bases() const;

  /// Whether a property that is checked on every `every`-th case only is due at step j.
  bool due(std::uint64_t j, int every) const;
  /// A source of decisions of its own for use number n of that kind.
  props::SeededSource source(std::uint64_t kind, std::uint64_t n) const;

  static constexpr std::uint64_t kStepsOnAProduct = 4;

 private:
  /// The cells of one product, as a range of cells_.
  struct Block {
    std::size_t first = 0, count = 0;
  };

  ref::Operator op_;
  std::vector<props::Cell> cells_;
  std::vector<Block> blocks_;
  std::vector<std::string> classes_;
  std::uint64_t sweep_ = 0;
  std::uint64_t seed_;
};

}  // namespace gradproof::campaign
