// MaxPool3dWithArgmax: the first maximum of every window, and its flat position in the plane.
#include <algorithm>
#include <cmath>

#include "ref/row.h"
#include "ref/windows.h"

namespace gradproof::ref {

Ranges3 window_ranges(const Call& call, std::span<const std::int64_t> pooled_shape) {
  const std::size_t axes = row_of(call.op).plane_axes;
  Ranges3 ranges;
  ranges[0] = {{0, 1}};
  const std::vector<WindowAxis> windows = window_axes(call, axes);
  for (std::size_t a = 0; a < axes; ++a) {
    const WindowAxis& w = windows[a];
    std::vector<Range>& axis = ranges[3 - axes + a];
    axis.clear();
    for (std::int64_t o = 0; o < pooled_shape[pooled_shape.size() - axes + a]; ++o) {
      const std::int64_t start = o * w.stride - w.pad;
      // Wide, as kernel and dilation may be far larger than the axis.
      const Wide dilation = w.dilation;
      const Wide inside =
          start >= 0 ? start : start + (-start + dilation - 1) / dilation * dilation;
      const Wide end = start + dilation * (w.kernel - 1) + 1;
      // A large dilation, which the documents forbid, may skip all positions: the last one is used.
      axis.push_back({static_cast<std::int64_t>(std::min<Wide>(inside, w.in - 1)),
                      static_cast<std::int64_t>(std::min<Wide>(end, w.in)),
                      std::min(w.dilation, w.in)});
    }
  }
  return ranges;
}

std::vector<std::int64_t> argmax_plane(std::span<const long double> plane,
                                       std::span<const std::int64_t> self_shape,
                                       const Ranges3& ranges, const Numerics& numerics) {
  const bool last_tie = numerics.ties == Winner::last, last_nan = numerics.nans == Winner::last;
  const std::int64_t height = self_shape.end()[-2], width = self_shape.end()[-1];
  std::vector<std::int64_t> positions;
  for (const Range& rd : ranges[0]) {
    for (const Range& rh : ranges[1]) {
      for (const Range& rw : ranges[2]) {
        std::int64_t best = (rd.from * height + rh.from) * width + rw.from;
        for (std::int64_t d = rd.from; d < rd.to; d += rd.step) {
          for (std::int64_t h = rh.from; h < rh.to; h += rh.step) {
            for (std::int64_t w = rw.from; w < rw.to; w += rw.step) {
              const std::int64_t at = (d * height + h) * width + w;
              if (std::isnan(plane[at])) {
                if (last_nan || !std::isnan(plane[best])) best = at;
              } else if (plane[at] > plane[best] || (last_tie && plane[at] == plane[best])) {
                best = at;  // not where the best is a NaN: it compares false
              }
            }
          }
        }
        positions.push_back(best);
      }
    }
  }
  return positions;
}

Plane select_by_index(const Task& task, const Ranges3& ranges) {
  const Dense& source = task.inputs[slot(task.call.op, "self")];
  const std::size_t axes = row_of(task.call.op).plane_axes;
  const std::vector<long double> self =
      load_plane(source, plane_of(source.shape, axes, task.plane));
  const PlanePlace out = plane_of(task.call.tensors[task.output_slot].shape, axes, task.plane);
  const bool wants_values = task.output_slot == 1;  // out, indices follow self
  Plane plane{{}, out.first, 1};
  for (std::int64_t at : argmax_plane(self, source.shape, ranges, task.numerics)) {
    plane.values.push_back(chosen(wants_values ? self[at] : static_cast<long double>(at)));
  }
  return plane;
}

namespace {

Plane plane_of_result(const Task& task) {
  return select_by_index(task, window_ranges(task.call, tensor(task.call, "out").shape));
}

}  // namespace

constinit const OperatorRow rows::max_pool3d_with_argmax = {
    .parameters = parameters::kWindowPool,
    .companion = Operator::max_pool3d_with_argmax_backward,
    .rules = &kMaxPool3dRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::exact,
    .plane_axes = 3,
    .windows = window_ranges,
};

}  // namespace gradproof::ref
