// The structs of the subject kit over a case's memory.
#include "props/testing/memory.h"
#include "ref/element.h"
#include "ref/exact.h"
#include "ref/scales.h"
#include "ref/types.h"

namespace gradproof::testing::detail {
namespace {

using subject::Dims;
using subject::View;

template <class T, int rank>
View<T, rank> view(Memory& memory, const char* name) {
  const ref::Call& call = memory.of().own().call;
  const ref::Tensor& tensor = ref::tensor(call, name);
  const ref::Tensor from = canonical_view(call.op, tensor);
  View<T, rank> view;
  std::copy(from.shape.begin(), from.shape.end(), view.shape.begin());
  std::copy(from.strides.begin(), from.strides.end(), view.strides.begin());
  view.type = static_cast<aclDataType>(tensor.dtype);
  view.offset = tensor.offset;
  view.storage = 1;
  for (const std::int64_t extent : tensor.storage) view.storage *= extent;
  view.data = reinterpret_cast<T*>(static_cast<char*>(memory.at(ref::slot(call.op, name))) +
                                   tensor.offset * ref::dtype_size(tensor.dtype));
  return view;
}

/// A number for each axis: one stands for all, none for the default.
template <int axes>
Dims<axes> spelled_out(const ref::Call& call, const char* name, const Dims<axes>& absent = {}) {
  const std::vector<std::int64_t>& given = ref::int_array(call, name).values;
  Dims<axes> all = absent;
  for (std::size_t i = 0; i < all.size() && !given.empty(); ++i)
    all[i] = given[given.size() > 1 ? i : 0];
  return all;
}

template <int axes>
void set_windows(subject::Windows<axes>& windows, const ref::Call& call) {
  windows.kernel_size = spelled_out<axes>(call, "kernelSize");
  windows.stride = spelled_out<axes>(call, "stride", windows.kernel_size);
  windows.padding = spelled_out<axes>(call, "padding");
  windows.dilation = spelled_out<axes>(call, "dilation");
  windows.ceil_mode = call.flags[0] != 0;
}

bool is_batched(const ref::Call& call) {
  return call.tensors[static_cast<std::size_t>(result_slot(call.op))].shape.size() ==
         full_rank(call.op);
}

}  // namespace

std::shared_ptr<Memory> lay_out(const Case& c, subject::MaxPool3dWithArgmaxBackward<void>& call) {
  auto memory = std::make_shared<Memory>(c);
  set_windows(call, c.own().call);
  call.batched = is_batched(c.own().call);
  call.grad_output = view<const void, 5>(*memory, "gradOutput");
  call.indices = view<const std::int32_t, 5>(*memory, "indices");
  call.grad_input = view<void, 5>(*memory, "gradInput");
  return memory;
}

std::shared_ptr<Memory> lay_out(const Case& c, subject::AdaptiveMaxPool3dBackward<void>& call) {
  auto memory = std::make_shared<Memory>(c);
  call.batched = is_batched(c.own().call);
  call.grad_output = view<const void, 5>(*memory, "gradOutput");
  call.indices = view<const std::int32_t, 5>(*memory, "indices");
  call.grad_input = view<void, 5>(*memory, "gradInput");
  return memory;
}

std::shared_ptr<Memory> lay_out(const Case& c, subject::MaxPool2dWithMaskBackward<void>& call) {
  auto memory = std::make_shared<Memory>(c);
  set_windows(call, c.own().call);
  call.batched = is_batched(c.own().call);
  call.grad_output = view<const void, 4>(*memory, "gradOutput");
  call.grad_input = view<void, 4>(*memory, "gradInput");
  const Canonical& canonical = memory->canonical();
  const ref::Evaluation evaluation(canonical.call, canonical.data);
  call.through_float16 = call.grad_input.type == ACL_FLOAT &&
                         evaluation.result_type(canonical.result) == ref::kFloat16;
  // The same bytes in the order of docs/contract.md.
  const View<const std::uint8_t, 4> given = view<const std::uint8_t, 4>(*memory, "indices");
  const Dims<4>& pooled = call.grad_output.shape;
  call.mask.data = given.data;
  call.mask.type = given.type;
  call.mask.offset = given.offset;
  call.mask.storage = given.storage;
  call.mask.shape = {pooled[0], (pooled[1] + 15) / 16, call.kernel_size[0] * call.kernel_size[1],
                     (pooled[2] * pooled[3] + 15) / 16 * 16 + 16, 2};
  call.mask.strides = subject::contiguous(call.mask.shape);
  return memory;
}

std::shared_ptr<Memory> lay_out(const Case& c, subject::UpsampleBilinear2dBackward<void>& call) {
  auto memory = std::make_shared<Memory>(c);
  const ref::Call& own = c.own().call;
  call.align_corners = own.flags[0] != 0;
  const bool scales = ref::uses_scales(own.product);
  call.scale_h = scales ? own.reals[0] : 0;
  call.scale_w = scales ? own.reals[1] : 0;
  call.channels_last = ref::tensor(own, "out").format == ref::kNhwc;
  call.grad_out = view<const void, 4>(*memory, "gradOut");
  call.out = view<void, 4>(*memory, "out");
  return memory;
}

std::shared_ptr<Memory> lay_out(const Case& c, subject::ReplicationPad2dBackward<void>& call) {
  auto memory = std::make_shared<Memory>(c);
  const std::vector<std::int64_t>& padding = ref::int_array(c.own().call, "padding").values;
  call.left = padding[0];
  call.right = padding[1];
  call.top = padding[2];
  call.bottom = padding[3];
  call.batched = is_batched(c.own().call);
  call.grad_output = view<const void, 4>(*memory, "gradOutput");
  call.grad_input = view<void, 4>(*memory, "gradInput");
  return memory;
}

}  // namespace gradproof::testing::detail
