// MaxPool2dWithMaskBackward: for every set mask bit, gradInput[n,c,h,w] += gradOutput[n,c,oh,ow].
//
// The mask is uint16 mask[n][⌈c/16⌉][kh·kw][positions], bit c mod 16, where
// positions = (⌈Ho·Wo/16⌉ + 1)·16. Terms of one gradInput element are added in ascending output
// position (an output position reaches an element from one kernel position only).
#pragma once

#include <span>

#include "opt/kernels/geometry.h"
#include "opt/kernels/kernel.h"

namespace gradproof::kernels {

struct MaxPool2dBackwardGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  bool through_f16 = false;   ///< f32 tensors whose terms and sums are rounded to f16 (Ascend910)
  std::int64_t n = 1, c = 1;  ///< n is 0 where there is no result
  Axes2 in, out, kernel, stride, padding;
  Strides4 grad_output, grad_input;
};

struct MaxPool2dBackwardBuffers {
  const void* grad_output;
  const std::uint8_t* mask;  ///< first element of the view; any alignment
  void* grad_input;
};

using MaxPool2dBackwardPlan = Plan<MaxPool2dBackwardGeometry, MaxPool2dBackwardBuffers>;
using MaxPool2dBackwardKernel = Kernel<MaxPool2dBackwardGeometry, MaxPool2dBackwardBuffers>;
std::span<const MaxPool2dBackwardKernel> max_pool2d_with_mask_backward();

}  // namespace gradproof::kernels
