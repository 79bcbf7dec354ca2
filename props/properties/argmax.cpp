// Argmax: the position that a pool's forward reports lies in its window and holds the value that
// the forward returns. Which of several equal maxima it is, equivalence says.
#include <algorithm>
#include <cmath>

#include "props/cases/data.h"
#include "props/cases/shapes.h"
#include "props/properties/positions.h"

namespace gradproof::props {
namespace {

/// Whether position x of an axis lies in the window of output position o.
bool inside(const std::vector<Window>& axes, std::size_t axis, std::int64_t in, std::int64_t out,
            std::int64_t o, std::int64_t x) {
  if (axes.empty()) return x >= o * in / out && x < ((o + 1) * in + out - 1) / out;
  const std::int64_t start = o * axes[axis].stride - axes[axis].pad;
  return x >= start && x - start < axes[axis].kernel && x < in;
}

}  // namespace

bool argmax_applies(const Case& c) {
  return indices_slot(c.call.op) >= 0 && !ref::is_backward(c.call.op) && has_result(c);
}

Verdict check_argmax(const Case& c, Bench& bench) {
  const ref::Call& call = c.call;
  const Problem problem{c, make_data(c)};
  const Run run = perform(problem, bench);
  if (!run.verdict.held) return run.verdict;
  const std::vector<std::int64_t>&in = call.tensors[data_slot(call.op)].shape,
        &out = call.tensors[result_slot(call.op)].shape;
  const std::vector<long double> self = values_of(problem.data[data_slot(call.op)]);
  const std::vector<long double> maxima =
      values_of(run.outputs[static_cast<std::size_t>(result_slot(call.op))]);
  if (maxima.empty()) return {};
  const std::vector<std::int64_t> at =
      positions(call, run.outputs[static_cast<std::size_t>(indices_slot(call.op))]);
  const std::int64_t plane = plane_elements(call, data_slot(call.op)),
                     pooled = plane_elements(call, result_slot(call.op));
  const std::vector<Window> axes = has_windows(call.op) ? windows(call) : std::vector<Window>{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::string place =
        "window " + std::to_string(i) + " has its maximum at position " + std::to_string(at[i]);
    if (at[i] < 0 || at[i] >= plane)
      return Verdict::violated("position",
                               place + ", outside the plane (or its mask has not one bit)");
    std::int64_t o = static_cast<std::int64_t>(i) % pooled, x = at[i];
    for (std::size_t axis = static_cast<std::size_t>(spatial_axes(call.op)); axis-- > 0;) {
      const std::size_t dim = first_spatial(call) + axis;
      if (!inside(axes, axis, in[dim], out[dim], o % out[dim], x % in[dim]))
        return Verdict::violated("position", place + ", outside the window");
      o /= out[dim];
      x /= in[dim];
    }
    const long double held =
        self[static_cast<std::size_t>(static_cast<std::int64_t>(i) / pooled * plane + at[i])];
    if (held == maxima[i] || (std::isnan(held) && std::isnan(maxima[i]))) continue;
    return Verdict::violated("position",
                             place + ", which does not hold the value that is returned");
  }
  return {};
}

}  // namespace gradproof::props
