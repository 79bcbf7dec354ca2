// Makes ATen, PyTorch's tensor library, a subject: its CPU gradients, unchanged. Needs Debian's
// libtorch-dev.
//
//   c++ -std=c++17 -O2 -shared -fPIC aten.cpp \
//     $(pkg-config --cflags --libs gradproof-subject) -ltorch_cpu -lc10 -o libaten.so
//   gradproof verify --library ./libaten.so    # with aten.json beside it
//
// With -DATEN_OUT it calls the variants that write into the caller's tensor, instead of those that
// return a new one.
#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_max_pool3d_backward.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/max_pool2d_with_indices_backward.h>
#include <ATen/ops/max_pool3d_with_indices_backward.h>
#include <ATen/ops/replication_pad2d_backward.h>
#include <ATen/ops/upsample_bilinear2d_backward.h>
#include <c10/core/InferenceMode.h>

#include <gradproof/subject.hpp>

#ifdef ATEN_OUT
#define ATEN_CALL(function, result, ...) function##_out(result, __VA_ARGS__)
#else
#define ATEN_CALL(function, result, ...) result.copy_(function(__VA_ARGS__))
#endif

namespace {

using namespace gradproof::subject;

at::ScalarType type_of(aclDataType type) {
  switch (type) {
    case ACL_FLOAT16: return at::kHalf;
    case ACL_BF16: return at::kBFloat16;
    case ACL_DOUBLE: return at::kDouble;
    case ACL_COMPLEX64: return at::kComplexFloat;
    case ACL_COMPLEX128: return at::kComplexDouble;
    case ACL_INT32: return at::kInt;
    default: return at::kFloat;
  }
}

/// The same memory as an ATen tensor, without a batch dimension if the caller has none.
template <class T, int rank>
at::Tensor tensor(const View<T, rank>& view, bool batched = true) {
  void* const data = const_cast<void*>(static_cast<const void*>(view.data));
  const at::Tensor whole =
      at::from_blob(data, view.shape, view.strides, at::dtype(type_of(view.type)));
  return batched ? whole : whole.squeeze(0);
}

/// The indices as PyTorch needs them: INT64, in the same layout.
template <class T, int rank>
at::Tensor positions(const View<T, rank>& view, bool batched) {
  return tensor(view, batched).to(at::kLong);
}

void max_pool3d(const MaxPool3dWithArgmaxBackward<void>& c) {
  const c10::InferenceMode no_graph;
  at::Tensor result = tensor(c.grad_input, c.batched);
  ATEN_CALL(at::max_pool3d_with_indices_backward, result, tensor(c.grad_output, c.batched),
            at::empty_like(result), c.kernel_size, c.stride, c.padding, c.dilation, c.ceil_mode,
            positions(c.indices, c.batched));
}

void max_pool2d(const MaxPool2dWithMaskBackward<void>& c) {
  const c10::InferenceMode no_graph;
  at::Tensor result = tensor(c.grad_input, c.batched);
  ATEN_CALL(at::max_pool2d_with_indices_backward, result, tensor(c.grad_output, c.batched),
            at::empty_like(result), c.kernel_size, c.stride, c.padding, c.dilation, c.ceil_mode,
            positions(c.indices, c.batched));
}

void adaptive_max_pool3d(const AdaptiveMaxPool3dBackward<void>& c) {
  const c10::InferenceMode no_graph;
  at::Tensor result = tensor(c.grad_input, c.batched);
  ATEN_CALL(at::adaptive_max_pool3d_backward, result, tensor(c.grad_output, c.batched),
            at::empty_like(result), positions(c.indices, c.batched));
}

void upsample(const UpsampleBilinear2dBackward<void>& c) {
  const c10::InferenceMode no_graph;
  const auto scale = [](double s) { return s > 0 ? c10::optional<double>(s) : c10::nullopt; };
  const at::IntArrayRef size(&c.grad_out.shape[2], 2);
  at::Tensor result = tensor(c.out);
  ATEN_CALL(at::upsample_bilinear2d_backward, result, tensor(c.grad_out), size, c.out.shape,
            c.align_corners, scale(c.scale_h), scale(c.scale_w));
}

void replication_pad2d(const ReplicationPad2dBackward<void>& c) {
  const c10::InferenceMode no_graph;
  const std::array<std::int64_t, 4> padding = {c.left, c.right, c.top, c.bottom};
  at::Tensor result = tensor(c.grad_input, c.batched);
  ATEN_CALL(at::replication_pad2d_backward, result, tensor(c.grad_output, c.batched),
            at::empty_like(result), padding);
}

}  // namespace

GRADPROOF_KERNEL(max_pool3d_with_argmax_backward, max_pool3d)
GRADPROOF_KERNEL(max_pool2d_with_mask_backward, max_pool2d)
GRADPROOF_KERNEL(adaptive_max_pool3d_backward, adaptive_max_pool3d)
GRADPROOF_KERNEL(upsample_bilinear2d_backward, upsample)
GRADPROOF_KERNEL(replication_pad2d_backward, replication_pad2d)
GRADPROOF_POSITIONS
GRADPROOF_PROFILE("aten.json")
