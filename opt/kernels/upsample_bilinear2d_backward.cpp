// UpsampleBilinear2dBackwardV2 by gathering: a gradInput row is the weighted sum of the gradOutput
// rows that reach it, then each of its elements the weighted sum of the columns that reach it.
//
// The order of the additions is the one that all kernels of the table share.
#include "opt/kernels/upsample_bilinear2d_backward.h"

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/planes.h"
#include "opt/kernels/simd/upsample_bilinear2d_backward.h"

namespace gradproof::kernels {
namespace {

using Geometry = UpsampleBackwardGeometry;
using Buffers = UpsampleBackwardBuffers;

struct RowsPlan final : UpsampleBackwardPlan {
  Planes planes;
  RowTiling tiling;
  GatherArea h, w;
  WorkspaceLayout::Slots column_sums;  ///< per worker one gradOutput row
  WorkspaceLayout::Slots results;      ///< per worker one gradInput row, as float

  RowsPlan(const Geometry& geometry, const Machine& on)
      : UpsampleBackwardPlan(geometry, on),
        planes(g.n, g.c, 1, g.grad_output, g.grad_input),
        tiling(tile_rows(planes.count() * g.in.h, work_per_row(), on.threads)),
        h(layout, g.h),
        w(layout, g.w) {
    const auto lanes = static_cast<std::uint64_t>(planes.most_lanes());
    column_sums = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w),
                                    lanes * sizeof(float));
    results = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.in.w),
                                lanes * sizeof(float));
  }
  Outcome run(const Buffers& b, std::byte* workspace) const override;

 private:
  std::int64_t work_per_row() const {
    // Most gradOutput rows reach two gradInput rows.
    const std::int64_t rows = saturating_mul(2, g.out.h / g.in.h + 1);
    return saturating_mul(saturating_mul(planes.most_lanes(), rows),
                          saturating_add(g.out.w, g.in.w));
  }
  template <class Scalar>
  void run_as(const Buffers& b, std::byte* workspace) const;
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

template <class Scalar>
void RowsPlan::run_as(const Buffers& b, std::byte* workspace) const {
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
    const std::int64_t first = gather_h.begin[row_in], last = gather_h.begin[row_in + 1];
    if (first == last) return zero_row(to);
    float* sums = column_sums.at<float>(workspace, slot);
    for (std::int64_t e = first; e < last; ++e) {
      const Row<const Scalar> row =
          planes.row(static_cast<const Scalar*>(b.grad_output), g.grad_output, plane,
                          gather_h.position[e], g.out.w);
      if (e == first) {
        load_row_scaled(sums, gather_h.weight[e], row);
      } else {
        add_row_scaled(sums, gather_h.weight[e], row);
      }
    }
    float* rounded = results.at<float>(workspace, slot);
    gather_columns(gather_w, g.in.w, plane.lanes, sums, rounded);
    store_row(to, rounded);
  });
}

Outcome RowsPlan::run(const Buffers& b, std::byte* workspace) const {
  visit_narrow(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });
  return {};
}

constexpr UpsampleBackwardKernel kTable[] = {
    bilinear_backward::kChannelsKernel,
    bilinear_backward::kRowsKernel,
    // What is too small to fill vectors.
    {"rows then columns", all_geometries, where_supported, make_plan<RowsPlan>},
};

}  // namespace

std::span<const UpsampleBackwardKernel> upsample_bilinear2d_backward() { return kTable; }

}  // namespace gradproof::kernels
