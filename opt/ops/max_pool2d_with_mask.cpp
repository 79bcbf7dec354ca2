// aclnnMaxPool2dWithMask: validate, plan, launch.
#include "aclnnop/aclnn_max_pool2d_with_indices.h"

#include "opt/kernels/forward/forward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool2d.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool2dBuffers;
using kernels::MaxPool2dGeometry;
using kernels::MaxPool3dBuffers;
using kernels::MaxPool3dGeometry;

constexpr char kApi[] = "aclnnMaxPool2dWithMask";

Status validate(const Call& call, bool ceil_mode, MaxPool2dGeometry& geometry, bool& positions) {
  const TensorArgument &self = call.tensors[0], &out = call.tensors[1], &indices = call.tensors[2];
  Windows windows;
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool2d_descriptors(call));
  GRADPROOF_TRY(check_windows(call, 2, ceil_mode, windows));
  GRADPROOF_TRY(check_pooled_shape(call, self, out, windows));
  GRADPROOF_TRY(check_mask_shape(call, out, indices, windows));
  GRADPROOF_TRY(check_memory(call));

  geometry.element = element(self->dtype);
  geometry.n = 0;
  positions = false;
  if (self.empty()) return {};  // the other extents may be of any size
  const auto in = extents4(self), pooled = extents4(out);
  geometry.n = in[0];
  geometry.c = in[1];
  geometry.in = {in[2], in[3]};
  geometry.out = {pooled[2], pooled[3]};
  geometry.kernel = axes2(windows.kernel);
  geometry.stride = axes2(windows.stride);
  geometry.padding = axes2(windows.padding);
  geometry.self = strides4(self);
  geometry.result = strides4(out);
  geometry.mask_bytes = 1;
  for (std::int64_t extent : indices->shape) geometry.mask_bytes *= extent;
  positions = settle_mask(call, call.tensors[2], self, out, windows);
  return {};
}

/// Positions are the indices of a 3-D pool of depth 1.
MaxPool3dGeometry with_positions(const MaxPool2dGeometry& g) {
  return {.element = g.element,
          .n = g.n,
          .c = g.c,
          .in = {1, g.in.h, g.in.w},
          .out = {1, g.out.h, g.out.w},
          .self = with_depth(g.self),
          .result = with_depth(g.result),
          .indices = position_strides(g.c, g.out),
          .adaptive = false,
          .kernel = {1, g.kernel.h, g.kernel.w},
          .stride = {1, g.stride.h, g.stride.w},
          .padding = {0, g.padding.h, g.padding.w}};
}

MaxPool3dBuffers bind_positions(const Addresses& at) {
  return {at[0], at[1], reinterpret_cast<std::int32_t*>(at[2])};
}

MaxPool2dBuffers bind(const Addresses& at) {
  return {at[0], at[1], reinterpret_cast<std::uint8_t*>(at[2])};
}

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceilMode, aclTensor* out,
    aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"self", self},
                                {"out", out, Access::written},
                                {"indices", indices, Access::written, Content::mask}};
    ArrayArgument arrays[] = {{"kernelSize", kernelSize},
                              {"stride", stride},
                              {"padding", padding},
                              {"dilation", dilation}};
    const ValueArgument values[] = {{"ceilMode", ceilMode}};
    Call call{kApi, tensors, arrays, values, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    MaxPool2dGeometry geometry;
    bool positions = false;
    const auto check = [&] { return validate(call, ceilMode, geometry, positions); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    if (positions) {
      return hand_out_plan(call, kernels::max_pool3d_with_argmax(), with_positions(geometry),
                           bind_positions);
    }
    return hand_out_plan(call, kernels::max_pool2d_with_mask(), geometry, bind);
  });
}

aclnnStatus aclnnMaxPool2dWithMask(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
