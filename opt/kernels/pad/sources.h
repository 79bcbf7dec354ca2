// Which positions of gradOutput were copied from a position of gradInput, on one axis.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gradproof::kernels::pad {

/// Positions that follow each other. Only the first and the last position of an axis have several
/// sources; the kernels rely on it.
struct Range {
  std::int64_t first, last;  ///< [first, last)
  std::int64_t size() const { return last - first; }
};

/// Positions o of gradOutput's axis (`out` positions) with clamp(o − before, 0, in − 1) = i.
/// @param before the padding before the first position, negative if it crops
inline Range sources(std::int64_t i, std::int64_t in, std::int64_t out, std::int64_t before) {
  const std::int64_t first = i == 0 ? 0 : i + before;
  const std::int64_t last = i == in - 1 ? out : i + before + 1;
  return {std::clamp<std::int64_t>(first, 0, out), std::clamp<std::int64_t>(last, 0, out)};
}

}  // namespace gradproof::kernels::pad
