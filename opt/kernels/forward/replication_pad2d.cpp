// ReplicationPad2d: result[i, j] = self[clamp(i − top), clamp(j − left)], bit for bit.
#include "opt/base/checked.h"
#include "opt/kernels/forward/forward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/vector/planes.h"

namespace gradproof::kernels {
namespace {

struct RowsPlan final : ReplicationPadPlan {
  using ReplicationPadPlan::ReplicationPadPlan;
  Outcome run(const MapBuffers& b, std::byte* workspace) const override;

 private:
  template <class Scalar>
  void run_as(const MapBuffers& b) const;
};

/// Gives columns [first, last) of `to` the value of one position.
template <class Scalar>
void spread(const Row<Scalar>& to, std::int64_t first, std::int64_t last, const Scalar* value) {
  for (std::int64_t j = first; j < last; ++j) {
    for (std::int64_t lane = 0; lane < to.lanes; ++lane) to.at(j)[lane] = value[lane];
  }
}

template <class Scalar>
void RowsPlan::run_as(const MapBuffers& b) const {
  const Planes planes(g.n, g.c, components_of(g.element), g.self, g.result);
  // Columns of the result: [0, first) repeat self's first column, [last, out) its last.
  const std::int64_t first = std::clamp<std::int64_t>(g.left, 0, g.out.w);
  const std::int64_t last = std::clamp<std::int64_t>(g.left + g.in.w, first, g.out.w);
  const std::int64_t work = saturating_mul(2 * planes.most_lanes(), g.out.w);
  const RowTiling tiling = tile_rows(planes.count() * g.out.h, work, machine);
  parallel_rows(tiling, [&](std::int64_t row, int) {
    const Planes::Plane plane = planes[row / g.out.h];
    const std::int64_t oh = row % g.out.h, ih = std::clamp<std::int64_t>(oh - g.top, 0, g.in.h - 1);
    const auto from = planes.row(static_cast<const Scalar*>(b.self), g.self, plane, ih, g.in.w);
    const auto to = planes.row(static_cast<Scalar*>(b.result), g.result, plane, oh, g.out.w);
    spread(to, 0, first, from.at(0));
    if (last > first) {
      copy_row(to.part(first, last - first), from.part(first - g.left, last - first));
    }
    spread(to, last, g.out.w, from.at(g.in.w - 1));
  });
}

Outcome RowsPlan::run(const MapBuffers& b, std::byte*) const {
  if (g.n == 0) return {};  // and sums of the other extents may not fit
  visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b); });
  return {};
}

constexpr ReplicationPadKernel kTable[] = {
    {"rows", all_geometries, where_supported, make_plan<RowsPlan>},
};

}  // namespace

std::span<const ReplicationPadKernel> replication_pad2d() { return kTable; }

}  // namespace gradproof::kernels
