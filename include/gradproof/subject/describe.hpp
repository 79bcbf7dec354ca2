/// From the arguments of phase 1 to the plain structs; for the kit's own use.
#ifndef GRADPROOF_SUBJECT_DESCRIBE_HPP_
#define GRADPROOF_SUBJECT_DESCRIBE_HPP_

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/descriptors.h"
#include "gradproof/subject.h"
#include "gradproof/subject/calls.hpp"

namespace gradproof::subject::detail {

inline void demand(aclnnStatus status) {
  if (status != ACLNN_SUCCESS) throw std::runtime_error("a descriptor cannot be read");
}

inline std::vector<std::int64_t> taken(std::int64_t* numbers, std::uint64_t count) {
  std::vector<std::int64_t> copy(numbers, numbers + count);
  delete[] numbers;
  return copy;
}

inline std::vector<std::int64_t> values(const aclIntArray* array) {
  std::uint64_t count = 0;
  demand(aclGetIntArraySize(array, &count));
  std::vector<std::int64_t> numbers(count);
  demand(gradproof_int_array_values(array, numbers.data(), count));
  return numbers;
}

/// A number for each axis: one stands for all, none for the default.
template <int axes>
Dims<axes> spelled_out(const aclIntArray* array, const Dims<axes>& absent = {}) {
  const std::vector<std::int64_t> given = values(array);
  Dims<axes> all = absent;
  for (std::size_t i = 0; i < all.size() && !given.empty(); ++i)
    all[i] = given[given.size() > 1 ? i : 0];
  return all;
}

/// Shape, strides and type, with an N of 1 where there is none; data is known at the run.
template <class T, int rank>
View<T, rank> view(const aclTensor* tensor) {
  std::int64_t* numbers = nullptr;
  std::uint64_t count = 0;
  demand(aclGetViewShape(tensor, &numbers, &count));
  const std::vector<std::int64_t> shape = taken(numbers, count);
  demand(aclGetViewStrides(tensor, &numbers, &count));
  const std::vector<std::int64_t> strides = taken(numbers, count);
  demand(aclGetStorageShape(tensor, &numbers, &count));
  View<T, rank> view;
  view.storage = 1;
  for (const std::int64_t extent : taken(numbers, count)) view.storage *= extent;
  demand(aclGetDataType(tensor, &view.type));
  demand(aclGetViewOffset(tensor, &view.offset));
  const std::size_t missing = rank - shape.size();
  view.shape.fill(1);
  std::copy(shape.begin(), shape.end(), view.shape.begin() + missing);
  std::copy(strides.begin(), strides.end(), view.strides.begin() + missing);
  if (missing > 0) view.strides[0] = view.shape[1] * view.strides[1];
  return view;
}

inline bool has_rank(const aclTensor* tensor, std::uint64_t rank) {
  std::int64_t* numbers = nullptr;
  std::uint64_t count = 0;
  demand(aclGetViewShape(tensor, &numbers, &count));
  delete[] numbers;
  return count == rank;
}

template <int axes>
void describe_windows(Windows<axes>& windows, const aclTensor* tensor,
                      const aclIntArray* kernel_size, const aclIntArray* stride,
                      const aclIntArray* padding, const aclIntArray* dilation, bool ceil_mode) {
  windows.kernel_size = spelled_out<axes>(kernel_size);
  windows.stride = spelled_out<axes>(stride, windows.kernel_size);
  windows.padding = spelled_out<axes>(padding);
  windows.dilation = spelled_out<axes>(dilation);
  windows.ceil_mode = ceil_mode;
  windows.batched = has_rank(tensor, axes + 2);
}

/// Whether the product is one of those whose names begin so.
inline bool is_product(std::initializer_list<const char*> series) {
  const char* const name = aclrtGetSocName();
  return name != nullptr && std::any_of(series.begin(), series.end(), [&](const char* one) {
           return std::strncmp(name, one, std::strlen(one)) == 0;
         });
}

inline MaxPool3dWithArgmaxBackward<void> describe(
    MaxPool3dWithArgmaxBackward<void> call, const aclTensor* grad_output, const aclTensor*,
    const aclTensor* indices, const aclIntArray* kernel_size, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceil_mode,
    aclTensor* grad_input) {
  describe_windows<3>(call, grad_input, kernel_size, stride, padding, dilation, ceil_mode);
  call.grad_output = view<const void, 5>(grad_output);
  call.indices = view<const std::int32_t, 5>(indices);
  call.grad_input = view<void, 5>(grad_input);
  return call;
}

inline AdaptiveMaxPool3dBackward<void> describe(AdaptiveMaxPool3dBackward<void> call,
                                                const aclTensor* grad_output, const aclTensor*,
                                                const aclTensor* indices, aclTensor* grad_input) {
  call.batched = has_rank(grad_input, 5);
  call.grad_output = view<const void, 5>(grad_output);
  call.indices = view<const std::int32_t, 5>(indices);
  call.grad_input = view<void, 5>(grad_input);
  return call;
}

inline MaxPool2dWithMaskBackward<void> describe(
    MaxPool2dWithMaskBackward<void> call, const aclTensor* grad_output, const aclTensor*,
    const aclTensor* indices, const aclIntArray* kernel_size, const aclIntArray* stride,
    const aclIntArray* padding, const aclIntArray* dilation, bool ceil_mode,
    aclTensor* grad_input) {
  describe_windows<2>(call, grad_input, kernel_size, stride, padding, dilation, ceil_mode);
  call.grad_output = view<const void, 4>(grad_output);
  call.grad_input = view<void, 4>(grad_input);
  call.through_float16 =
      call.grad_input.type == ACL_FLOAT && !is_product({"Ascend910B", "Ascend910_93"});
  const View<const std::uint8_t, 4> given = view<const std::uint8_t, 4>(indices);
  const Dims<4>& pooled = call.grad_output.shape;
  call.mask.type = given.type;
  call.mask.offset = given.offset;
  call.mask.storage = given.storage;
  call.mask.shape = {pooled[0], (pooled[1] + 15) / 16, call.kernel_size[0] * call.kernel_size[1],
                     (pooled[2] * pooled[3] + 15) / 16 * 16 + 16, 2};
  call.mask.strides = contiguous(call.mask.shape);
  return call;
}

inline UpsampleBilinear2dBackward<void> describe(UpsampleBilinear2dBackward<void> call,
                                                 const aclTensor* grad_out, const aclIntArray*,
                                                 const aclIntArray*, bool align_corners,
                                                 double scale_h, double scale_w, aclTensor* out) {
  // A kernel cannot know the product; all else that makes a scale not count, it has to see itself.
  const bool scales = is_product({"Ascend910B", "Ascend910_93"});
  call.align_corners = align_corners;
  call.scale_h = scales ? scale_h : 0;
  call.scale_w = scales ? scale_w : 0;
  call.grad_out = view<const void, 4>(grad_out);
  call.out = view<void, 4>(out);
  aclFormat format = ACL_FORMAT_UNDEFINED;
  demand(aclGetFormat(out, &format));
  call.channels_last = format == ACL_FORMAT_NHWC;
  const auto channels_first = [](Dims<4>& d) { d = {d[0], d[3], d[1], d[2]}; };
  if (call.channels_last) {
    for (Dims<4>* d :
         {&call.grad_out.shape, &call.grad_out.strides, &call.out.shape, &call.out.strides})
      channels_first(*d);
  }
  return call;
}

inline ReplicationPad2dBackward<void> describe(ReplicationPad2dBackward<void> call,
                                               const aclTensor* grad_output, const aclTensor*,
                                               const aclIntArray* padding, aclTensor* grad_input) {
  const Dims<4> amounts = spelled_out<4>(padding);
  call.left = amounts[0];
  call.right = amounts[1];
  call.top = amounts[2];
  call.bottom = amounts[3];
  call.batched = has_rank(grad_input, 4);
  call.grad_output = view<const void, 4>(grad_output);
  call.grad_input = view<void, 4>(grad_input);
  return call;
}

}  // namespace gradproof::subject::detail

#endif
