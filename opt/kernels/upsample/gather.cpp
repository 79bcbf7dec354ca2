// Planning of gather.h, and the code of one gradInput row.
#include "opt/kernels/upsample/gather.h"

#include "opt/base/checked.h"

namespace gradproof::kernels::upsample::gather {
namespace {

using Geometry = UpsampleBackwardGeometry;
using Buffers = UpsampleBackwardBuffers;

void gather_columns(const BilinearGather& w, const BilinearAxis& axis, std::int64_t lanes,
                    const float* sums, float* results) {
  if (lanes == 1) {
    for (std::int64_t j = 0; j < axis.in; ++j) {
      float sum = 0;
      const auto [first, last] = w.entries(j, axis);
      for (std::int64_t e = first; e < last; ++e) sum += w.weight[e] * sums[w.reaching(e, axis)];
      results[j] = sum;
    }
    return;
  }
  for (std::int64_t j = 0; j < axis.in; ++j) {
    float sum[Planes::kMostLanes] = {};
    const auto [first, last] = w.entries(j, axis);
    for (std::int64_t e = first; e < last; ++e) {
      const float* column = sums + w.reaching(e, axis) * lanes;
      for (std::int64_t lane = 0; lane < lanes; ++lane) sum[lane] += w.weight[e] * column[lane];
    }
    for (std::int64_t lane = 0; lane < lanes; ++lane) results[j * lanes + lane] = sum[lane];
  }
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : UpsampleBackwardPlan(geometry, on),
      planes(g.n, g.c, 1, g.grad_output, g.grad_input),
      tiling(tile_rows(planes.count() * g.in.h, work_per_row(), on)),
      h(layout, g.h),
      w(layout, g.w) {
  const auto lanes = static_cast<std::uint64_t>(planes.most_lanes());
  column_sums =
      layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w), lanes * sizeof(float));
  results =
      layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.in.w), lanes * sizeof(float));
}

std::int64_t Plan::work_per_row() const {
  // Most gradOutput rows reach two gradInput rows.
  const std::int64_t rows = saturating_mul(2, g.out.h / g.in.h + 1);
  return saturating_mul(saturating_mul(planes.most_lanes(), rows), saturating_add(g.out.w, g.in.w));
}

template <class Scalar>
void Plan::run_as(const Buffers& b, std::byte* workspace) const {
  const BilinearGather gather_h = h.in(workspace);
  const BilinearGather gather_w = w.in(workspace);
  parallel_tiles(2, 1, [&](std::int64_t axis, int) {
    if (axis == 0) {
      gather_h.fill(g.h);
    } else {
      gather_w.fill(g.w);
    }
  });
  parallel_rows(tiling, [&](std::int64_t index, int slot) {
    const Planes::Plane plane = planes[index / g.in.h];
    const std::int64_t row_in = index % g.in.h;
    const Row<Scalar> to =
        planes.row(static_cast<Scalar*>(b.grad_input), g.grad_input, plane, row_in, g.in.w);
    const auto [first, last] = gather_h.entries(row_in, g.h);
    if (first == last) return zero_row(to);
    float* sums = column_sums.at<float>(workspace, slot);
    for (std::int64_t e = first; e < last; ++e) {
      const Row<const Scalar> row =
          planes.row(static_cast<const Scalar*>(b.grad_output), g.grad_output, plane,
                     gather_h.reaching(e, g.h), g.out.w);
      if (e == first) {
        load_row_scaled(sums, gather_h.weight[e], row);
      } else {
        add_row_scaled(sums, gather_h.weight[e], row);
      }
    }
    float* rounded = results.at<float>(workspace, slot);
    gather_columns(gather_w, g.w, plane.lanes, sums, rounded);
    store_row(to, rounded);
  });
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  visit_narrow(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });
  return {};
}

}  // namespace gradproof::kernels::upsample::gather
