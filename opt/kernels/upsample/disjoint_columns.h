// Disjoint columns: each position of gradOutput contributes to columns that no other position
// contributes to, as where the forward halved an image or made it smaller still.
#pragma once

#include <cstdint>

#include "opt/kernels/upsample/axis_tap.h"

namespace gradproof::kernels::upsample {

/// A position's two products are a pair. A block of a gradInput row is a run of scalars of pairs,
/// no longer than that, with zeros in between.
struct DisjointColumns {
  /// Bytes of a block: what AVX2 and AVX-512 permute at once.
  static constexpr std::int64_t kBytes = 16, kLine = 64;

  std::int64_t* starts;   ///< where the blocks' runs begin, 2 scalars to a position
  std::uint8_t* shuffle;  ///< of each scalar of a row: its place in the run (fill)
  float *low, *high;      ///< each position's weights
  bool usable = false;

  /// The bytes of a row in whole lines.
  static constexpr std::int64_t padded(std::int64_t bytes) {
    return (bytes + kLine - 1) / kLine * kLine;
  }

  /// Whether no two of `count` positions contribute to the same column.
  static bool disjoint(const AxisTap* taps, std::int64_t count);

  /// Fills the tables for scalars of `size` bytes and makes them usable. The taps are disjoint.
  /// Places are those of a shuffle of bytes in blocks of 16; in whole lines they are numbers of
  /// `size` bytes. The highest bit of a byte, or of a number, says that the scalar is 0.
  void fill(const AxisTap* taps, std::int64_t positions, std::int64_t columns, std::int64_t size,
            std::int64_t block);
};

}  // namespace gradproof::kernels::upsample
