// The tiles of UpsampleBilinear2dBackwardV2 in vectors, their scratch memory and their loop.
#include "opt/kernels/upsample/tiles.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels::upsample {
namespace {

using Geometry = UpsampleBackwardGeometry;
using Buffers = UpsampleBackwardBuffers;

std::int64_t tiles_of(std::int64_t extent, std::int64_t tile) { return (extent - 1) / tile + 1; }

/// Whether to test for disjoint rows and columns: in rows without gaps.
bool may_be_disjoint(const Geometry& g) {
  return g.in.h / 2 >= g.out.h && g.in.w / 2 >= g.out.w && g.grad_output.w == 1 &&
         g.grad_input.w == 1;
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on, bool channels)
    : UpsampleBackwardPlan(geometry, on), channels_(channels) {
  columns_ = layout.take(static_cast<std::uint64_t>(g.out.w), sizeof(AxisTap));
  if (channels) {
    gathered_rows_.emplace(layout, g.h);
    row_tiles_ = g.n * g.in.h;
    channel_tiles_ = tiles_of(g.c, kChannels);
    columns_per_tile_ = std::max<std::int64_t>(
        1, on.block(kTileFloats) / padded_channels(std::min(g.c, kChannels)));
    body_ = channels_tile(on.instruction_set);
  } else {
    rows_ = layout.take(static_cast<std::uint64_t>(g.out.h), sizeof(AxisTap));
    begins_ = layout.take(static_cast<std::uint64_t>(g.in.h) + 1, sizeof(std::int64_t));
    together_ = layout.take(static_cast<std::uint64_t>(g.out.h), sizeof(std::uint8_t));
    row_tiles_ = tiles_of(g.n * g.c * g.in.h, kRows);
    columns_per_tile_ = on.block(kPositions, kBlockPositions);  // tables are read by whole lines
    const auto padded = static_cast<std::uint64_t>(ColumnLookup::padded(g.in.w));
    lookup_first_ = layout.take(padded, sizeof(std::int32_t));
    lookup_weights_ = layout.take(padded, static_cast<std::uint64_t>(kTerms) * sizeof(float));
    may_be_quads_ = QuadColumns::likely(g.in.w, g.out.w);
    if (may_be_quads_) {
      quad_weights_ =
          layout.take(padded, static_cast<std::uint64_t>(QuadColumns::kTerms) * sizeof(float));
    }
    may_be_disjoint_ = on.has_avx2() && may_be_disjoint(g);
    if (may_be_disjoint_) {
      const std::int64_t bytes = DisjointColumns::padded(g.in.w * bytes_of(g.element));
      const auto positions = static_cast<std::uint64_t>(g.out.w);
      disjoint_block_ = on.instruction_set == InstructionSet::avx512 ? DisjointColumns::kLine
                                                                     : DisjointColumns::kBytes;
      disjoint_starts_ =
          layout.take(static_cast<std::uint64_t>(bytes / disjoint_block_), sizeof(std::int64_t));
      disjoint_shuffle_ = layout.take(static_cast<std::uint64_t>(bytes), 1);
      disjoint_low_ = layout.take(positions, sizeof(float));
      disjoint_high_ = layout.take(positions, sizeof(float));
    }
    body_ = rows_tile(on.instruction_set);
  }
  column_tiles_ = tiles_of(g.in.w, columns_per_tile_);
  const std::int64_t planes = g.n * g.c;
  const std::int64_t work =
      saturating_add(saturating_mul(saturating_mul(planes, g.in.h), g.in.w),
                     saturating_mul(saturating_mul(planes, g.out.h), g.out.w));
  workers_ = worker_count(on, tiles(), work);
  // One block more: whole vectors may overlap the end of the last row of sums.
  constexpr std::uint64_t kFloats = kTileFloats + (kRows + 1) * kRows;
  sums_ = layout.take_slots(workers_, kFloats, sizeof(float));
  block_ = layout.take_slots(workers_, kBlockPositions * kRows, sizeof(float));
  column_sums_ = layout.take_slots(workers_, kFloats + 2 * kChannels, sizeof(float));
  staging_ = layout.take_slots(workers_, kFloats, sizeof(float));
  const std::int64_t size = bytes_of(g.element);
  const bool whole = g.grad_input.w == 1 && g.grad_input.h == g.in.w &&
                     g.in.w * size % static_cast<std::int64_t>(kLine) == 0;
  streaming_ = g.n * g.c * g.in.h * g.in.w * size >= on.streamed_bytes(whole);
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  BilinearGather gathered_rows{};
  if (channels_) gathered_rows = gathered_rows_->in(workspace);
  auto* rows = area<AxisTap>(workspace, rows_);
  const RowGroups groups{rows, g.out.h, area<std::int64_t>(workspace, begins_),
                         area<std::uint8_t>(workspace, together_)};
  auto* columns = area<AxisTap>(workspace, columns_);
  ColumnLookup lookup{};
  QuadColumns quads{};
  DisjointColumns disjoint{};
  if (!channels_) {
    lookup = {area<std::int32_t>(workspace, lookup_first_), area<float>(workspace, lookup_weights_),
              ColumnLookup::padded(g.in.w)};
  }
  parallel_tiles(1, 1, [&](std::int64_t, int) {
    fill_taps(columns, g.w);
    if (channels_) {
      gathered_rows.fill(g.h);
    } else {
      fill_taps(rows, g.h);
      groups.fill(g.in.h);
      if (may_be_quads_) {
        quads = {area<float>(workspace, quad_weights_), ColumnLookup::padded(g.in.w)};
        quads.fill(columns, g.out.w);
      }
      if (quads.terms == 0)
        lookup.fill(columns, g.out.w, machine.instruction_set == InstructionSet::avx512);
      if (may_be_disjoint_ && DisjointColumns::disjoint(rows, g.out.h) &&
          DisjointColumns::disjoint(columns, g.out.w)) {
        disjoint = {area<std::int64_t>(workspace, disjoint_starts_),
                    area<std::uint8_t>(workspace, disjoint_shuffle_),
                    area<float>(workspace, disjoint_low_), area<float>(workspace, disjoint_high_)};
        disjoint.fill(columns, g.out.w, g.in.w, bytes_of(g.element), disjoint_block_);
      }
    }
  });
  const Problem problem{
      g,         b,        gathered_rows, groups,        columns,           lookup,
      quads,     disjoint, row_tiles_,    column_tiles_, columns_per_tile_, channel_tiles_,
      streaming_};
  parallel_tiles(tiles(), {workers_, streaming_}, [&](std::int64_t tile, int slot) {
    body_(problem, tile,
          {sums_.at<float>(workspace, slot), block_.at<float>(workspace, slot),
           column_sums_.at<float>(workspace, slot), staging_.at<float>(workspace, slot)});
  });
  return {};
}

bool supports_channels(const Geometry& g) {
  return g.c > 1 && g.grad_output.c == 1 && g.grad_input.c == 1 &&
         !(g.grad_output.w == 1 && g.grad_input.w == 1);
}

bool preferred(const Geometry& g, const Machine&) {
  return saturating_mul(saturating_mul(g.n * g.c, g.in.h), g.in.w) >= kRows * kRows / 4;
}

}  // namespace gradproof::kernels::upsample
