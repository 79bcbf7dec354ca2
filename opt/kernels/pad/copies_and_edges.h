// ReplicationPad2dBackward in vectors: the input of a tile's code, and the kernel.
#pragma once

#include <cstdint>

#include "opt/kernels/machine.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/pad/sources.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels::pad::copies_and_edges {

/// How rows are written. All but `stores` are for outputs that are larger than the caches.
enum class Writing : std::uint8_t {
  stores,
  staged,  ///< short rows without gaps between them: some are finished, then streamed together
  rows     ///< long ones: each is streamed to its place
};

/// Both tensors with rows that have no gaps.
struct Problem {
  const ReplicationPadBackwardGeometry& g;  ///< c is 1 where the channels are lanes of a column
  ReplicationPadBackwardBuffers buffers;
  std::int64_t components;  ///< scalars of an element, which is what strides count
  std::int64_t lanes;  ///< scalars of a column: its components, of all channels if these are last
  std::int64_t rows_per_tile, rows_staged;
  Writing writing;
};

/// The code of one tile, gradInput rows [tile · rows_per_tile, …), in
/// copies_and_edges_tile.cpp. `sums` has room for the columns that one end of a row sums, `staging`
/// for rows_staged gradInput rows.
using TileBody = void (*)(const Problem&, std::int64_t tile, std::byte* sums, std::byte* staging);
TileBody tile_body(InstructionSet set);

/// The kernel for rows of both tensors without gaps, of a plane or of all channels.
class Plan final : public ReplicationPadBackwardPlan {
 public:
  Plan(const ReplicationPadBackwardGeometry& g, const Machine& on);
  Outcome run(const ReplicationPadBackwardBuffers& b, std::byte* workspace) const override;

 private:
  ReplicationPadBackwardGeometry walked_;  ///< g, or with one channel where all are lanes
  std::int64_t components_, lanes_;
  RowTiling tiling_;
  WorkspaceLayout::Slots sums_, staging_;
  std::int64_t rows_staged_ = 1;
  Writing writing_ = Writing::stores;
  TileBody body_;
};

bool supports(const ReplicationPadBackwardGeometry& g);

inline constexpr ReplicationPadBackwardKernel kKernel = {"copies and edges", supports,
                                                         where_supported, make_plan<Plan>};

}  // namespace gradproof::kernels::pad::copies_and_edges
