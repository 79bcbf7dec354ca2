// The windows of one axis, of a pool or adaptive, and which of them reach a range of positions.
#pragma once

#include "opt/base/checked.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels {

struct WindowAxis {
  std::int64_t in = 1, out = 1;  ///< extents; out may be 0
  bool adaptive = false;         ///< else kernel, stride and padding apply
  std::int64_t kernel = 1, stride = 1, padding = 0;

  /// Both ends grow with o.
  Span window(std::int64_t o) const {
    return adaptive ? adaptive_window(o, in, out) : kernels::window(o, in, kernel, stride, padding);
  }

  /// The windows that have a position in `target`.
  Span reaching(Span target) const {
    return {first_of([&](std::int64_t o) { return window(o).last > target.first; }),
            first_of([&](std::int64_t o) { return window(o).first >= target.last; })};
  }

  /// At most so many windows have a position in `count` positions.
  std::int64_t most_reaching(std::int64_t count) const {
    if (adaptive) return std::min(out, saturating_mul(count, out) / in + 2);
    return std::min(out, saturating_add(kernel, count) / stride + 1);
  }

  /// Whether no position is in two windows.
  bool disjoint() const {
    if (out <= 1) return true;
    return adaptive ? in % out == 0 : kernel <= stride;
  }

  /// No window is longer.
  std::int64_t longest() const {
    if (!adaptive) return std::min(kernel, in);
    return out == 0 ? 1 : std::min(in, in / out + 2);
  }

 private:
  /// The first window of which `holds` is true, as it then is of all later ones.
  template <class Predicate>
  std::int64_t first_of(const Predicate& holds) const {
    std::int64_t low = 0, high = out;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (holds(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
};

}  // namespace gradproof::kernels
