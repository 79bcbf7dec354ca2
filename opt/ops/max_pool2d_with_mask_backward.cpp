// aclnnMaxPool2dWithMaskBackward: validate, plan, launch.
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"

#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool2d.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool2dBackwardBuffers;
using kernels::MaxPool2dBackwardGeometry;
using kernels::MaxPool3dBackwardBuffers;
using kernels::MaxPool3dBackwardGeometry;

constexpr char kApi[] = "aclnnMaxPool2dWithMaskBackward";

Status validate(const Call& call, bool ceil_mode, MaxPool2dBackwardGeometry& geometry,
                bool& positions) {
  const TensorArgument &grad_output = call.tensors[0], &self = call.tensors[1];
  const TensorArgument &indices = call.tensors[2], &grad_input = call.tensors[3];
  Windows windows;
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool2d_descriptors(call));
  GRADPROOF_TRY(check_windows(call, 2, ceil_mode, windows));
  GRADPROOF_TRY(check_pooled_shape(call, self, grad_output, windows));
  GRADPROOF_TRY(check_mask_shape(call, grad_output, indices, windows));
  GRADPROOF_TRY(check_same_shape(call, self, grad_input));
  GRADPROOF_TRY(check_memory(call));

  geometry.element = element(self->dtype);
  geometry.through_f16 = call.config.product == Product::Ascend910 && self->dtype == ACL_FLOAT;
  geometry.n = 0;
  positions = false;
  if (self.empty()) return {};  // the other extents may be of any size
  const auto in = extents4(self), out = extents4(grad_output);
  geometry.n = in[0];
  geometry.c = in[1];
  geometry.in = {in[2], in[3]};
  geometry.out = {out[2], out[3]};
  geometry.kernel = axes2(windows.kernel);
  geometry.stride = axes2(windows.stride);
  geometry.padding = axes2(windows.padding);
  geometry.grad_output = strides4(grad_output);
  geometry.grad_input = strides4(grad_input);
  positions = settle_mask(call, call.tensors[2], self, grad_output, windows);
  return {};
}

/// Positions are the indices of a 3-D pool of depth 1.
MaxPool3dBackwardGeometry with_positions(const MaxPool2dBackwardGeometry& g) {
  return {.element = g.element,
          .n = g.n,
          .c = g.c,
          .in = {1, g.in.h, g.in.w},
          .out = {1, g.out.h, g.out.w},
          .grad_output = with_depth(g.grad_output),
          .indices = position_strides(g.c, g.out),
          .grad_input = with_depth(g.grad_input),
          .windows = true,
          .kernel = {1, g.kernel.h, g.kernel.w},
          .stride = {1, g.stride.h, g.stride.w},
          .padding = {0, g.padding.h, g.padding.w},
          .dilation = {},
          .drop = true};
}

MaxPool3dBackwardBuffers bind_positions(const Addresses& at) {
  return {at[0], reinterpret_cast<const std::int32_t*>(at[2]), at[3]};
}

MaxPool2dBackwardBuffers bind(const Addresses& at) {
  return {at[0], reinterpret_cast<const std::uint8_t*>(at[2]), at[3]};
}

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"gradOutput", gradOutput},
                                {"self", self, Access::described},
                                {"indices", indices, Access::read, Content::mask},
                                {"gradInput", gradInput, Access::written}};
    ArrayArgument arrays[] = {{"kernelSize", kernelSize},
                              {"stride", stride},
                              {"padding", padding},
                              {"dilation", dilation}};
    const ValueArgument values[] = {{"ceilMode", ceilMode}};
    Call call{kApi, tensors, arrays, values, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    MaxPool2dBackwardGeometry geometry;
    bool positions = false;
    const auto check = [&] { return validate(call, ceilMode, geometry, positions); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    if (positions) {
      return hand_out_plan(call, kernels::max_pool3d_with_argmax_backward(),
                           with_positions(geometry), bind_positions);
    }
    return hand_out_plan(call, kernels::max_pool2d_with_mask_backward(), geometry, bind);
  });
}

aclnnStatus aclnnMaxPool2dWithMaskBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
