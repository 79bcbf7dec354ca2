// aclnnMaxPool2dWithMaskBackward: validate, plan, launch.
#include "opt/kernels/max_pool2d_with_mask_backward.h"

#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool2d.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool2dBackwardBuffers;
using kernels::MaxPool2dBackwardGeometry;

constexpr char kApi[] = "aclnnMaxPool2dWithMaskBackward";

Status validate(const Call& call, bool ceil_mode, Product product,
                MaxPool2dBackwardGeometry& geometry) {
  const TensorArgument &grad_output = call.tensors[0], &self = call.tensors[1];
  const TensorArgument &indices = call.tensors[2], &grad_input = call.tensors[3];
  Windows windows;
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool2d_descriptors(call, product));
  GRADPROOF_TRY(check_windows(call, 2, ceil_mode, windows));
  GRADPROOF_TRY(check_pooled_shape(call, self, grad_output, windows));
  GRADPROOF_TRY(check_mask_shape(call, grad_output, indices, windows));
  GRADPROOF_TRY(check_same_shape(call, self, grad_input));
  GRADPROOF_TRY(check_memory(call));

  geometry.element = element(self->dtype);
  geometry.through_f16 = product == Product::Ascend910 && self->dtype == ACL_FLOAT;
  geometry.n = 0;
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
  return {};
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
  return without_throwing(kApi, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&] {
    TensorArgument tensors[] = {{"gradOutput", gradOutput},
                                {"self", self, Access::described},
                                {"indices", indices, Access::read, Content::mask},
                                {"gradInput", gradInput, Access::written}};
    ArrayArgument arrays[] = {{"kernelSize", kernelSize},
                              {"stride", stride},
                              {"padding", padding},
                              {"dilation", dilation}};
    const Call call{kApi, tensors, arrays, workspaceSize, executor};
    const Config chosen = config();
    MaxPool2dBackwardGeometry geometry;
    if (Status status = validate(call, ceilMode, chosen.product, geometry); !status.ok()) {
      return report(status);
    }
    return hand_out_plan(call, kernels::max_pool2d_with_mask_backward(), geometry, bind,
                         chosen);
  });
}

aclnnStatus aclnnMaxPool2dWithMaskBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
