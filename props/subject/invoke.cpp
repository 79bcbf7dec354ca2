// The C signatures of the ten operators, taken from the public headers.
#include "props/subject/invoke.h"

#include <type_traits>

#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "props/subject/memory.h"
#include "props/subject/step.h"

namespace gradproof::props {
namespace {

// Operators of one signature are called through one type.
using WindowPoolBackward = decltype(&aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize);
static_assert(
    std::is_same_v<WindowPoolBackward, decltype(&aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize)>);
using WindowPool = decltype(&aclnnMaxPool3dWithArgmaxGetWorkspaceSize);
static_assert(std::is_same_v<WindowPool, decltype(&aclnnMaxPool2dWithMaskGetWorkspaceSize)>);
using UpsampleBackward = decltype(&aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize);
using PadBackward = decltype(&aclnnReplicationPad2dBackwardGetWorkspaceSize);
using AdaptiveBackward = decltype(&aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize);
using Upsample = decltype(&aclnnUpsampleBilinear2dGetWorkspaceSize);
using Pad = decltype(&aclnnReplicationPad2dGetWorkspaceSize);
using Adaptive = decltype(&aclnnAdaptiveMaxPool3dGetWorkspaceSize);
using Run = decltype(&aclnnMaxPool3dWithArgmaxBackward);

template <class Function, class... Arguments>
aclnnStatus call_as(void* function, Arguments... arguments) {
  return reinterpret_cast<Function>(function)(arguments...);
}

}  // namespace

Descriptors::Descriptors(const Api& api, const ref::Call& call, std::span<void* const> data)
    : api_(api) {
  tensors_.reserve(call.tensors.size());
  arrays_.reserve(call.arrays.size());
  const Within step(Step::descriptors);
  bool made = true;
  for (std::size_t slot = 0; slot < call.tensors.size(); ++slot) {
    const ref::Tensor& t = call.tensors[slot];
    tensors_.push_back(t.null ? nullptr : create_tensor(api_, t, data[slot]));
    made = made && (t.null || tensors_.back() != nullptr);
  }
  for (const ref::IntArray& a : call.arrays) {
    arrays_.push_back(a.null ? nullptr : api_.create_int_array(a.values.data(), a.values.size()));
    made = made && (a.null || arrays_.back() != nullptr);
  }
  if (!made) {
    destroy();
    throw SubjectFailure(
        "aclCreateTensor or aclCreateIntArray gave a null pointer for a descriptor that it can "
        "hold");
  }
}

Descriptors::~Descriptors() { destroy(); }

void Descriptors::destroy() {
  const Within step(Step::descriptors);
  for (aclTensor* t : tensors_) {
    if (t != nullptr) api_.destroy_tensor(t);
  }
  for (aclIntArray* a : arrays_) {
    if (a != nullptr) api_.destroy_int_array(a);
  }
}

aclTensor* create_tensor(const Api& api, const ref::Tensor& t, void* data) {
  return api.create_tensor(t.shape.data(), t.shape.size(), static_cast<aclDataType>(t.dtype),
                           t.null_strides ? nullptr : t.strides.data(), t.offset,
                           static_cast<aclFormat>(t.format), t.storage.data(), t.storage.size(),
                           data);
}

aclnnStatus invoke_phase1(void* function, const ref::Call& call, std::span<aclTensor* const> t,
                          std::span<aclIntArray* const> a, std::uint64_t* workspace_size,
                          aclOpExecutor** executor) {
  const auto flag = [&](int i) { return call.flags[i] != 0; };
  std::uint64_t* size = call.null_workspace_size ? nullptr : workspace_size;
  aclOpExecutor** out = call.null_executor ? nullptr : executor;
  switch (call.op) {
    case ref::Operator::max_pool3d_with_argmax_backward:
    case ref::Operator::max_pool2d_with_mask_backward:
      return call_as<WindowPoolBackward>(function, t[0], t[1], t[2], a[0], a[1], a[2], a[3],
                                         flag(0), t[3], size, out);
    case ref::Operator::upsample_bilinear2d_backward:
      return call_as<UpsampleBackward>(function, t[0], a[0], a[1], flag(0), call.reals[0],
                                       call.reals[1], t[1], size, out);
    case ref::Operator::replication_pad2d_backward:
      return call_as<PadBackward>(function, t[0], t[1], a[0], t[2], size, out);
    case ref::Operator::adaptive_max_pool3d_backward:
      return call_as<AdaptiveBackward>(function, t[0], t[1], t[2], t[3], size, out);
    case ref::Operator::max_pool3d_with_argmax:
    case ref::Operator::max_pool2d_with_mask:
      return call_as<WindowPool>(function, t[0], a[0], a[1], a[2], a[3], flag(0), t[1], t[2], size,
                                 out);
    case ref::Operator::upsample_bilinear2d:
      return call_as<Upsample>(function, t[0], a[0], flag(0), call.reals[0], call.reals[1], t[1],
                               size, out);
    case ref::Operator::replication_pad2d:
      return call_as<Pad>(function, t[0], a[0], t[1], size, out);
    case ref::Operator::adaptive_max_pool3d:
      return call_as<Adaptive>(function, t[0], a[0], t[1], t[2], size, out);
  }
  throw SubjectFailure("an operator that the suite does not know");
}

aclnnStatus invoke_phase2(void* function, void* workspace, std::uint64_t workspace_size,
                          aclOpExecutor* executor, aclrtStream stream) {
  return call_as<Run>(function, workspace, workspace_size, executor, stream);
}

}  // namespace gradproof::props
