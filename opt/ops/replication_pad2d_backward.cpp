// aclnnReplicationPad2dBackward: validate, plan, launch.
#include "opt/kernels/pad/replication_pad2d_backward.h"

#include <algorithm>
#include "aclnnop/aclnn_pad2d_backward.h"

#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/replication_pad.h"

namespace gradproof::ops {
namespace {

using kernels::ReplicationPadBackwardBuffers;
using kernels::ReplicationPadBackwardGeometry;

constexpr char kApi[] = "aclnnReplicationPad2dBackward";

Status validate(const Call& call, ReplicationPadBackwardGeometry& geometry) {
  const TensorArgument &grad_output = call.tensors[0], &self = call.tensors[1];
  const TensorArgument& grad_input = call.tensors[2];
  const ArrayArgument& padding = call.arrays[0];
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pad_descriptors(call, 2));
  GRADPROOF_TRY(check_padding(call, self, padding, 2));
  GRADPROOF_TRY(check_padded_shape(call, self, grad_output, padding, 2));
  GRADPROOF_TRY(check_same_shape(call, self, grad_input));
  GRADPROOF_TRY(check_memory(call));
  if (self.rank() == 3 && self->shape[0] == 0) {
    GRADPROOF_TRY(refuse(call, "empty-channels", self.name, " has rank 3 and no channels"));
  }

  geometry.element = element(self->dtype);
  geometry.n = 0;
  if (self.empty()) return {};  // the other extents may be of any size
  const auto in = extents4(self), out = extents4(grad_output);
  geometry.n = in[0];
  geometry.c = in[1];
  geometry.in = {in[2], in[3]};
  geometry.out = {out[2], out[3]};
  // More than the whole of either image is no different from all of it.
  geometry.left = std::clamp(padding[0], -in[3], out[3]);
  geometry.top = std::clamp(padding[2], -in[2], out[2]);
  geometry.grad_output = strides4(grad_output);
  geometry.grad_input = strides4(grad_input);
  return {};
}

ReplicationPadBackwardBuffers bind(const Addresses& at) { return {at[0], at[2]}; }

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnReplicationPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"gradOutput", gradOutput},
                                {"self", self, Access::described},
                                {"gradInput", gradInput, Access::written}};
    ArrayArgument arrays[] = {{"padding", padding}};
    Call call{kApi, tensors, arrays, {}, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    ReplicationPadBackwardGeometry geometry;
    const auto check = [&] { return validate(call, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    return hand_out_plan(call, kernels::replication_pad2d_backward(), geometry, bind);
  });
}

aclnnStatus aclnnReplicationPad2dBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, const aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
