// ReplicationPad2dBackward: gradInput[clamp(i−top), clamp(j−left)] += gradOutput[i, j].
//
// Order per element: first the rows i that reach it, ascending, then the columns j, ascending.
#pragma once

#include <span>

#include "opt/kernels/geometry.h"
#include "opt/kernels/kernel.h"

namespace gradproof::kernels {

struct ReplicationPadBackwardGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16, f64, c64, c128
  std::int64_t n = 1, c = 1;       ///< n is 0 where there is no result
  Axes2 in, out;                   ///< gradInput's and gradOutput's planes
  std::int64_t left = 0, top = 0;  ///< may be negative (crops)
  Strides4 grad_output, grad_input;
};

struct ReplicationPadBackwardBuffers {
  const void* grad_output;
  void* grad_input;
};

using ReplicationPadBackwardPlan =
    Plan<ReplicationPadBackwardGeometry, ReplicationPadBackwardBuffers>;
using ReplicationPadBackwardKernel =
    Kernel<ReplicationPadBackwardGeometry, ReplicationPadBackwardBuffers>;
std::span<const ReplicationPadBackwardKernel> replication_pad2d_backward();

}  // namespace gradproof::kernels
