// Writes a configuration down as a call of the API.
#include <algorithm>

#include "bench/configuration.h"
#include "props/cases/case.h"
#include "ref/types.h"
#include "ref/windows.h"

namespace gradproof::bench {
namespace {

using Extents = std::vector<std::int64_t>;

constexpr std::int64_t kRowGap = 8;

Extents strides_of(const Extents& shape, Layout layout) {
  const std::size_t rank = shape.size();
  Extents padded = shape;
  switch (layout) {
    case Layout::contiguous:
    case Layout::mixed: break;
    case Layout::row_gaps: padded.back() += kRowGap; break;
    case Layout::gaps: padded.back() *= 2; break;
    case Layout::channels_last: {
      Extents strides(rank);
      std::int64_t next = shape[1];
      strides[1] = 1;
      for (std::size_t axis = rank; axis-- > 2; next *= shape[axis]) strides[axis] = next;
      strides[0] = next;
      return strides;
    }
  }
  Extents strides = ref::contiguous_strides(padded);
  if (layout == Layout::gaps) strides.back() = 2;
  return strides;
}

ref::Tensor make_tensor(std::int32_t type, std::int32_t format, const Extents& shape,
                        Layout layout = Layout::contiguous) {
  ref::Tensor tensor;
  tensor.dtype = type;
  tensor.format = format;
  tensor.shape = shape;
  tensor.strides = strides_of(shape, layout);
  tensor.storage = props::default_storage(tensor);
  return tensor;
}

Layout of_read(Layout layout) { return layout == Layout::mixed ? Layout::channels_last : layout; }

Extents with_plane(const Extents& input, const Extents& plane) {
  Extents shape(input.begin(), input.begin() + 2);
  shape.insert(shape.end(), plane.begin(), plane.end());
  return shape;
}

Extents channel_to_end(Extents shape) {
  std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  return shape;
}

void window_arrays(ref::Call& call, const Configuration& c) {
  ref::int_array(call, "kernelSize").values = c.kernel;
  ref::int_array(call, "stride").values = c.stride;
  ref::int_array(call, "padding").values = c.padding;
  ref::int_array(call, "dilation").values = {1};
}

void pool(ref::Call& call, const Configuration& c, std::int32_t type) {
  const bool adaptive = c.op == ref::Operator::adaptive_max_pool3d_backward;
  const bool mask = c.op == ref::Operator::max_pool2d_with_mask_backward;
  const std::int32_t format = mask ? ref::kNchw : ref::kNcdhw;
  ref::tensor(call, "self") = make_tensor(type, format, c.input, c.layout);
  ref::tensor(call, "gradInput") = make_tensor(type, format, c.input, c.layout);
  Extents plane = c.output;
  if (!adaptive) {
    window_arrays(call, c);
    plane.clear();
    for (const ref::WindowAxis& axis : ref::window_axes(call, c.input.size() - 2))
      plane.push_back(static_cast<std::int64_t>(ref::pooled_extent(axis, false)));
  }
  const Extents pooled = with_plane(c.input, plane);
  const Layout read = of_read(c.layout);
  ref::tensor(call, "gradOutput") = make_tensor(type, format, pooled, read);
  if (!mask) {
    ref::tensor(call, "indices") = make_tensor(ref::kInt32, format, pooled, read);
    return;
  }
  const std::vector<ref::WindowAxis> axes = ref::window_axes(call, 2);
  const std::int64_t bytes = ((plane[0] * plane[1] + 15) / 16 + 1) * 32;
  ref::tensor(call, "indices") = make_tensor(
      ref::kInt8, format, {c.input[0], c.input[1], axes[0].kernel * axes[1].kernel, bytes});
}

void upsample(ref::Call& call, const Configuration& c, std::int32_t type) {
  const bool last = c.layout == Layout::channels_last;  // the operator has a format for it
  const Layout layout = last ? Layout::contiguous : c.layout;
  const std::int32_t format = last ? ref::kNhwc : ref::kNchw;
  const Extents large = with_plane(c.input, c.output);
  const Extents input = last ? channel_to_end(c.input) : c.input;
  ref::tensor(call, "gradOut") =
      make_tensor(type, format, last ? channel_to_end(large) : large, layout);
  ref::tensor(call, "out") = make_tensor(type, format, input, layout);
  ref::int_array(call, "outputSize").values = c.output;
  ref::int_array(call, "inputSize").values = input;
  call.flags[0] = c.align_corners;
}

void pad(ref::Call& call, const Configuration& c, std::int32_t type) {
  const Extents plane = {c.input[2] + c.padding[2] + c.padding[3],
                         c.input[3] + c.padding[0] + c.padding[1]};
  ref::tensor(call, "gradOutput") =
      make_tensor(type, ref::kNchw, with_plane(c.input, plane), of_read(c.layout));
  ref::tensor(call, "self") = make_tensor(type, ref::kNchw, c.input, c.layout);
  ref::tensor(call, "gradInput") = make_tensor(type, ref::kNchw, c.input, c.layout);
  ref::int_array(call, "padding").values = c.padding;
}

}  // namespace

ref::Call make_call(const Configuration& c, std::int32_t type) {
  ref::Call call = props::blank_case(c.op).call;
  if (c.op == ref::Operator::upsample_bilinear2d_backward)
    upsample(call, c, type);
  else if (c.op == ref::Operator::replication_pad2d_backward)
    pad(call, c, type);
  else
    pool(call, c, type);
  return call;
}

}  // namespace gradproof::bench
