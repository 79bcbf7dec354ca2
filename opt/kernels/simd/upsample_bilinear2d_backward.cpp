// The tiles of UpsampleBilinear2dBackwardV2 in vectors, their scratch memory and their loop.
#include "opt/kernels/simd/upsample_bilinear2d_backward.h"

#include <optional>

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/simd/streamed_bytes.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::bilinear_backward {
namespace {

using Geometry = UpsampleBackwardGeometry;
using Buffers = UpsampleBackwardBuffers;

std::int64_t tiles_of(std::int64_t extent, std::int64_t tile) { return (extent - 1) / tile + 1; }

std::int64_t size_of(const Geometry& g) { return g.element == Element::f32 ? 4 : 2; }

/// Whether it is worth looking whether rows and columns lie apart, in rows without gaps.
bool may_be_apart(const Geometry& g) {
  return g.in.h / 2 >= g.out.h && g.in.w / 2 >= g.out.w && g.grad_output.w == 1 &&
         g.grad_input.w == 1;
}

struct Plan {
  std::int64_t row_tiles, column_tiles, columns_per_tile, channel_tiles = 1, batch;
  int workers;
  WorkspaceLayout layout;
  std::optional<GatherArea> gathered_rows;
  std::uint64_t rows = 0, columns, lookup_first = 0, lookup_weights = 0;
  std::uint64_t apart_blocks = 0, apart_low = 0, apart_high = 0;
  WorkspaceLayout::Slots sums, block, column_sums, slab;

  Plan(const Geometry& g, int threads, bool channels) {
    columns = layout.take(static_cast<std::uint64_t>(g.out.w), sizeof(AxisTap));
    if (channels) {
      gathered_rows.emplace(layout, g.h);
      row_tiles = g.n * g.in.h;
      channel_tiles = tiles_of(g.c, kChannels);
      columns_per_tile = kTileFloats / padded_channels(std::min(g.c, kChannels));
    } else {
      rows = layout.take(static_cast<std::uint64_t>(g.out.h), sizeof(AxisTap));
      row_tiles = tiles_of(g.n * g.c * g.in.h, kRows);
      columns_per_tile = kPositions;
      const auto padded = static_cast<std::uint64_t>(ColumnLookup::padded(g.in.w));
      lookup_first = layout.take(padded, sizeof(std::int32_t));
      lookup_weights = layout.take(padded, static_cast<std::uint64_t>(kTerms) * sizeof(float));
      if (may_be_apart(g)) {
        const std::int64_t blocks =
            ApartColumns::padded(g.in.w) / (ApartColumns::kBytes / size_of(g));
        const auto positions = static_cast<std::uint64_t>(g.out.w);
        apart_blocks = layout.take(static_cast<std::uint64_t>(blocks), sizeof(ApartColumns::Block));
        apart_low = layout.take(positions, sizeof(float));
        apart_high = layout.take(positions, sizeof(float));
      }
    }
    column_tiles = tiles_of(g.in.w, columns_per_tile);
    const std::int64_t planes = g.n * g.c;
    const std::int64_t work =
        saturating_add(saturating_mul(saturating_mul(planes, g.in.h), g.in.w),
                       saturating_mul(saturating_mul(planes, g.out.h), g.out.w));
    workers = worker_count(threads, tiles(), work);
    // Tiles are small, and the end of a batch waits until all that it streamed is in memory.
    batch = std::clamp<std::int64_t>(tiles() / (workers * 8), 1, 32);
    // One block beyond: rows of sums lie a block apart, and whole vectors may run over an end.
    constexpr std::uint64_t kFloats = kTileFloats + (kRows + 1) * kRows;
    sums = layout.take_slots(workers, kFloats, sizeof(float));
    block = layout.take_slots(workers, kBlockPositions * kRows, sizeof(float));
    column_sums = layout.take_slots(workers, kFloats + 2 * kChannels, sizeof(float));
    slab = layout.take_slots(workers, kFloats, sizeof(float));
  }
  std::int64_t tiles() const { return row_tiles * column_tiles * channel_tiles; }
};

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch, bool channels) {
  const Plan plan(g, launch.threads, channels);
  BilinearGather gathered_rows{};
  if (channels) gathered_rows = plan.gathered_rows->in(launch.workspace);
  auto* rows = area<AxisTap>(launch.workspace, plan.rows);
  auto* columns = area<AxisTap>(launch.workspace, plan.columns);
  ColumnLookup lookup{};
  ApartColumns apart{};
  if (!channels) {
    lookup = {area<std::int32_t>(launch.workspace, plan.lookup_first),
              area<float>(launch.workspace, plan.lookup_weights), ColumnLookup::padded(g.in.w)};
  }
  parallel_tiles(1, 1, [&](std::int64_t, int) {
    fill_taps(columns, g.w);
    if (channels) {
      gathered_rows.fill(g.h);
    } else {
      fill_taps(rows, g.h);
      lookup.fill(columns, g.out.w);
      if (launch.instruction_set == InstructionSet::avx2 && may_be_apart(g) &&
          ApartColumns::apart(rows, g.out.h) && ApartColumns::apart(columns, g.out.w)) {
        apart = {area<ApartColumns::Block>(launch.workspace, plan.apart_blocks),
                 area<float>(launch.workspace, plan.apart_low),
                 area<float>(launch.workspace, plan.apart_high)};
        apart.fill(columns, g.out.w, g.in.w, size_of(g));
      }
    }
  });
  const std::int64_t size = size_of(g);
  const bool whole = g.grad_input.w == 1 && g.grad_input.h == g.in.w &&
                     g.in.w * size % static_cast<std::int64_t>(kLine) == 0;
  const bool streaming = g.n * g.c * g.in.h * g.in.w * size >= streamed_bytes(whole);
  const Problem problem{g,
                        b,
                        gathered_rows,
                        rows,
                        columns,
                        lookup,
                        apart,
                        plan.row_tiles,
                        plan.column_tiles,
                        plan.columns_per_tile,
                        plan.channel_tiles,
                        streaming};
  const TilesBody body =
      channels ? channels_tiles(launch.instruction_set) : rows_tiles(launch.instruction_set);
  parallel_tiles(tiles_of(plan.tiles(), plan.batch), plan.workers, [&](std::int64_t i, int slot) {
    body(problem, i * plan.batch, std::min((i + 1) * plan.batch, plan.tiles()),
         {plan.sums.at<float>(launch.workspace, slot), plan.block.at<float>(launch.workspace, slot),
          plan.column_sums.at<float>(launch.workspace, slot),
          plan.slab.at<float>(launch.workspace, slot)});
  });
  return {};
}

}  // namespace

bool worthwhile(const Geometry& g) {
  return saturating_mul(saturating_mul(g.n * g.c, g.in.h), g.in.w) >= kRows * kRows / 4;
}

bool channel_last(const Geometry& g) {
  return worthwhile(g) && g.c > 1 && g.grad_output.c == 1 && g.grad_input.c == 1 &&
         !(g.grad_output.w == 1 && g.grad_input.w == 1);
}

std::uint64_t workspace_rows(const Geometry& g, int threads) {
  return Plan(g, threads, false).layout.bytes();
}
std::uint64_t workspace_channels(const Geometry& g, int threads) {
  return Plan(g, threads, true).layout.bytes();
}

Outcome run_rows(const Geometry& g, const Buffers& b, const Launch& launch) {
  return run(g, b, launch, false);
}
Outcome run_channels(const Geometry& g, const Buffers& b, const Launch& launch) {
  return run(g, b, launch, true);
}

}  // namespace gradproof::kernels::bilinear_backward
