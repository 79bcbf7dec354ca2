// ReplicationPad2dBackward in vectors: what a tile's code is told, and its row of the table.
#pragma once

#include <algorithm>

#include "opt/kernels/replication_pad2d_backward.h"
#include "opt/kernels/simd/stream.h"

namespace gradproof::kernels::pad_backward {

/// Both tensors with rows that have no gaps, as scalars: complex columns are two of them.
struct Range {
  std::int64_t first, last;  ///< [first, last)
  std::int64_t size() const { return last - first; }
};

/// Positions o of the large axis with clamp(o − before, 0, in − 1) = i.
inline Range sources(std::int64_t i, std::int64_t in, std::int64_t out, std::int64_t before) {
  const std::int64_t first = i == 0 ? 0 : i + before;
  const std::int64_t last = i == in - 1 ? out : i + before + 1;
  return {std::clamp<std::int64_t>(first, 0, out), std::clamp<std::int64_t>(last, 0, out)};
}

struct Problem {
  const ReplicationPadBackwardGeometry& g;
  ReplicationPadBackwardBuffers buffers;
  std::int64_t components;
  std::int64_t rows_per_tile, rows_per_slab;
  bool streaming;  ///< gradInput is contiguous then
};

/// The code of one tile, gradInput rows [tile · rows_per_tile, …), in
/// replication_pad2d_backward_tile.cpp. `sums` holds one gradOutput row of
/// sums, `slab` rows_per_slab gradInput rows.
using TileBody = void (*)(const Problem&, std::int64_t tile, std::byte* sums, std::byte* slab);
TileBody tile_body(InstructionSet set);

/// Row "copies and edges": rows of both tensors without gaps.
bool dense_rows(const ReplicationPadBackwardGeometry& g);
std::uint64_t workspace(const ReplicationPadBackwardGeometry& g, int threads);
Outcome run(const ReplicationPadBackwardGeometry& g, const ReplicationPadBackwardBuffers& b,
            const Launch& launch);

}  // namespace gradproof::kernels::pad_backward
