// UpsampleBilinear2dBackwardV2 by gathering: a gradInput row is the weighted sum of the gradOutput
// rows that reach it, then each of its elements the weighted sum of the columns that reach it.
//
// The order of the additions is the one that all rows of the table share.
#include "opt/kernels/upsample_bilinear2d_backward.h"

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/planes.h"
#include "opt/kernels/simd/upsample_bilinear2d_backward.h"

namespace gradproof::kernels {
namespace {

using Geometry = UpsampleBackwardGeometry;
using Buffers = UpsampleBackwardBuffers;

struct Plan {
  Planes planes;
  RowTiling tiling;
  WorkspaceLayout layout;
  GatherArea h, w;
  WorkspaceLayout::Slots column_sums;  ///< per worker one gradOutput row
  WorkspaceLayout::Slots results;      ///< per worker one gradInput row, as float

  Plan(const Geometry& g, int threads)
      : planes(g.n, g.c, 1, g.grad_output, g.grad_input),
        tiling(tile_rows(planes.count() * g.in.h, work_per_row(g), threads)),
        h(layout, g.h),
        w(layout, g.w) {
    const auto lanes = static_cast<std::uint64_t>(planes.most_lanes());
    column_sums = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w),
                                    lanes * sizeof(float));
    results = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.in.w),
                                lanes * sizeof(float));
  }
  std::int64_t work_per_row(const Geometry& g) const {
    // Most gradOutput rows reach two gradInput rows.
    const std::int64_t rows = saturating_mul(2, g.out.h / g.in.h + 1);
    return saturating_mul(saturating_mul(planes.most_lanes(), rows),
                          saturating_add(g.out.w, g.in.w));
  }
};

void gather_columns(const BilinearGather& w, std::int64_t in, std::int64_t lanes, const float* sums,
                    float* results) {
  if (lanes == 1) {
    for (std::int64_t j = 0; j < in; ++j) {
      float sum = 0;
      for (std::int64_t e = w.begin[j]; e < w.begin[j + 1]; ++e) {
        sum += w.weight[e] * sums[w.position[e]];
      }
      results[j] = sum;
    }
    return;
  }
  for (std::int64_t j = 0; j < in; ++j) {
    float sum[Planes::kMostLanes] = {};
    for (std::int64_t e = w.begin[j]; e < w.begin[j + 1]; ++e) {
      const float* column = sums + w.position[e] * lanes;
      for (std::int64_t lane = 0; lane < lanes; ++lane) sum[lane] += w.weight[e] * column[lane];
    }
    for (std::int64_t lane = 0; lane < lanes; ++lane) results[j * lanes + lane] = sum[lane];
  }
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

template <class Scalar>
void run_as(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  const BilinearGather gather_h = plan.h.in(launch.workspace);
  const BilinearGather gather_w = plan.w.in(launch.workspace);
  parallel_tiles(2, 1, [&](std::int64_t axis, int) {
    if (axis == 0) {
      gather_h.fill(g.h);
    } else {
      gather_w.fill(g.w);
    }
  });
  parallel_rows(plan.tiling, [&](std::int64_t index, int slot) {
    const Planes::Plane plane = plan.planes[index / g.in.h];
    const std::int64_t h = index % g.in.h;
    const Row<Scalar> to =
        plan.planes.row(static_cast<Scalar*>(b.grad_input), g.grad_input, plane, h, g.in.w);
    const std::int64_t first = gather_h.begin[h], last = gather_h.begin[h + 1];
    if (first == last) return zero_row(to);
    float* sums = plan.column_sums.at<float>(launch.workspace, slot);
    for (std::int64_t e = first; e < last; ++e) {
      const Row<const Scalar> row =
          plan.planes.row(static_cast<const Scalar*>(b.grad_output), g.grad_output, plane,
                          gather_h.position[e], g.out.w);
      if (e == first) {
        load_row_scaled(sums, gather_h.weight[e], row);
      } else {
        add_row_scaled(sums, gather_h.weight[e], row);
      }
    }
    float* results = plan.results.at<float>(launch.workspace, slot);
    gather_columns(gather_w, g.in.w, plane.lanes, sums, results);
    store_row(to, results);
  });
}

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  visit_narrow(g.element, [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });
  return {};
}

constexpr UpsampleBackwardKernel kTable[] = {
    {"channels", bilinear_backward::channel_last, bilinear_backward::workspace_channels,
     bilinear_backward::run_channels},
    {"16 rows", bilinear_backward::worthwhile, bilinear_backward::workspace_rows,
     bilinear_backward::run_rows},
    // What is too small to fill vectors.
    {"rows then columns", [](const Geometry&) { return true; }, workspace, run},
};

}  // namespace

std::span<const UpsampleBackwardKernel> upsample_bilinear2d_backward() { return kTable; }

}  // namespace gradproof::kernels
