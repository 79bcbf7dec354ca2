// Where pooling windows are. Windows are clipped to the input before anything loops over them, so
// kernels of any extent cost no more than the input is large.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opt/kernels/geometry.h"

namespace gradproof::kernels {

struct Span {
  std::int64_t first, last;  ///< [first, last)
};

/// Input positions of window `out` of an axis. Never empty for valid geometry: padding ≤ kernel/2,
/// and no window starts in the right padding.
inline Span window(std::int64_t out, std::int64_t in, std::int64_t kernel, std::int64_t stride,
                   std::int64_t padding) {
  const std::int64_t start = out * stride - padding;
  // Compared so because start + kernel need not fit.
  const std::int64_t end = start >= in - kernel ? in : start + kernel;
  return {std::max<std::int64_t>(start, 0), end};
}

/// Adaptive window `out`: [⌊out·in/outs⌋, ⌈(out+1)·in/outs⌉).
inline Span adaptive_window(std::int64_t out, std::int64_t in, std::int64_t outs) {
  __extension__ using Wide = __int128;
  return {static_cast<std::int64_t>(Wide{out} * in / outs),
          static_cast<std::int64_t>(((Wide{out} + 1) * in + outs - 1) / outs)};
}

/// The packed array that starts a mask tensor: uint16 mask[n][⌈c/16⌉][kh·kw][positions].
struct MaskLayout {
  static constexpr std::int64_t kChannels = 16;  ///< of one word

  MaskLayout(std::int64_t c, const Axes2& kernel, const Axes2& out)
      : groups((c + kChannels - 1) / kChannels),
        kernel_positions(kernel.h * kernel.w),
        positions(((out.h * out.w + 15) / 16 + 1) * 16) {}

  /// Byte offset of the word of group `g` (n·groups + c/16), kernel position k, output position p.
  std::int64_t at(std::int64_t g, std::int64_t k, std::int64_t p) const {
    return ((g * kernel_positions + k) * positions + p) * 2;
  }

  std::int64_t groups, kernel_positions, positions;
};

}  // namespace gradproof::kernels
