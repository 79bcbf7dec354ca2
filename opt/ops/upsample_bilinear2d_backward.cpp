// aclnnUpsampleBilinear2dBackwardV2 and its first version: validate, plan, launch.
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"

#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "opt/ops/plan.h"
#include "opt/ops/upsample.h"

namespace gradproof::ops {
namespace {

using kernels::UpsampleBackwardBuffers;
using kernels::UpsampleBackwardGeometry;

constexpr char kApi[] = "aclnnUpsampleBilinear2dBackwardV2";
constexpr char kFirst[] = "aclnnUpsampleBilinear2dBackward";

/// The first version takes scales, but goes by the extents alone.
bool takes_scales(const Call& call) { return call.api == kApi; }

Status validate(const Call& call, bool align_corners, double scale_h, double scale_w,
                UpsampleBackwardGeometry& geometry) {
  const TensorArgument &grad_out = call.tensors[0], &out = call.tensors[1];
  const ArrayArgument &output_size = call.arrays[0], &input_size = call.arrays[1];
  GRADPROOF_TRY(check_handles(call));
  GRADPROOF_TRY(check_upsample_descriptors(call));
  GRADPROOF_TRY(check_length(call, output_size, {2}));
  GRADPROOF_TRY(check_length(call, input_size, {4}));
  GRADPROOF_TRY(check_int32_extents(call));
  // Where scales have no effect, nothing changes between equal extents.
  const bool unscaled =
      !uses_scales(call.config.product) && grad_out->shape == input_size.array->values;
  if (unscaled) {
    // uncovered: no conformance refuses it
    GRADPROOF_TRY(refuse(call, "same-extents", grad_out.name, " has the extents of inputSize"));
  }
  // Nothing is computed, and nothing more is asked of `out`.
  if (out.rank() != 4 || (unscaled && call.course.nothing && !grad_out.empty())) return {};
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
  if (!takes_scales(call)) scale_h = scale_w = 0;
  settle_scales(call, {in[2], in[3]}, {large[2], large[3]}, scale_h, scale_w);
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

aclnnStatus plan_backward(const char* api, const aclTensor* gradOut, const aclIntArray* outputSize,
                          const aclIntArray* inputSize, bool alignCorners, double scalesH,
                          double scalesW, aclTensor* out, uint64_t* workspaceSize,
                          aclOpExecutor** executor) {
  return plan(api, [&] {
    TensorArgument tensors[] = {{"gradOut", gradOut}, {"out", out, Access::written}};
    ArrayArgument arrays[] = {{"outputSize", outputSize}, {"inputSize", inputSize}};
    const ValueArgument values[] = {
        {"alignCorners", alignCorners}, {"scalesH", scalesH}, {"scalesW", scalesW}};
    Call call{api, tensors, arrays, values, workspaceSize, executor};
    if (aclnnStatus status; hand_out_again(call, status)) return status;
    UpsampleBackwardGeometry geometry;
    const auto check = [&] { return validate(call, alignCorners, scalesH, scalesW, geometry); };
    if (Status status = settle(call, check); !status.ok()) return report(call, status);
    return hand_out_plan(call, kernels::upsample_bilinear2d_backward(), geometry, bind);
  });
}

}  // namespace
}  // namespace gradproof::ops

using namespace gradproof;

aclnnStatus aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return ops::plan_backward(ops::kApi, gradOut, outputSize, inputSize, alignCorners, scalesH,
                            scalesW, out, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleBilinear2dBackwardV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return launch(ops::kApi, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return ops::plan_backward(ops::kFirst, gradOut, outputSize, inputSize, alignCorners, scalesH,
                            scalesW, out, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleBilinear2dBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return launch(ops::kFirst, workspace, workspaceSize, executor, stream);
}
