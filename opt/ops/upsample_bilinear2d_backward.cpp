// aclnnUpsampleBilinear2dBackwardV2: validate, plan, launch.
#include "opt/kernels/upsample_bilinear2d_backward.h"

#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "opt/ops/plan.h"
#include "opt/ops/upsample.h"

namespace gradproof::ops {
namespace {

using kernels::UpsampleBackwardBuffers;
using kernels::UpsampleBackwardGeometry;

constexpr char kApi[] = "aclnnUpsampleBilinear2dBackwardV2";

Status validate(const Call& call, bool align_corners, double scale_h, double scale_w,
                Product product, UpsampleBackwardGeometry& geometry) {
  const TensorArgument &grad_out = call.tensors[0], &out = call.tensors[1];
  const ArrayArgument &output_size = call.arrays[0], &input_size = call.arrays[1];
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_upsample_descriptors(call, product));
  GRADPROOF_TRY(check_length(call, output_size, {2}));
  GRADPROOF_TRY(check_length(call, input_size, {4}));
  GRADPROOF_TRY(check_at_least(call, "size-value", output_size, 1));
  GRADPROOF_TRY(check_at_least(call, "size-value", input_size, 1));
  GRADPROOF_TRY(check_scale(call, "scalesH", scale_h));
  GRADPROOF_TRY(check_scale(call, "scalesW", scale_w));
  const AxisOrder& order = axis_order(out);
  for (int axis : {order[0], order[1]}) {
    GRADPROOF_TRY(check_sized(call, grad_out, axis, input_size, axis));
  }
  GRADPROOF_TRY(check_sized(call, grad_out, order[2], output_size, 0));
  GRADPROOF_TRY(check_sized(call, grad_out, order[3], output_size, 1));
  for (int axis = 0; axis < 4; ++axis)
    GRADPROOF_TRY(check_sized(call, out, axis, input_size, axis));
  GRADPROOF_TRY(check_memory(call));

  const auto in = extents4(out, order), large = extents4(grad_out, order);
  geometry = {.element = element(out->dtype),
              .n = in[0],
              .c = in[1],
              .in = {in[2], in[3]},
              .out = {large[2], large[3]},
              .grad_output = strides4(grad_out, order),
              .grad_input = strides4(out, order),
              .h = kernels::bilinear_axis(in[2], large[2], align_corners, scale_h),
              .w = kernels::bilinear_axis(in[3], large[3], align_corners, scale_w)};
  return {};
}

UpsampleBackwardBuffers bind(const Addresses& at) { return {at[0], at[1]}; }

}  // namespace
}  // namespace gradproof::ops

aclnnStatus aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  using namespace gradproof;
  using namespace gradproof::ops;
  return without_throwing(kApi, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&] {
    TensorArgument tensors[] = {{"gradOut", gradOut}, {"out", out, Access::written}};
    ArrayArgument arrays[] = {{"outputSize", outputSize}, {"inputSize", inputSize}};
    const Call call{kApi, tensors, arrays, workspaceSize, executor};
    const Config chosen = config();
    UpsampleBackwardGeometry geometry;
    if (Status status = validate(call, alignCorners, scalesH, scalesW, chosen.product, geometry);
        !status.ok()) {
      return report(status);
    }
    return hand_out_plan(call, kernels::upsample_bilinear2d_backward(), geometry, bind,
                         chosen);
  });
}

aclnnStatus aclnnUpsampleBilinear2dBackwardV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return gradproof::launch(gradproof::ops::kApi, workspace, workspaceSize, executor, stream);
}
