// The positions of a row that a vector of columns sums, for scales at which they are a short run.
#pragma once

#include <cstdint>

#include "opt/kernels/upsample/axis_tap.h"

namespace gradproof::kernels::upsample {

/// Terms of a column at most. A pair of vectors covers 2.07 positions for each column, or 5 terms.
inline constexpr std::int64_t kTerms = 6;

/// Column j of gradInput adds positions first[j] + t of a row with weights[t · stride + j], in
/// ascending order of t < terms; a weight of 0 means that there is no such term.
///
/// `first` does not decrease, and of 16, 8 and 4 columns from a multiple of that on, it spans less
/// than two vectors of as many lanes: so every term of a vector of columns is a permutation of two
/// vectors that are contiguous.
struct ColumnLookup {
  std::int32_t* first;
  float* weights;
  std::int64_t stride;     ///< columns of gradInput, a multiple of 16; those beyond have no terms
  std::int64_t terms = 0;  ///< 0: the scale does not allow it
  static constexpr std::int64_t padded(std::int64_t columns) { return (columns + 15) / 16 * 16; }

  /// Fills both arrays from the taps of `positions` positions and sets `terms`.
  void fill(const AxisTap* taps, std::int64_t positions);
};

}  // namespace gradproof::kernels::upsample
