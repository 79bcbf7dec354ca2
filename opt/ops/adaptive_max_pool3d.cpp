// aclnnAdaptiveMaxPool3d: validate, plan, launch.
#include "aclnnop/aclnn_adaptive_max_pool3d.h"

#include "opt/kernels/forward/forward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool3d.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool3dBuffers;
using kernels::MaxPool3dGeometry;

constexpr char kApi[] = "aclnnAdaptiveMaxPool3d";

Status validate(const Call& call, MaxPool3dGeometry& geometry) {
  const TensorArgument &self = call.tensors[0], &out = call.tensors[1], &indices = call.tensors[2];
  GRADPROOF_TRY(check_handles(call));
  const ArrayArgument& output_size = call.arrays[0];
  GRADPROOF_TRY(check_pool3d_descriptors(call, Zeros::any));
  GRADPROOF_TRY(check_adaptive_extents(call, self, out));
  GRADPROOF_TRY(check_length(call, output_size, {3}));
  // A gradient may be empty over a non-empty self, so the forward may be asked for nothing.
  GRADPROOF_TRY(check_at_least(call, "size-value", output_size, 0));
  GRADPROOF_TRY(check_same_shape(call, out, indices));
  GRADPROOF_TRY(check_same_extents(call, self, out, self.rank() - 3));
  for (int i = 0; i < 3; ++i) {
    GRADPROOF_TRY(check_sized(call, out, out.rank() - 3 + i, output_size, i));
  }
  GRADPROOF_TRY(check_index_range(call, self));
  GRADPROOF_TRY(check_memory(call));

  // Nothing to write: the other extents may be of any size.
  geometry.element = element(self->dtype);
  geometry.adaptive = true;
  geometry.n = 0;
  if (out.empty()) return {};
  const auto in = extents5(self), pooled = extents5(out);
  geometry.n = in[0];
  geometry.c = in[1];
  geometry.in = {in[2], in[3], in[4]};
  geometry.out = {pooled[2], pooled[3], pooled[4]};
  geometry.self = strides5(self);
  geometry.result = strides5(out);
  geometry.indices = strides5(indices);
  return {};
}

MaxPool3dBuffers bind(const Addresses& at) {
  return {at[0], at[1], reinterpret_cast<std::int32_t*>(at[2])};
}

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnAdaptiveMaxPool3dGetWorkspaceSize(const aclTensor* self,
                                                   const aclIntArray* outputSize,
                                                   aclTensor* outputOut, aclTensor* indicesOut,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"self", self},
                                {"outputOut", outputOut, Access::written},
                                {"indicesOut", indicesOut, Access::written, Content::indices}};
    ArrayArgument arrays[] = {{"outputSize", outputSize}};
    Call call{kApi, tensors, arrays, {}, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    MaxPool3dGeometry geometry;
    const auto check = [&] { return validate(call, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    return hand_out_plan(call, kernels::adaptive_max_pool3d(), geometry, bind);
  });
}

aclnnStatus aclnnAdaptiveMaxPool3d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
