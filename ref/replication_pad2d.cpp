// ReplicationPad2d: out[i, j] = self[clamp(i−top), clamp(j−left)].
#include <algorithm>

#include "ref/element.h"
#include "ref/row.h"

namespace gradproof::ref {

namespace {

using namespace parameters;

constexpr Parameter kParameters[] = {in("self", 0), ints("padding", 0), out("out", 1)};

Plane plane_of_result(const Task& task) {
  const Dense& source = task.inputs[slot(task.call.op, "self")];
  const std::vector<std::int64_t>& out_shape = tensor(task.call, "out").shape;
  const std::int64_t height = source.shape.end()[-2], width = source.shape.end()[-1];
  const std::int64_t out_height = out_shape.end()[-2], out_width = out_shape.end()[-1];
  const std::int64_t left = int_array(task.call, "padding").values[0];
  const std::int64_t top = int_array(task.call, "padding").values[2];
  const std::int64_t parts = components(source.dtype);
  const PlanePlace out = plane_of(out_shape, 2, task.plane);
  const std::vector<long double> self = load_plane(source, plane_of(source.shape, 2, task.plane));

  Plane plane{{}, out.first, 1};
  for (std::int64_t i = 0; i < out_height; ++i) {
    for (std::int64_t j = 0; j < out_width; ++j) {
      const std::int64_t h = std::clamp<std::int64_t>(i - top, 0, height - 1);
      const std::int64_t w = std::clamp<std::int64_t>(j - left, 0, width - 1);
      for (std::int64_t part = 0; part < parts; ++part) {
        plane.values.push_back(chosen(self[(h * width + w) * parts + part]));
      }
    }
  }
  return plane;
}

}  // namespace

constinit const OperatorRow rows::replication_pad2d = {
    .parameters = kParameters,
    .companion = Operator::replication_pad2d_backward,
    .rules = &kReplicationPadRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::exact,
    .plane_axes = 2,
};

}  // namespace gradproof::ref
