// aclnnAdaptiveMaxPool3dBackward: validate, plan, launch.
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool3d.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool3dBackwardBuffers;
using kernels::MaxPool3dBackwardGeometry;

constexpr char kApi[] = "aclnnAdaptiveMaxPool3dBackward";

Status validate(const Call& call, MaxPool3dBackwardGeometry& geometry) {
  const TensorArgument &grad_output = call.tensors[0], &self = call.tensors[1];
  const TensorArgument &indices = call.tensors[2], &grad_input = call.tensors[3];
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool3d_descriptors(call, Zeros::any));
  GRADPROOF_TRY(check_adaptive_extents(call, self, grad_output));
  GRADPROOF_TRY(check_same_extents(call, grad_output, self, self.rank() - 3));
  GRADPROOF_TRY(check_same_shape(call, grad_output, indices));
  GRADPROOF_TRY(check_same_shape(call, self, grad_input));
  GRADPROOF_TRY(check_index_range(call, self));
  GRADPROOF_TRY(check_memory(call));
  for (const TensorArgument& a : call.tensors) {
    // uncovered: no conformance refuses it
    if (a.empty()) GRADPROOF_TRY(refuse(call, "empty-tensor", a.name, " is empty"));
  }

  // An empty plane is described by its emptiness alone: the other extents may be of any size.
  geometry.element = element(self->dtype);
  geometry.n = 0;
  if (self.empty()) return {};
  const auto in = extents5(self), out = extents5(grad_output);
  geometry.n = in[0];
  geometry.c = in[1];
  geometry.in = {in[2], in[3], in[4]};
  geometry.out = {0, 0, 0};
  geometry.grad_input = strides5(grad_input);
  if (grad_output.empty()) return {};
  geometry.out = {out[2], out[3], out[4]};
  geometry.grad_output = strides5(grad_output);
  geometry.indices = strides5(indices);
  geometry.drop = goes(call, Way::drops_indices);
  return {};
}

MaxPool3dBackwardBuffers bind(const Addresses& at) {
  return {at[0], reinterpret_cast<const std::int32_t*>(at[2]), at[3]};
}

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"gradOutput", gradOutput},
                                {"self", self, Access::described},
                                {"indices", indices, Access::read, Content::indices},
                                {"gradInput", gradInput, Access::written}};
    Call call{kApi, tensors, {}, {}, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    MaxPool3dBackwardGeometry geometry;
    const auto check = [&] { return validate(call, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    const std::int64_t positions = geometry.in.d * geometry.in.h * geometry.in.w;
    return hand_out_plan(call, kernels::adaptive_max_pool3d_backward(), geometry, bind, positions);
  });
}

aclnnStatus aclnnAdaptiveMaxPool3dBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
