// AdaptiveMaxPool3d: window l of m over extent n is [⌊l·n/m⌋, ⌈(l+1)·n/m⌉).
#include "ref/row.h"

namespace gradproof::ref {

Ranges3 adaptive_ranges(const Call& call, std::span<const std::int64_t> pooled_shape) {
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  Ranges3 ranges;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t n = self[self.size() - 3 + a], m = pooled_shape[pooled_shape.size() - 3 + a];
    for (std::int64_t l = 0; l < m; ++l)
      ranges[a].push_back({l * n / m, ((l + 1) * n + m - 1) / m});
  }
  return ranges;
}

namespace {

using namespace parameters;

constexpr Parameter kParameters[] = {in("self", 0), ints("outputSize", 0), out("outputOut", 1),
                                     out("indicesOut", 2)};

Plane plane_of_result(const Task& task) {
  return select_by_index(task, adaptive_ranges(task.call, tensor(task.call, "outputOut").shape));
}

}  // namespace

constinit const OperatorRow rows::adaptive_max_pool3d = {
    .parameters = kParameters,
    .companion = Operator::adaptive_max_pool3d_backward,
    .rules = &kAdaptivePoolRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::exact,
    .plane_axes = 3,
    .windows = adaptive_ranges,
};

}  // namespace gradproof::ref
