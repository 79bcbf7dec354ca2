// What `copied planes` has to know of a channel: the room for copies, and which go together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "opt/base/checked.h"
#include "opt/kernels/vector/copy_view.h"

namespace gradproof::kernels {

/// A [n, c, h, w] view as one of depth 1.
constexpr Strides5 with_depth(const Strides4& s) { return {s.n, s.c, 0, s.h, s.w}; }
constexpr Strides4 without_depth(const Strides5& s) { return {s.n, s.c, s.h, s.w}; }
constexpr Axes3 with_depth(const Axes2& e) { return {1, e.h, e.w}; }

inline bool strided_columns(const Extents5& e, const Strides5& s) {
  return s.w != 1 && e.plane.w > 1;
}

/// What a channel of one sample takes, in scratch or where it stays.
template <class Family>
struct CopiedChannels {
  std::array<std::int64_t, Family::kOperands> bytes;
  std::int64_t plane_bytes = 0;               ///< of all operands
  std::int64_t together = Family::kChannels;  ///< channels that are copied at once at least

  explicit CopiedChannels(const typename Family::Geometry& call) {
    constexpr auto kLineBytes = static_cast<std::int64_t>(kLine);
    const auto extents = Family::extents(call);
    const auto strides = Family::strides(call);
    const auto sizes = Family::sizes(call);
    for (int i = 0; i < Family::kOperands; ++i) {
      const Axes3& plane = extents[i].plane;
      // An odd number of lines, so that channels are in different sets of the cache.
      const std::int64_t of_plane = saturating_mul(plane.d * plane.h * plane.w, sizes[i]);
      bytes[i] = saturating_mul((of_plane / kLineBytes + 1) | 1, kLineBytes);
      plane_bytes = saturating_add(plane_bytes, bytes[i]);
      // Whole pairs of lines of contiguous channels, because processors fetch pairs.
      if (strides[i].c == 1 && strided_columns(extents[i], strides[i])) {
        together = std::max(together, 2 * kLineBytes / sizes[i]);
      }
    }
  }
};

}  // namespace gradproof::kernels
