// The positions of a row that a column sums, where columns begin four positions apart: images that
// the forward made four times as large.
#pragma once

#include <cstdint>

#include "opt/kernels/upsample/axis_tap.h"

namespace gradproof::kernels::upsample {

/// Column j of gradInput adds positions 4 · j + offset + t of a row with weights[t · stride + j],
/// in ascending order of t < terms; a weight of 0 means that there is no such term.
struct QuadColumns {
  static constexpr std::int64_t kStep = 4, kTerms = 2 * kStep;

  float* weights;
  std::int64_t stride;     ///< columns of gradInput, a multiple of 16; those beyond have no terms
  std::int64_t terms = 0;  ///< at most kTerms; 0: the scale does not allow it
  std::int64_t offset = 0;

  /// Whether the scale may allow it.
  static bool likely(std::int64_t columns, std::int64_t positions) {
    return positions / kStep >= columns - 1 && columns > positions / (kStep + 1);
  }

  /// Fills the weights from the taps of `positions` positions and sets the rest.
  void fill(const AxisTap* taps, std::int64_t positions);
};

}  // namespace gradproof::kernels::upsample
