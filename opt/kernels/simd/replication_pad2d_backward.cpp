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

/// Columns follow each other, `run` elements apart.
bool follow(const Geometry& g, std::int64_t run) {
  return (g.grad_output.w == run || g.out.w == 1) && (g.grad_input.w == run || g.in.w == 1);
}

bool channels_last(const Geometry& g) {
  return g.grad_output.c == 1 && g.grad_input.c == 1 && follow(g, g.c);
}

/// Rows of gradInput, `row` elements each, follow each other.
bool contiguous(const Geometry& g, std::int64_t row) {
  const Strides4& s = g.grad_input;
  return (g.in.h == 1 || s.h == row) && (g.c == 1 || s.c == g.in.h * row) &&
         (g.n == 1 || s.n == g.c * g.in.h * row);
}

struct Plan {
  Geometry g;
  std::int64_t components, lanes;
  RowTiling tiling;
  WorkspaceLayout layout;
  WorkspaceLayout::Slots sums, slab;
  std::int64_t rows_per_slab = 1;
  Writing writing = Writing::stores;

  Plan(const Geometry& given, int threads)
      : g(given), components(components_of(g.element)), lanes(components) {
    if (!follow(g, 1)) {
      lanes *= g.c;
      g.c = 1;
    }
    const std::int64_t read = saturating_mul(g.out.h / g.in.h + 1, g.out.w);
    tiling =
        tile_rows(g.n * g.c * g.in.h, saturating_mul(lanes, saturating_add(g.in.w, read)), threads);
    const auto most = [](std::int64_t in, std::int64_t out, std::int64_t before) {
      return std::max(sources(0, in, out, before).size(), sources(in - 1, in, out, before).size());
    };
    if (tiling.rows > 0 && most(g.in.h, g.out.h, g.top) > 1) {
      const std::size_t bytes = visit_wide(
          g.element, [](auto type) { return sizeof(SumOf<typename decltype(type)::type>); });
      const auto columns = static_cast<std::uint64_t>(most(g.in.w, g.out.w, g.left));
      sums = layout.take_slots(tiling.workers, columns, static_cast<std::uint64_t>(lanes) * bytes);
    }
    const std::int64_t elements = saturating_mul(g.in.w, lanes / components);
    const std::int64_t row = saturating_mul(elements, bytes_of(g.element));
    if (saturating_mul(tiling.rows, row) < kStreamedBytes) return;
    if (row > kSlabBytes) {
      writing = Writing::rows;
    } else if (contiguous(g, elements)) {
      writing = Writing::slabs;
      rows_per_slab = std::min(tiling.rows_per_tile, kSlabBytes / row);
      slab = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(rows_per_slab),
                               static_cast<std::uint64_t>(row));
    }
  }
};

}  // namespace

bool dense_rows(const Geometry& g) {
  if (g.element == Element::bf16) return false;  // "rows" serves it
  return follow(g, 1) || channels_last(g);
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

Outcome run(const Geometry& g, const ReplicationPadBackwardBuffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  const Problem problem{
      plan.g,      b, plan.components, plan.lanes, plan.tiling.rows_per_tile, plan.rows_per_slab,
      plan.writing};
  const TileBody body = tile_body(launch.instruction_set);
  parallel_tiles(plan.tiling.tiles, plan.tiling.workers, [&](std::int64_t tile, int slot) {
    body(problem, tile, plan.sums.at<std::byte>(launch.workspace, slot),
         plan.slab.at<std::byte>(launch.workspace, slot));
  });
  return {};
}

}  // namespace gradproof::kernels::pad_backward
