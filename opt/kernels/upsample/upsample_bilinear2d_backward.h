// UpsampleBilinear2dBackwardV2: every gradOut element adds its four weighted shares to `out`.
//
// Order per element: first over the rows that reach it, ascending, then over the columns,
// ascending from 0, products and sums in float; rounded once to the element type.
#pragma once

#include <span>

#include "opt/kernels/bilinear_axis.h"
#include "opt/kernels/geometry.h"
#include "opt/kernels/kernel.h"

namespace gradproof::kernels {

struct UpsampleBackwardGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  std::int64_t n = 1, c = 1;
  Axes2 in, out;  ///< the small image (the result) and the large one (the gradient)
  Strides4 grad_output, grad_input;
  BilinearAxis h, w;
};

struct UpsampleBackwardBuffers {
  const void* grad_output;
  void* grad_input;
};

using UpsampleBackwardPlan = Plan<UpsampleBackwardGeometry, UpsampleBackwardBuffers>;
using UpsampleBackwardKernel = Kernel<UpsampleBackwardGeometry, UpsampleBackwardBuffers>;
std::span<const UpsampleBackwardKernel> upsample_bilinear2d_backward();

}  // namespace gradproof::kernels
