// MaxPool2dWithMask: the first maximum of every window, and a mask bit at its kernel position.
#include <algorithm>

#include "ref/element.h"
#include "ref/row.h"
#include "ref/types.h"
#include "ref/windows.h"

namespace gradproof::ref {

std::vector<std::byte> mask_plane(const Call& call, const Dense& self,
                                  std::span<const std::int64_t> pooled_shape, std::int64_t index,
                                  const Numerics& numerics) {
  const std::vector<WindowAxis> window = window_axes(call, 2);
  const WindowAxis &h = window[0], &w = window[1];
  const Ranges3 ranges = window_ranges(call, pooled_shape);
  const MaskLayout mask(call, pooled_shape);
  const std::int64_t width = pooled_shape.back();
  std::vector<std::byte> result(static_cast<std::size_t>(mask.group_bytes()));
  const std::int64_t samples = product(pooled_shape.first(pooled_shape.size() - 3));
  const std::int64_t n = index / mask.groups(), first = index % mask.groups() * 16;
  if (n >= samples) return result;
  for (std::int64_t c = first; c < std::min(first + 16, mask.channels); ++c) {
    const std::int64_t plane = n * mask.channels + c;
    const std::vector<long double> values = load_plane(self, plane_of(self.shape, 2, plane));
    const std::vector<std::int64_t> positions = argmax_plane(values, self.shape, ranges, numerics);
    for (std::int64_t p = 0; p < mask.outputs; ++p) {
      const std::int64_t kh = positions[p] / w.in - (p / width * h.stride - h.pad);
      const std::int64_t kw = positions[p] % w.in - (p % width * w.stride - w.pad);
      const std::int64_t at = mask.byte(plane, kh * w.kernel + kw, p) - index * mask.group_bytes();
      result[at] |= std::byte{1} << mask.bit(plane);
    }
  }
  return result;
}

namespace {

Plane plane_of_result(const Task& task) {
  const std::vector<std::int64_t>& pooled = tensor(task.call, "out").shape;
  if (task.output_slot == slot(task.call.op, "out")) {
    return select_by_index(task, window_ranges(task.call, pooled));
  }
  const Dense& self = task.inputs[slot(task.call.op, "self")];
  const std::vector<std::byte> mask =
      mask_plane(task.call, self, pooled, task.plane, task.numerics);
  Plane plane{{}, task.plane * static_cast<std::int64_t>(mask.size()), 1};
  plane.values.reserve(mask.size());
  for (std::byte b : mask) plane.values.push_back(chosen(static_cast<std::int8_t>(b)));
  return plane;
}

}  // namespace

constinit const OperatorRow rows::max_pool2d_with_mask = {
    .parameters = parameters::kWindowPool,
    .companion = Operator::max_pool2d_with_mask_backward,
    .rules = &kMaxPool2dRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::exact,
    .plane_axes = 2,
    .windows = window_ranges,
};

}  // namespace gradproof::ref
