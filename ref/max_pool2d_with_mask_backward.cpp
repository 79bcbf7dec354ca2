// MaxPool2dWithMaskBackward: every mask bit set for an output position adds its gradient to the
// kernel position that the bit stands for.
#include "ref/element.h"
#include "ref/row.h"
#include "ref/types.h"
#include "ref/windows.h"

namespace gradproof::ref {

MaskLayout::MaskLayout(const Call& call, std::span<const std::int64_t> pooled_shape)
    : channels(pooled_shape[pooled_shape.size() - 3]),
      kernel_h(spread(int_array(call, "kernelSize"), 0)),
      kernel_w(spread(int_array(call, "kernelSize"), 1)),
      outputs(product(pooled_shape.last(2))),
      positions((outputs + 15) / 16 * 16 + 16) {}

namespace {

Plane plane_of_result(const Task& task) {
  const Dense& gradient = task.inputs[slot(task.call.op, "gradOutput")];
  const std::vector<std::byte>& mask_bytes = task.inputs[slot(task.call.op, "indices")].bytes;
  const std::vector<WindowAxis> window = window_axes(task.call, 2);
  const WindowAxis &h = window[0], &w = window[1];
  const PlanePlace in = plane_of(tensor(task.call, "self").shape, 2, task.plane);
  const MaskLayout mask(task.call, gradient.shape);
  const std::int64_t width = gradient.shape.back();

  std::vector<long double> g = load_plane(gradient, plane_of(gradient.shape, 2, task.plane));
  if (row_of(task.call.op).through_float16 == task.call.product && gradient.dtype == kFloat) {
    for (long double& term : g) term = round_to(kFloat16, term);
  }
  Plane plane{std::vector<Exact>(in.count), in.first, 1};
  for (std::int64_t kh = 0; kh < h.kernel; ++kh) {
    for (std::int64_t kw = 0; kw < w.kernel; ++kw) {
      for (std::int64_t p = 0; p < mask.outputs; ++p) {
        const std::byte bits = mask_bytes[mask.byte(task.plane, kh * w.kernel + kw, p)];
        if ((bits >> mask.bit(task.plane) & std::byte{1}) == std::byte{0}) continue;
        const std::int64_t ih = p / width * h.stride - h.pad + kh;
        const std::int64_t iw = p % width * w.stride - w.pad + kw;
        if (ih < 0 || ih >= h.in || iw < 0 || iw >= w.in) continue;  // the bit points into padding
        add(plane.values[ih * w.in + iw], g[p]);
      }
    }
  }
  return plane;
}

}  // namespace

constinit const OperatorRow rows::max_pool2d_with_mask_backward = {
    .parameters = parameters::kWindowPoolBackward,
    .backward = true,
    .companion = Operator::max_pool2d_with_mask,
    .rules = &kMaxPool2dRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::sum,
    .plane_axes = 2,
    .windows = window_ranges,
    .through_float16 = Product::Ascend910,
};

}  // namespace gradproof::ref
