// MaxPool3dWithArgmaxBackward: gradInput[n,c].flat[indices[o]] += gradOutput[n,c].flat[o].
#include "ref/element.h"
#include "ref/operators.h"
#include "ref/types.h"

namespace gradproof::ref {

Plane scatter_by_index(const Task& task) {
  const Dense& gradient = task.inputs[slot(task.call.op, "gradOutput")];
  const Dense& indices = task.inputs[slot(task.call.op, "indices")];
  const PlanePlace out = plane_of(gradient.shape, 3, task.plane);
  const PlanePlace in = plane_of(tensor(task.call, "self").shape, 3, task.plane);
  const std::vector<long double> g = load_plane(gradient, out);
  const std::vector<long double> index = load_plane(indices, out);

  Plane plane{std::vector<Exact>(in.count), in.first, 1};
  for (std::int64_t o = 0; o < out.count; ++o) {
    const auto at = static_cast<std::int64_t>(index[o]);
    if (at >= 0 && at < in.count) add(plane.values[at], g[o]);  // others: has_bad_index
  }
  return plane;
}

Plane max_pool3d_with_argmax_backward(const Task& task) { return scatter_by_index(task); }

}  // namespace gradproof::ref
