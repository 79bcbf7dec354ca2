// aclnnUpsampleBilinear2d: validate, plan, launch.
#include "aclnnop/aclnn_upsample_bilinear_2d.h"

#include "opt/kernels/forward/forward.h"
#include "opt/ops/plan.h"
#include "opt/ops/upsample.h"

namespace gradproof::ops {
namespace {

using kernels::MapBuffers;
using kernels::UpsampleGeometry;

constexpr char kApi[] = "aclnnUpsampleBilinear2d";

Status validate(const Call& call, bool align_corners, double scale_h, double scale_w,
                UpsampleGeometry& geometry) {
  const TensorArgument &self = call.tensors[0], &out = call.tensors[1];
  const ArrayArgument& output_size = call.arrays[0];
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_upsample_descriptors(call));
  GRADPROOF_TRY(check_length(call, output_size, {2}));
  GRADPROOF_TRY(check_at_least(call, "size-value", output_size, 1));
  GRADPROOF_TRY(check_scale(call, "scalesH", scale_h));
  GRADPROOF_TRY(check_scale(call, "scalesW", scale_w));
  const AxisOrder& order = axis_order(out);
  for (int axis : {order[0], order[1]}) GRADPROOF_TRY(check_same_extent(call, self, out, axis));
  GRADPROOF_TRY(check_sized(call, out, order[2], output_size, 0));
  GRADPROOF_TRY(check_sized(call, out, order[3], output_size, 1));
  GRADPROOF_TRY(check_memory(call));
  const auto in = extents4(self, order), large = extents4(out, order);
  settle_scales(call, {in[2], in[3]}, {large[2], large[3]}, scale_h, scale_w);
  geometry = {.element = element(self->dtype),
              .n = in[0],
              .c = in[1],
              .in = {in[2], in[3]},
              .out = {large[2], large[3]},
              .self = strides4(self, order),
              .result = strides4(out, order),
              .h = kernels::bilinear_axis(in[2], large[2], align_corners, scale_h),
              .w = kernels::bilinear_axis(in[3], large[3], align_corners, scale_w)};
  return {};
}

MapBuffers bind(const Addresses& at) { return {at[0], at[1]}; }

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnUpsampleBilinear2dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, bool alignCorners, double scalesH,
    double scalesW, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return plan(kApi, [&] {
    TensorArgument tensors[] = {{"self", self}, {"out", out, Access::written}};
    ArrayArgument arrays[] = {{"outputSize", outputSize}};
    const ValueArgument values[] = {
        {"alignCorners", alignCorners}, {"scalesH", scalesH}, {"scalesW", scalesW}};
    Call call{kApi, tensors, arrays, values, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    UpsampleGeometry geometry;
    const auto check = [&] { return validate(call, alignCorners, scalesH, scalesW, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    return hand_out_plan(call, kernels::upsample_bilinear2d(), geometry, bind);
  });
}

aclnnStatus aclnnUpsampleBilinear2d(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
