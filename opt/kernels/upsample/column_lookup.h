// The positions of a row that a vector of columns sums, for scales at which they are a short run.
#pragma once

#include <cstdint>

#include "opt/kernels/upsample/axis_tap.h"

namespace gradproof::kernels::upsample {

/// Terms of a column at most. A pair of vectors covers 2.07 positions for each column, or 5 terms,
/// four vectors cover 4, or 8 terms.
inline constexpr std::int64_t kTerms = 8;

/// Column j of gradInput adds positions first[j] + t of a row with weights[t · stride + j], in
/// ascending order of t < terms; a weight of 0 means that there is no such term.
///
/// `first` does not decrease. Of 16, 8 and 4 columns from a multiple of that on, it spans less than
/// two vectors of as many lanes: so every term of a vector of columns is a permutation of two
/// vectors that are contiguous. If the table is wide, 16 columns and kTogether terms span less than
/// four vectors.
struct ColumnLookup {
  static constexpr std::int64_t kTogether = 4;
  static constexpr std::int64_t kNarrow = 6;  ///< terms at most unless the table is wide

  std::int32_t* first;
  float* weights;
  std::int64_t stride;     ///< columns of gradInput, a multiple of 16; those beyond have no terms
  std::int64_t terms = 0;  ///< 0: the scale does not allow it
  bool wide = false;
  static constexpr std::int64_t padded(std::int64_t columns) { return (columns + 15) / 16 * 16; }

  /// Fills both arrays from the taps of `positions` positions and sets the rest.
  /// @param may_be_wide for vectors of 16 lanes
  void fill(const AxisTap* taps, std::int64_t positions, bool may_be_wide);

 private:
  bool spans_less(std::int64_t lanes, std::int64_t positions) const;
};

}  // namespace gradproof::kernels::upsample
