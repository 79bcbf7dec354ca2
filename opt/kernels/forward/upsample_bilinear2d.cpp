// UpsampleBilinear2d: each result row blends two rows of self, then each element two columns of the
// blend. Sums are double; weights of exactly 0 read nothing.
#include "opt/base/checked.h"
#include "opt/kernels/forward/forward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/vector/planes.h"

namespace gradproof::kernels {
namespace {

using Geometry = UpsampleGeometry;

struct RowsPlan final : UpsamplePlan {
  Planes planes;
  RowTiling tiling;
  std::uint64_t taps;              ///< of the columns
  WorkspaceLayout::Slots blends;   ///< per worker one row of self
  WorkspaceLayout::Slots results;  ///< per worker one row of the result, as float

  RowsPlan(const Geometry& geometry, const Machine& on)
      : UpsamplePlan(geometry, on),
        planes(g.n, g.c, 1, g.self, g.result),
        tiling(tile_rows(planes.count() * g.out.h, work_per_row(), on)),
        taps(layout.take(static_cast<std::uint64_t>(g.out.w), sizeof(BilinearAxis::Tap))) {
    const auto lanes = static_cast<std::uint64_t>(planes.most_lanes());
    blends = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.in.w),
                               lanes * sizeof(double));
    results = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w),
                                lanes * sizeof(float));
  }
  Outcome run(const MapBuffers& b, std::byte* workspace) const override;

 private:
  std::int64_t work_per_row() const {
    return saturating_mul(2 * planes.most_lanes(), saturating_add(g.in.w, g.out.w));
  }
  template <class Scalar>
  void run_as(const MapBuffers& b, std::byte* workspace) const;
};

/// w0·a + w1·b without the terms whose weight is 0.
double blend(const BilinearAxis::Tap& t, const double* a, const double* b) {
  const double first = t.w0 != 0 ? static_cast<double>(t.w0) * *a : 0.0;
  return t.w1 != 0 ? first + static_cast<double>(t.w1) * *b : first;
}

template <class Scalar>
void RowsPlan::run_as(const MapBuffers& b, std::byte* workspace) const {
  auto* column_taps = area<BilinearAxis::Tap>(workspace, taps);
  parallel_tiles(1, 1, [&](std::int64_t, int) {
    for (std::int64_t ow = 0; ow < g.out.w; ++ow) column_taps[ow] = g.w.tap(ow);
  });
  parallel_rows(tiling, [&](std::int64_t index, int slot) {
    const Planes::Plane plane = planes[index / g.out.h];
    const std::int64_t oh = index % g.out.h;
    const BilinearAxis::Tap tap = g.h.tap(oh);
    const auto row = [&](std::int64_t h) {
      return planes.row(static_cast<const Scalar*>(b.self), g.self, plane, h, g.in.w);
    };
    double* sums = blends.at<double>(workspace, slot);
    if (tap.w0 == 0) {
      load_row_scaled(sums, double{tap.w1}, row(tap.i1));
    } else {
      load_row_scaled(sums, double{tap.w0}, row(tap.i0));
      if (tap.w1 != 0) add_row_scaled(sums, double{tap.w1}, row(tap.i1));
    }
    float* row_results = results.at<float>(workspace, slot);
    for (std::int64_t ow = 0; ow < g.out.w; ++ow) {
      const auto sums_at = [&](const std::int64_t& position) {
        return sums + read_within(position, std::int64_t{0}, g.in.w - 1) * plane.lanes;
      };
      const double* first = sums_at(column_taps[ow].i0);
      const double* second = sums_at(column_taps[ow].i1);
      for (std::int64_t lane = 0; lane < plane.lanes; ++lane) {
        row_results[ow * plane.lanes + lane] =
            static_cast<float>(blend(column_taps[ow], first + lane, second + lane));
      }
    }
    store_row(planes.row(static_cast<Scalar*>(b.result), g.result, plane, oh, g.out.w),
              row_results);
  });
}

Outcome RowsPlan::run(const MapBuffers& b, std::byte* workspace) const {
  visit_narrow(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });
  return {};
}

constexpr UpsampleKernel kTable[] = {
    {"rows then columns", all_geometries, where_supported, make_plan<RowsPlan>},
};

}  // namespace

std::span<const UpsampleKernel> upsample_bilinear2d() { return kTable; }

}  // namespace gradproof::kernels
