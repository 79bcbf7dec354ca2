// The kernel of both 3-D pool gradients for geometries that leave out contributions whose index is
// not in its own window (geometry.drop): where all indices are, it runs the kernel that is chosen
// without that; else it declines.
#pragma once

#include <algorithm>

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels::index_pool::window_check {

/// Whether flat position `at` of a plane is in the window of output (d, h, w).
class Test {
 public:
  explicit Test(const MaxPool3dBackwardGeometry& g)
      : g_(g),
        row_(static_cast<std::uint32_t>(g.in.w)),
        rows_(static_cast<std::uint32_t>(g.in.h)) {}

  bool holds(const Axes3& output, std::uint32_t at) const {
    const std::uint32_t line = at / row_;
    return axis(&Axes3::w, output.w, at % row_) && axis(&Axes3::h, output.h, line % rows_) &&
           axis(&Axes3::d, output.d, line / rows_);
  }
  /// Of the output that is number `o` of its plane.
  bool holds(std::int64_t o, std::uint32_t at) const {
    const Axes3& out = g_.out;
    return holds({o / (out.h * out.w), o / out.w % out.h, o % out.w}, at);
  }

 private:
  bool axis(std::int64_t Axes3::*of, std::int64_t o, std::int64_t position) const {
    if (!g_.windows) {
      const Span window = adaptive_window(o, g_.in.*of, g_.out.*of);
      return window.first <= position && position < window.last;
    }
    const std::int64_t start = o * (g_.stride.*of) - g_.padding.*of, inside = position - start;
    const std::int64_t step = g_.dilation.*of, extent = g_.in.*of;
    if (step != 1) {
      // A window of which no position is in the plane has the last one, as in the forward.
      const std::int64_t first =
          start >= 0 || start % step == 0 ? std::max<std::int64_t>(start, 0) : start % step + step;
      if (first >= extent) return position == extent - 1;
    }
    return inside >= 0 && inside < g_.kernel.*of && (step == 1 || inside % step == 0);
  }

  const MaxPool3dBackwardGeometry& g_;
  std::uint32_t row_, rows_;
};

class Plan final : public MaxPool3dBackwardPlan {
 public:
  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

 private:
  CallPlan<MaxPool3dBackwardGeometry, MaxPool3dBackwardBuffers> followed_;
};

bool supports(const MaxPool3dBackwardGeometry& g);

inline constexpr MaxPool3dBackwardKernel kKernel = {"window check", supports, where_supported,
                                                    make_plan<Plan>, true};

}  // namespace gradproof::kernels::index_pool::window_check
