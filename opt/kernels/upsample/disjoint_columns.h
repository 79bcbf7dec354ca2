// Disjoint columns: each position of gradOutput contributes to columns that no other position
// contributes to, as where the forward halved an image or made it smaller still.
#pragma once

#include <cstdint>

#include "opt/kernels/upsample/axis_tap.h"

namespace gradproof::kernels::upsample {

/// A position's two products are a pair. 16 bytes of a gradInput row are a run of scalars of pairs,
/// no longer than that, with zeros in between.
struct DisjointColumns {
  static constexpr std::int64_t kBytes = 16;
  struct Block {
    std::int64_t start;            ///< where the run begins, 2 scalars to a position
    std::uint8_t shuffle[kBytes];  ///< places of bytes in the run; 0x80: 0
  };
  Block* blocks;      ///< of all columns, padded() of them
  float *low, *high;  ///< each position's weights
  bool usable = false;

  /// Columns in whole lines, whatever scalars are.
  static constexpr std::int64_t padded(std::int64_t columns) { return (columns + 31) / 32 * 32; }

  /// Whether no two of `count` positions contribute to the same column.
  static bool disjoint(const AxisTap* taps, std::int64_t count);

  /// Fills the tables for scalars of `size` bytes and makes them usable. The taps are disjoint.
  void fill(const AxisTap* taps, std::int64_t positions, std::int64_t columns, std::int64_t size);
};

}  // namespace gradproof::kernels::upsample
