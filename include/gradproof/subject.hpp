/// The subject kit: a function becomes a library that `gradproof verify --library` judges.
///
/// C++17 and later, header-only; the library of kernels links libgradproof and nothing else of
/// ours. libgradproof answers for everything but the values: runtime, descriptors, validation,
/// executors, streams. docs/tutorial.md begins with it, docs/subjects.md has the details. Example:
///
///   void kernel(const gradproof::subject::ReplicationPad2dBackward<float>& call);
///   GRADPROOF_KERNEL(replication_pad2d_backward, kernel)
#ifndef GRADPROOF_SUBJECT_HPP_
#define GRADPROOF_SUBJECT_HPP_

#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "gradproof/subject/calls.hpp"
#include "gradproof/subject/options.hpp"
#include "gradproof/subject/plan.hpp"

/// Tells the suite that only values are to be judged.
extern "C" __attribute__((used, visibility("default"))) inline const char* gradproof_validation() {
  return "by the kit";
}

/// Tells the suite which tensors the kernels get, if not the caller's.
extern "C" __attribute__((used, visibility("default"))) inline const char* gradproof_tensors() {
  return gradproof::subject::detail::options.contiguous ? "contiguous copies (GRADPROOF_CONTIGUOUS)"
                                                        : "";
}

/// Tells the suite whose memory the kernels get: "host" if it is the caller's, in this process.
extern "C" __attribute__((used, visibility("default"))) inline const char* gradproof_memory() {
  const gradproof::subject::Options& options = gradproof::subject::detail::options;
  return options.contiguous || options.device.allocate != nullptr ? "" : "host";
}

/// Exports the two C functions of an operator, computed by `kernel`: a function, a function
/// template over the element type, or a set of overloads for some types, which takes a const
/// reference to the operator's struct and returns nothing or an Answer. In any namespace.
#define GRADPROOF_KERNEL(operator_stem, kernel)                                                \
  static_assert(::gradproof::subject::detail::Known<::gradproof::subject::detail::is_operator( \
                    #operator_stem)>::value);                                                  \
  GRADPROOF_KERNEL_##operator_stem(kernel)

#define GRADPROOF_KERNEL_max_pool3d_with_argmax_backward(kernel)                             \
  GRADPROOF_KERNEL_OF(                                                                       \
      MaxPool3dWithArgmaxBackward, aclnnMaxPool3dWithArgmaxBackward, kernel,                 \
      (const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,         \
       const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding, \
       const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, GRADPROOF_OUTPUTS), \
      (gradOutput, self, indices, kernelSize, stride, padding, dilation, ceilMode, gradInput))

#define GRADPROOF_KERNEL_max_pool2d_with_mask_backward(kernel)                               \
  GRADPROOF_KERNEL_OF(                                                                       \
      MaxPool2dWithMaskBackward, aclnnMaxPool2dWithMaskBackward, kernel,                     \
      (const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,         \
       const aclIntArray* kernelSize, const aclIntArray* stride, const aclIntArray* padding, \
       const aclIntArray* dilation, bool ceilMode, aclTensor* gradInput, GRADPROOF_OUTPUTS), \
      (gradOutput, self, indices, kernelSize, stride, padding, dilation, ceilMode, gradInput))

#define GRADPROOF_KERNEL_upsample_bilinear2d_backward(kernel)                                 \
  GRADPROOF_KERNEL_OF(                                                                        \
      UpsampleBilinear2dBackward, aclnnUpsampleBilinear2dBackwardV2, kernel,                  \
      (const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize, \
       bool alignCorners, double scalesH, double scalesW, aclTensor* out, GRADPROOF_OUTPUTS), \
      (gradOut, outputSize, inputSize, alignCorners, scalesH, scalesW, out))

#define GRADPROOF_KERNEL_replication_pad2d_backward(kernel)                                  \
  GRADPROOF_KERNEL_OF(ReplicationPad2dBackward, aclnnReplicationPad2dBackward, kernel,       \
                      (const aclTensor* gradOutput, const aclTensor* self,                   \
                       const aclIntArray* padding, aclTensor* gradInput, GRADPROOF_OUTPUTS), \
                      (gradOutput, self, padding, gradInput))

#define GRADPROOF_KERNEL_adaptive_max_pool3d_backward(kernel)                              \
  GRADPROOF_KERNEL_OF(AdaptiveMaxPool3dBackward, aclnnAdaptiveMaxPool3dBackward, kernel,   \
                      (const aclTensor* gradOutput, const aclTensor* self,                 \
                       const aclTensor* indices, aclTensor* gradInput, GRADPROOF_OUTPUTS), \
                      (gradOutput, self, indices, gradInput))

// The macros' own parts.
#define GRADPROOF_OUTPUTS uint64_t *gradproof_workspace_size, aclOpExecutor **gradproof_executor
#define GRADPROOF_UNPACKED(...) __VA_ARGS__
#define GRADPROOF_KERNEL_OF(Struct, api, kernel, parameters, arguments)                        \
  extern "C" __attribute__((visibility("default")))                                            \
  aclnnStatus api##GetWorkspaceSize parameters {                                               \
    const auto gradproof_call = [](const auto& call) -> decltype(kernel(call)) {               \
      return kernel(call);                                                                     \
    };                                                                                         \
    return ::gradproof::subject::detail::prepare<::gradproof::subject::Struct>(                \
        gradproof_call, #api "GetWorkspaceSize", gradproof_workspace_size, gradproof_executor, \
        GRADPROOF_UNPACKED arguments);                                                         \
  }                                                                                            \
  extern "C" __attribute__((visibility("default")))                                            \
  aclnnStatus api(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,            \
                  aclrtStream stream) {                                                        \
    namespace kit = ::gradproof::subject::detail;                                              \
    static kit::Phase2* const next = kit::real<kit::Phase2>(#api);                             \
    return kit::launch(next, workspace, workspaceSize, executor, stream);                      \
  }

#endif
