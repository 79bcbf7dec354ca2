// Rows of gradOutput that contribute to the same rows of gradInput, found once for all tiles.
#pragma once

#include <cstdint>

#include "opt/kernels/upsample/axis_tap.h"

namespace gradproof::kernels::upsample {

struct RowGroups {
  static constexpr std::int64_t kMost = 4;  ///< rows of a group: their sums stay in registers

  const AxisTap* taps;     ///< one per gradOutput row
  std::int64_t rows;       ///< gradOutput rows
  std::int64_t* begin;     ///< begin[h]: the first row whose i0 is h or more; in + 1 of them
  std::uint8_t* together;  ///< together[o]: rows of a group that begins with gradOutput row o

  /// Fills both tables for `in` gradInput rows.
  void fill(std::int64_t in) const;

  /// The gradOutput rows that may reach gradInput rows [first, last): whatever the table holds,
  /// within the image.
  struct Range {
    std::int64_t begin, end;
  };
  Range reaching(std::int64_t first, std::int64_t last) const {
    const auto at = [&](std::int64_t h) { return read_within(begin[h], std::int64_t{0}, rows); };
    return {first == 0 ? 0 : at(first - 1), at(last)};
  }
  /// Rows of the group that begins with row o, all of them in front of `end` > o.
  std::int64_t count(std::int64_t o, std::int64_t end) const {
    return std::clamp<std::int64_t>(read_once(together[o]), 1, std::min(kMost, end - o));
  }
};

}  // namespace gradproof::kernels::upsample
