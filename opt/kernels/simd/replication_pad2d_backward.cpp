// The tiles of ReplicationPad2dBackward in vectors, their scratch memory and their loop.
#include "opt/kernels/simd/replication_pad2d_backward.h"

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::pad_backward {
namespace {

using Geometry = ReplicationPadBackwardGeometry;

/// Finished rows on their way out: a fraction of the first-level cache.
constexpr std::int64_t kSlabBytes = 8192;

std::int64_t bytes_of(Element element) {
  switch (element) {
    case Element::f16:
      return 2;
    case Element::f64:
    case Element::c64:
      return 8;
    case Element::c128:
      return 16;
    default:
      return 4;
  }
}

bool contiguous(const Geometry& g) {
  const Strides4& s = g.grad_input;
  return (g.in.h == 1 || s.h == g.in.w) && (g.c == 1 || s.c == g.in.h * g.in.w) &&
         (g.n == 1 || s.n == g.c * g.in.h * g.in.w);
}

struct Plan {
  std::int64_t components;
  RowTiling tiling;
  WorkspaceLayout layout;
  WorkspaceLayout::Slots sums, slab;
  std::int64_t rows_per_slab = 1;
  bool streaming;

  Plan(const Geometry& g, int threads) : components(components_of(g.element)) {
    const std::int64_t read = saturating_mul(g.out.h / g.in.h + 1, g.out.w);
    tiling = tile_rows(g.n * g.c * g.in.h, saturating_mul(components, saturating_add(g.in.w, read)),
                       threads);
    const auto several = [&](std::int64_t h) {
      return sources(h, g.in.h, g.out.h, g.top).size() > 1;
    };
    if (tiling.rows > 0 && (several(0) || several(g.in.h - 1))) {
      const std::size_t bytes = visit_wide(
          g.element, [](auto type) { return sizeof(SumOf<typename decltype(type)::type>); });
      sums = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w),
                               static_cast<std::uint64_t>(components) * bytes);
    }
    const std::int64_t row = saturating_mul(g.in.w, bytes_of(g.element));
    streaming =
        contiguous(g) && row <= kSlabBytes && saturating_mul(tiling.rows, row) >= kStreamedBytes;
    if (!streaming) return;
    rows_per_slab = std::min(tiling.rows_per_tile, kSlabBytes / row);
    slab = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(rows_per_slab),
                             static_cast<std::uint64_t>(row));
  }
};

}  // namespace

bool dense_rows(const Geometry& g) {
  return (g.grad_output.w == 1 || g.out.w == 1) && (g.grad_input.w == 1 || g.in.w == 1);
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

Outcome run(const Geometry& g, const ReplicationPadBackwardBuffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  const Problem problem{
      g, b, plan.components, plan.tiling.rows_per_tile, plan.rows_per_slab, plan.streaming};
  const TileBody body = tile_body(launch.instruction_set);
  parallel_tiles(plan.tiling.tiles, plan.tiling.workers, [&](std::int64_t tile, int slot) {
    body(problem, tile, plan.sums.at<std::byte>(launch.workspace, slot),
         plan.slab.at<std::byte>(launch.workspace, slot));
  });
  return {};
}

}  // namespace gradproof::kernels::pad_backward
