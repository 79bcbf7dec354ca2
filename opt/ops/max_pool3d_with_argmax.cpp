// aclnnMaxPool3dWithArgmax: validate, plan, launch.
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"

#include "opt/kernels/forward/forward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool3d.h"
#include "opt/ops/pooling.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool3dBuffers;
using kernels::MaxPool3dGeometry;

constexpr char kApi[] = "aclnnMaxPool3dWithArgmax";

Status validate(const Call& call, bool ceil_mode, MaxPool3dGeometry& geometry) {
  const TensorArgument &self = call.tensors[0], &out = call.tensors[1], &indices = call.tensors[2];
  Windows windows;
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool3d_descriptors(call, Zeros::none));
  GRADPROOF_TRY(check_windows(call, 3, ceil_mode, windows));
  GRADPROOF_TRY(check_same_shape(call, out, indices));
  GRADPROOF_TRY(check_pooled_shape(call, self, out, windows));
  GRADPROOF_TRY(check_index_range(call, self));
  GRADPROOF_TRY(check_memory(call));

  const auto in = extents5(self), pooled = extents5(out);
  geometry = {.element = element(self->dtype),
              .n = in[0],
              .c = in[1],
              .in = {in[2], in[3], in[4]},
              .out = {pooled[2], pooled[3], pooled[4]},
              .self = strides5(self),
              .result = strides5(out),
              .indices = strides5(indices),
              .adaptive = false,
              .kernel = axes3(windows.kernel),
              .stride = axes3(windows.stride),
              .padding = axes3(windows.padding)};
  return {};
}

MaxPool3dBuffers bind(const Addresses& at) {
  return {at[0], at[1], reinterpret_cast<std::int32_t*>(at[2])};
}

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnMaxPool3dWithArgmaxGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceilMode, aclTensor* out,
    aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"self", self},
                                {"out", out, Access::written},
                                {"indices", indices, Access::written, Content::indices}};
    ArrayArgument arrays[] = {{"kernelSize", kernelSize},
                              {"stride", stride},
                              {"padding", padding},
                              {"dilation", dilation}};
    const ValueArgument values[] = {{"ceilMode", ceilMode}};
    Call call{kApi, tensors, arrays, values, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    MaxPool3dGeometry geometry;
    const auto check = [&] { return validate(call, ceilMode, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    return hand_out_plan(call, kernels::max_pool3d_with_argmax(), geometry, bind);
  });
}

aclnnStatus aclnnMaxPool3dWithArgmax(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
