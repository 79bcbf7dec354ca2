// aclnnMaxPool2dWithMask: validate, plan, launch.
#include "aclnnop/aclnn_max_pool2d_with_indices.h"

#include "opt/kernels/forward.h"
#include "opt/ops/canonical.h"
#include "opt/ops/plan.h"
#include "opt/ops/pool2d.h"

namespace gradproof::ops {
namespace {

using kernels::MaxPool2dBuffers;
using kernels::MaxPool2dGeometry;

constexpr char kApi[] = "aclnnMaxPool2dWithMask";

Status validate(const Call& call, bool ceil_mode, Product product, MaxPool2dGeometry& geometry) {
  const TensorArgument &self = call.tensors[0], &out = call.tensors[1], &indices = call.tensors[2];
  Windows windows;
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_pool2d_descriptors(call, product));
  GRADPROOF_TRY(check_windows(call, 2, ceil_mode, windows));
  GRADPROOF_TRY(check_pooled_shape(call, self, out, windows));
  GRADPROOF_TRY(check_mask_shape(call, out, indices, windows));
  GRADPROOF_TRY(check_memory(call));

  geometry.element = element(self->dtype);
  geometry.n = 0;
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
  return {};
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
  return without_throwing(kApi, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&] {
    TensorArgument tensors[] = {{"self", self},
                                {"out", out, Access::written},
                                {"indices", indices, Access::written, Content::mask}};
    ArrayArgument arrays[] = {{"kernelSize", kernelSize},
                              {"stride", stride},
                              {"padding", padding},
                              {"dilation", dilation}};
    const Call call{kApi, tensors, arrays, workspaceSize, executor};
    const Config chosen = config();
    MaxPool2dGeometry geometry;
    if (Status status = validate(call, ceilMode, chosen.product, geometry); !status.ok()) {
      return report(status);
    }
    return hand_out_plan(call, kernels::max_pool2d_with_mask(), geometry, bind, chosen);
  });
}

aclnnStatus aclnnMaxPool2dWithMask(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
