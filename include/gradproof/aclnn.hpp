/// The operators for C++: one typed function each, which answers a planned call.
///
/// C++17 and later, header-only: every function is phase 1 of the C function of the same
/// parameters, whose header in aclnnop/ has the formula, the types and formats taken, and the
/// products. Lengths, strides and padding are in elements; what is written is the last tensors of a
/// function. Its error is 161001 for an owner that owns nothing, 161002 for any other rule that is
/// broken, 561101 for want of memory. Example:
///
///   auto call = replication_pad2d_backward(grad_output, self, padding, grad_input);
///   if (!call) return report(call.error().message());
///   call->run(stream).value();
#ifndef GRADPROOF_ACLNN_HPP_
#define GRADPROOF_ACLNN_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "aclnn/aclnn_base.h"
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
#include "gradproof/expected.hpp"
#include "gradproof/runtime.hpp"
#include "gradproof/tensor.hpp"

namespace gradproof::aclnn {

/// A call that phase 1 accepted; `enqueue` is its phase 2. Runs once unless made repeatable.
template <auto enqueue>
class Call {
 public:
  /// Owns nothing.
  Call() = default;
  /// Takes the executor that phase 1 handed out, and the size in bytes that it answered.
  Call(aclOpExecutor* executor, std::uint64_t workspace_size)
      : executor_(executor), workspace_size_(workspace_size) {}

  /// Bytes of device memory that `launch` needs.
  std::uint64_t workspace_size() const noexcept { return workspace_size_; }

  /// Phase 2: enqueues the call. `workspace_size`, in bytes, is at least the call's own. Workspace
  /// and tensor data must live until the synchronisation. The error is one of aclnn_base.h's phase
  /// 2 (a call that ran already and is not repeatable: 161001); a refused launch can be repeated.
  Expected<void> launch(const Stream& stream, void* workspace = nullptr,
                        std::uint64_t workspace_size = 0) {
    const aclnnStatus status = enqueue(workspace, workspace_size, executor_.get(), stream.get());
    if (status != ACLNN_SUCCESS) return Error::recent(status);
    if (!repeatable_) (void)executor_.release();
    return {};
  }
  /// Launches with a workspace of its own and waits for the end. The error is launch's, 200000
  /// where there is no memory for the workspace, or synchronize's.
  Expected<void> run(const Stream& stream) {
    if (workspace_size_ == 0) return finish(launch(stream), stream);
    Expected<Buffer<std::byte>> workspace = Buffer<std::byte>::allocate(workspace_size_);
    if (!workspace) return workspace.error();
    return finish(launch(stream, workspace->data(), workspace_size_), stream);
  }
  /// Lets the call be launched any number of times. The error is that of a call that owns nothing.
  Expected<void> make_repeatable() {
    Expected<void> done = detail::checked(aclSetAclOpExecutorRepeatable(executor_.get()));
    repeatable_ = repeatable_ || done.has_value();
    return done;
  }
  /// The executor for the C API; the call keeps it.
  aclOpExecutor* get() const noexcept { return executor_.get(); }

 private:
  static Expected<void> finish(Expected<void> launched, const Stream& stream) {
    if (!launched) return launched;
    return stream.synchronize();
  }

  std::unique_ptr<aclOpExecutor, detail::Destroy<aclOpExecutor*, &aclDestroyAclOpExecutor>>
      executor_;
  std::uint64_t workspace_size_ = 0;
  bool repeatable_ = false;
};

namespace detail {
template <auto prepare, auto enqueue, class... Arguments>
Expected<Call<enqueue>> plan(Arguments... arguments) {
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  const aclnnStatus status = prepare(arguments..., &workspace_size, &executor);
  if (status != ACLNN_SUCCESS) return Error::recent(status);
  return Call<enqueue>(executor, workspace_size);
}
}  // namespace detail

/// 3-D max pooling: aclnnMaxPool3dWithArgmax, in aclnn_max_pool3d_with_argmax.h.
/// self is [N,]C,D,H,W; out and indices (INT32 positions in the input plane) [N,]C,Do,Ho,Wo.
/// kernel_size, stride, padding and dilation have 1 or 3 numbers, stride also none: kernel_size's.
/// Source: what the gradient's CANN document says of its forward.
inline auto max_pool3d_with_argmax(const Tensor& self, const IntArray& kernel_size,
                                   const IntArray& stride, const IntArray& padding,
                                   const IntArray& dilation, bool ceil_mode, const Tensor& out,
                                   const Tensor& indices) {
  return detail::plan<&aclnnMaxPool3dWithArgmaxGetWorkspaceSize, &aclnnMaxPool3dWithArgmax>(
      self.get(), kernel_size.get(), stride.get(), padding.get(), dilation.get(), ceil_mode,
      out.get(), indices.get());
}

/// Its gradient: aclnnMaxPool3dWithArgmaxBackward, in aclnn_max_pool3d_with_argmax_backward.h.
/// self and grad_input are [N,]C,D,H,W; grad_output and indices (INT32) [N,]C,Do,Ho,Wo. Of self the
/// description is used, not the data. The four arrays are those of the forward. An index outside
/// the plane is an error of Stream::synchronize (507035). Source: the operator's CANN document.
inline auto max_pool3d_with_argmax_backward(const Tensor& grad_output, const Tensor& self,
                                            const Tensor& indices, const IntArray& kernel_size,
                                            const IntArray& stride, const IntArray& padding,
                                            const IntArray& dilation, bool ceil_mode,
                                            const Tensor& grad_input) {
  return detail::plan<&aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize,
                      &aclnnMaxPool3dWithArgmaxBackward>(
      grad_output.get(), self.get(), indices.get(), kernel_size.get(), stride.get(), padding.get(),
      dilation.get(), ceil_mode, grad_input.get());
}

/// 2-D max pooling: aclnnMaxPool2dWithMask, in aclnn_max_pool2d_with_indices.h.
/// self is [N,]C,H,W; out [N,]C,Ho,Wo; indices, a bit mask in INT8,
/// [N,]C,kH*kW,(ceil(Ho*Wo/16)+1)*32. kernel_size, stride, padding and dilation have 1 or 2
/// numbers, stride also none: kernel_size's. Source: what the gradient's CANN document says of its
/// forward.
inline auto max_pool2d_with_mask(const Tensor& self, const IntArray& kernel_size,
                                 const IntArray& stride, const IntArray& padding,
                                 const IntArray& dilation, bool ceil_mode, const Tensor& out,
                                 const Tensor& indices) {
  return detail::plan<&aclnnMaxPool2dWithMaskGetWorkspaceSize, &aclnnMaxPool2dWithMask>(
      self.get(), kernel_size.get(), stride.get(), padding.get(), dilation.get(), ceil_mode,
      out.get(), indices.get());
}

/// Its gradient: aclnnMaxPool2dWithMaskBackward, in aclnn_max_pool2d_with_indices_backward.h.
/// self and grad_input are [N,]C,H,W; grad_output [N,]C,Ho,Wo; indices the mask that the forward
/// wrote. Of self the description is used, not the data. Source: the operator's CANN document.
inline auto max_pool2d_with_mask_backward(const Tensor& grad_output, const Tensor& self,
                                          const Tensor& indices, const IntArray& kernel_size,
                                          const IntArray& stride, const IntArray& padding,
                                          const IntArray& dilation, bool ceil_mode,
                                          const Tensor& grad_input) {
  return detail::plan<&aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize,
                      &aclnnMaxPool2dWithMaskBackward>(
      grad_output.get(), self.get(), indices.get(), kernel_size.get(), stride.get(), padding.get(),
      dilation.get(), ceil_mode, grad_input.get());
}

/// Bilinear upsampling: aclnnUpsampleBilinear2d, in aclnn_upsample_bilinear_2d.h.
/// self is N,C,H,W (ACL_FORMAT_NCHW) or N,H,W,C (ACL_FORMAT_NHWC); out has H, W replaced by
/// output_size, (Ho, Wo). scales_h and scales_w, how much larger out is, count where corners are
/// not aligned and they are above 0, on Ascend910B and Ascend910_93 only. Source: what the
/// gradient's CANN document says of its forward.
inline auto upsample_bilinear2d(const Tensor& self, const IntArray& output_size, bool align_corners,
                                double scales_h, double scales_w, const Tensor& out) {
  return detail::plan<&aclnnUpsampleBilinear2dGetWorkspaceSize, &aclnnUpsampleBilinear2d>(
      self.get(), output_size.get(), align_corners, scales_h, scales_w, out.get());
}

/// Its gradient: aclnnUpsampleBilinear2dBackwardV2, in aclnn_upsample_bilinear_2d_backward_v2.h.
/// out, the gradient of the small image, has the extents input_size, four numbers in the order of
/// its own dimensions; grad_out has H, W replaced by output_size, (Ho, Wo). Scales as in the
/// forward. Source: the operator's CANN document.
inline auto upsample_bilinear2d_backward(const Tensor& grad_out, const IntArray& output_size,
                                         const IntArray& input_size, bool align_corners,
                                         double scales_h, double scales_w, const Tensor& out) {
  return detail::plan<&aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize,
                      &aclnnUpsampleBilinear2dBackwardV2>(grad_out.get(), output_size.get(),
                                                          input_size.get(), align_corners, scales_h,
                                                          scales_w, out.get());
}

/// Replication padding: aclnnReplicationPad2d, in aclnn_replication_pad2d.h.
/// self is [N,]C,H,W; out [N,]C,H+top+bottom,W+left+right; padding (left, right, top, bottom),
/// where negative numbers crop. Source: what the gradient's CANN document says of its forward.
inline auto replication_pad2d(const Tensor& self, const IntArray& padding, const Tensor& out) {
  return detail::plan<&aclnnReplicationPad2dGetWorkspaceSize, &aclnnReplicationPad2d>(
      self.get(), padding.get(), out.get());
}

/// Its gradient: aclnnReplicationPad2dBackward, in aclnn_pad2d_backward.h.
/// self and grad_input are [N,]C,H,W; grad_output [N,]C,H+top+bottom,W+left+right; padding as in
/// the forward. Of self the description is used, not the data. Source: the operator's CANN
/// document.
inline auto replication_pad2d_backward(const Tensor& grad_output, const Tensor& self,
                                       const IntArray& padding, const Tensor& grad_input) {
  return detail::plan<&aclnnReplicationPad2dBackwardGetWorkspaceSize,
                      &aclnnReplicationPad2dBackward>(grad_output.get(), self.get(), padding.get(),
                                                      grad_input.get());
}

/// Adaptive 3-D max pooling: aclnnAdaptiveMaxPool3d, in aclnn_adaptive_max_pool3d.h.
/// self is [N,]C,D,H,W; out and indices (INT32 positions in the input plane) [N,]C,Do,Ho,Wo, the
/// last three given by output_size. Source: what the gradient's CANN document says of its forward.
inline auto adaptive_max_pool3d(const Tensor& self, const IntArray& output_size, const Tensor& out,
                                const Tensor& indices) {
  return detail::plan<&aclnnAdaptiveMaxPool3dGetWorkspaceSize, &aclnnAdaptiveMaxPool3d>(
      self.get(), output_size.get(), out.get(), indices.get());
}

/// Its gradient: aclnnAdaptiveMaxPool3dBackward, in aclnn_adaptive_max_pool3d_backward.h.
/// self and grad_input are [N,]C,D,H,W; grad_output and indices (INT32) [N,]C,Do,Ho,Wo. Of self the
/// description is used, not the data. An index outside the plane is an error of Stream::synchronize
/// (507035). Source: the operator's CANN document.
inline auto adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self,
                                         const Tensor& indices, const Tensor& grad_input) {
  return detail::plan<&aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize,
                      &aclnnAdaptiveMaxPool3dBackward>(grad_output.get(), self.get(), indices.get(),
                                                       grad_input.get());
}

}  // namespace gradproof::aclnn

#endif
