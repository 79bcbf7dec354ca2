// aclnnMaxPool3dWithArgmaxBackward: validate, plan, launch.
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool3d.h"
#include "opt/ops/pooling.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool3dBackwardBuffers;
using kernels::MaxPool3dBackwardGeometry;

constexpr char kApi[] = "aclnnMaxPool3dWithArgmaxBackward";

Status validate(const Call& call, bool ceil_mode, MaxPool3dBackwardGeometry& geometry) {
  const TensorArgument &grad_output = call.tensors[0], &self = call.tensors[1];
  const TensorArgument &indices = call.tensors[2], &grad_input = call.tensors[3];
  Windows windows;
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool3d_descriptors(call, Zeros::none));
  GRADPROOF_TRY(check_windows(call, 3, ceil_mode, windows));
  GRADPROOF_TRY(check_pooled_shape(call, self, grad_output, windows));
  GRADPROOF_TRY(check_same_shape(call, grad_output, indices));
  GRADPROOF_TRY(check_same_shape(call, self, grad_input));
  GRADPROOF_TRY(check_index_range(call, self));
  GRADPROOF_TRY(check_memory(call));

  const auto in = extents5(self), out = extents5(grad_output);
  geometry = {.element = element(self->dtype),
              .n = in[0],
              .c = in[1],
              .in = {in[2], in[3], in[4]},
              .out = {out[2], out[3], out[4]},
              .grad_output = strides5(grad_output),
              .indices = strides5(indices),
              .grad_input = strides5(grad_input),
              .windows = true,
              .kernel = axes3(windows.extents()),
              .stride = axes3(windows.stride),
              .padding = axes3(windows.padding),
              .dilation = axes3(windows.dilation),
              .drop = goes(call, Way::drops_indices)};
  return {};
}

MaxPool3dBackwardBuffers bind(const Addresses& at) {
  return {at[0], reinterpret_cast<const std::int32_t*>(at[2]), at[3]};
}

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"gradOutput", gradOutput},
                                {"self", self, Access::described},
                                {"indices", indices, Access::read, Content::indices},
                                {"gradInput", gradInput, Access::written}};
    ArrayArgument arrays[] = {{"kernelSize", kernelSize},
                              {"stride", stride},
                              {"padding", padding},
                              {"dilation", dilation}};
    const ValueArgument values[] = {{"ceilMode", ceilMode}};
    Call call{kApi, tensors, arrays, values, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    MaxPool3dBackwardGeometry geometry;
    const auto check = [&] { return validate(call, ceilMode, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    // An empty tensor may have any other extents; then no index is read.
    const bool reads = !call.course.nothing;
    const std::int64_t positions = reads ? geometry.in.d * geometry.in.h * geometry.in.w : 0;
    return hand_out_plan(call, kernels::max_pool3d_with_argmax_backward(), geometry, bind,
                         positions);
  });
}

aclnnStatus aclnnMaxPool3dWithArgmaxBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
