// Which positions of the large image were copied from one of the small image.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gradproof::kernels::pad {

struct Range {
  std::int64_t first, last;  ///< [first, last)
  std::int64_t size() const { return last - first; }
};

/// Positions o of the large axis with clamp(o − before, 0, in − 1) = i.
inline Range sources(std::int64_t i, std::int64_t in, std::int64_t out, std::int64_t before) {
  const std::int64_t first = i == 0 ? 0 : i + before;
  const std::int64_t last = i == in - 1 ? out : i + before + 1;
  return {std::clamp<std::int64_t>(first, 0, out), std::clamp<std::int64_t>(last, 0, out)};
}

}  // namespace gradproof::kernels::pad
