// aclnnReplicationPad2d: validate, plan, launch.
#include "aclnnop/aclnn_replication_pad2d.h"

#include <algorithm>
#include "opt/kernels/forward/forward.h"

#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/replication_pad.h"

namespace gradproof::ops {
namespace {

using kernels::MapBuffers;
using kernels::ReplicationPadGeometry;

constexpr char kApi[] = "aclnnReplicationPad2d";

Status validate(const Call& call, ReplicationPadGeometry& geometry) {
  const TensorArgument &self = call.tensors[0], &out = call.tensors[1];
  const ArrayArgument& padding = call.arrays[0];
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pad_descriptors(call, 2));
  GRADPROOF_TRY(check_padding(call, self, padding, 2));
  GRADPROOF_TRY(check_padded_shape(call, self, out, padding, 2));
  GRADPROOF_TRY(check_memory(call));

  geometry.element = element(self->dtype);
  geometry.n = 0;
  if (self.empty()) return {};  // the other extents may be of any size
  const auto in = extents4(self), padded = extents4(out);
  geometry.n = in[0];
  geometry.c = in[1];
  geometry.in = {in[2], in[3]};
  geometry.out = {padded[2], padded[3]};
  // More than the whole of either image is no different from all of it.
  geometry.left = std::clamp(padding[0], -in[3], padded[3]);
  geometry.top = std::clamp(padding[2], -in[2], padded[2]);
  geometry.self = strides4(self);
  geometry.result = strides4(out);
  return {};
}

MapBuffers bind(const Addresses& at) { return {at[0], at[1]}; }

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnReplicationPad2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"self", self}, {"out", out, Access::written}};
    ArrayArgument arrays[] = {{"padding", padding}};
    Call call{kApi, tensors, arrays, {}, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    ReplicationPadGeometry geometry;
    const auto check = [&] { return validate(call, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    return hand_out_plan(call, kernels::replication_pad2d(), geometry, bind);
  });
}

aclnnStatus aclnnReplicationPad2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
