// ReplicationPad2dBackward: gradInput[clamp(i−top), clamp(j−left)] += gradOutput[i, j].
#include <algorithm>

#include "ref/element.h"
#include "ref/row.h"

namespace gradproof::ref {

namespace {

using namespace parameters;

constexpr Parameter kParameters[] = {in("gradOutput", 0), described("self", 1), ints("padding", 0),
                                     out("gradInput", 2)};

Plane plane_of_result(const Task& task) {
  const Dense& gradient = task.inputs[slot(task.call.op, "gradOutput")];
  const std::vector<std::int64_t>& self = tensor(task.call, "self").shape;
  const std::int64_t height = self.end()[-2], width = self.end()[-1];
  const std::int64_t out_height = gradient.shape.end()[-2], out_width = gradient.shape.end()[-1];
  const std::int64_t left = int_array(task.call, "padding").values[0];
  const std::int64_t top = int_array(task.call, "padding").values[2];
  const std::int64_t parts = components(gradient.dtype);
  const PlanePlace in = plane_of(self, 2, task.plane);
  const std::vector<long double> g = load_plane(gradient, plane_of(gradient.shape, 2, task.plane));

  Plane plane{std::vector<Exact>(in.count * parts), in.first, 1};
  for (std::int64_t i = 0; i < out_height; ++i) {
    for (std::int64_t j = 0; j < out_width; ++j) {
      const std::int64_t h = std::clamp<std::int64_t>(i - top, 0, height - 1);
      const std::int64_t w = std::clamp<std::int64_t>(j - left, 0, width - 1);
      for (std::int64_t part = 0; part < parts; ++part) {
        add(plane.values[(h * width + w) * parts + part], g[(i * out_width + j) * parts + part]);
      }
    }
  }
  return plane;
}

}  // namespace

constinit const OperatorRow rows::replication_pad2d_backward = {
    .parameters = kParameters,
    .backward = true,
    .companion = Operator::replication_pad2d,
    .rules = &kReplicationPadRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::sum,
    .plane_axes = 2,
};

}  // namespace gradproof::ref
