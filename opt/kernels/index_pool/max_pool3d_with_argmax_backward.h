// MaxPool3dWithArgmaxBackward and AdaptiveMaxPool3dBackward: gradInput[n,c].flat[indices[o]] +=
// gradOutput[n,c][o], terms in ascending o, everything else 0.
#pragma once

#include <span>

#include "opt/kernels/geometry.h"
#include "opt/kernels/kernel.h"
#include "opt/kernels/window_axis.h"

namespace gradproof::kernels {

struct MaxPool3dBackwardGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  std::int64_t n = 1, c = 1;       ///< n is 0 where there is no result
  Axes3 in,
      out;  ///< gradInput's and gradOutput's planes; `out` is 0, 0, 0 where gradOutput is empty
  Strides5 grad_output, indices, grad_input;
  bool windows = false;           ///< kernel, stride, padding are known (not the adaptive pool)
  Axes3 kernel, stride, padding;  ///< kernel: from a window's first position to its last
  Axes3 dilation;                 ///< steps of the positions in a window
  /// Contributions whose index is outside its window, or the plane, are left out.
  bool drop = false;
};

/// The windows of one axis, `&Axes3::d` say.
inline WindowAxis window_axis(const MaxPool3dBackwardGeometry& g, std::int64_t Axes3::*of) {
  return {g.in.*of, g.out.*of, !g.windows, g.kernel.*of, g.stride.*of, g.padding.*of};
}

struct MaxPool3dBackwardBuffers {
  const void* grad_output;
  const std::int32_t* indices;  ///< flat positions d·H·W + h·W + w in the input plane
  void* grad_input;
};

using MaxPool3dBackwardPlan = Plan<MaxPool3dBackwardGeometry, MaxPool3dBackwardBuffers>;
using MaxPool3dBackwardKernel = Kernel<MaxPool3dBackwardGeometry, MaxPool3dBackwardBuffers>;
std::span<const MaxPool3dBackwardKernel> max_pool3d_with_argmax_backward();
std::span<const MaxPool3dBackwardKernel> adaptive_max_pool3d_backward();

}  // namespace gradproof::kernels
