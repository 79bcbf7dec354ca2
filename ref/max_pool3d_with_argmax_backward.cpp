// MaxPool3dWithArgmaxBackward: gradInput[n,c].flat[indices[o]] += gradOutput[n,c].flat[o].
#include <optional>

#include "ref/element.h"
#include "ref/row.h"
#include "ref/types.h"

namespace gradproof::ref {

namespace {

/// Whether a position of the input plane lies in the window of an output position.
class Windows {
 public:
  Windows(const Call& call, std::span<const std::int64_t> pooled)
      : ranges_(row_of(call.op).windows(call, pooled)),
        self_(tensor(call, "self").shape),
        pooled_(pooled) {}

  bool holds(std::int64_t at, std::int64_t o) const {
    for (std::size_t axis = 3; axis-- > 0;) {
      const std::int64_t in = self_.end()[static_cast<std::ptrdiff_t>(axis) - 3],
                         out = pooled_.end()[static_cast<std::ptrdiff_t>(axis) - 3];
      const Range& range = ranges_[axis][static_cast<std::size_t>(o % out)];
      if (at % in < range.from || at % in >= range.to) return false;
      if ((at % in - range.from) % range.step != 0) return false;
      at /= in;
      o /= out;
    }
    return true;
  }

 private:
  Ranges3 ranges_;
  std::span<const std::int64_t> self_, pooled_;
};

}  // namespace

Plane scatter_by_index(const Task& task) {
  const Dense& gradient = task.inputs[slot(task.call.op, "gradOutput")];
  const Dense& indices = task.inputs[slot(task.call.op, "indices")];
  const PlanePlace out = plane_of(gradient.shape, 3, task.plane);
  const PlanePlace in = plane_of(tensor(task.call, "self").shape, 3, task.plane);
  const std::vector<long double> g = load_plane(gradient, out);
  const std::vector<long double> index = load_plane(indices, out);

  Plane plane{std::vector<Exact>(in.count), in.first, 1};
  std::optional<Windows> windows;
  if (task.numerics.drops_out_of_window) windows.emplace(task.call, gradient.shape);
  for (std::int64_t o = 0; o < out.count; ++o) {
    const auto at = static_cast<std::int64_t>(index[o]);
    if (at < 0 || at >= in.count) continue;  // has_bad_index
    if (windows && !windows->holds(at, o)) continue;
    add(plane.values[at], g[o]);
  }
  return plane;
}

constinit const OperatorRow rows::max_pool3d_with_argmax_backward = {
    .parameters = parameters::kWindowPoolBackward,
    .backward = true,
    .companion = Operator::max_pool3d_with_argmax,
    .rules = &kMaxPool3dRules,
    .plane = scatter_by_index,
    .arithmetic = Arithmetic::sum,
    .plane_axes = 3,
    .windows = window_ranges,
};

}  // namespace gradproof::ref
