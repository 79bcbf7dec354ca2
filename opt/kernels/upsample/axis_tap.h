// A table of the weights by which each row or column of gradOutput contributes to gradInput.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opt/kernels/bilinear_axis.h"
#include "opt/kernels/read_once.h"

namespace gradproof::kernels::upsample {

/// The weights of a row or column of gradOutput in the sums i0 and i0 + 1 of gradInput.
struct AxisTap {
  std::int64_t i0;
  float w0, w1;  ///< w1 is 0 where there is no i0 + 1

  /// i0 for arithmetic: within what no tensor exceeds, whatever another thread wrote there.
  std::int64_t place() const { return read_within(i0, std::int64_t{0}, std::int64_t{1} << 48); }
};

inline void fill_taps(AxisTap* taps, const BilinearAxis& axis) {
  for (std::int64_t o = 0; o < axis.out; ++o) {
    const BilinearAxis::Tap tap = axis.tap(o);
    taps[o] = {tap.i0, tap.w0, tap.w1};
  }
}

/// The positions of a table of `count` that may reach gradInput's [first, last).
struct Reaching {
  std::int64_t begin = 0, end = 0;

  Reaching(const AxisTap* taps, std::int64_t count, std::int64_t first, std::int64_t last) {
    const auto below = [](const AxisTap& tap, std::int64_t i) { return tap.i0 < i; };
    begin = std::lower_bound(taps, taps + count, first - 1, below) - taps;
    end = std::lower_bound(taps + begin, taps + count, last, below) - taps;
  }
};

}  // namespace gradproof::kernels::upsample
