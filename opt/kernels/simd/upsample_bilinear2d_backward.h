// UpsampleBilinear2dBackwardV2 in vectors: what a tile's code is told, and the two rows of the
// table.
#pragma once

#include "opt/kernels/simd/apart_columns.h"
#include "opt/kernels/simd/column_lookup.h"
#include "opt/kernels/simd/stream.h"
#include "opt/kernels/upsample_bilinear2d_backward.h"

namespace gradproof::kernels::bilinear_backward {

/// Floats of a tile's sums: with all else that a tile touches, about one first-level cache.
inline constexpr std::int64_t kTileFloats = 4096;
/// gradInput rows of a tile and positions of a chunk where vectors go across rows.
inline constexpr std::int64_t kRows = 16, kPositions = kTileFloats / kRows;
/// Positions that are turned round at a time.
inline constexpr std::int64_t kBlockPositions = 64;
/// Channels of a tile at most.
inline constexpr std::int64_t kChannels = 256;

struct Problem {
  const UpsampleBackwardGeometry& g;
  UpsampleBackwardBuffers buffers;
  BilinearGather gathered_rows;  ///< which gradOutput rows a gradInput row adds up: for channels
  const AxisTap* rows;           ///< one per gradOutput row: for rows
  const AxisTap* columns;        ///< one per gradOutput column
  ColumnLookup lookup;
  ApartColumns apart;
  std::int64_t row_tiles, column_tiles, columns_per_tile, channel_tiles;
  bool streaming;
};

/// A worker's scratch memory.
struct Scratch {
  float* sums;     ///< weighted gradOutput rows of a chunk
  float* block;    ///< kBlockPositions of them with positions outermost
  float* columns;  ///< sums of columns, one more at either end for what neighbouring tiles add up
  float* slab;     ///< finished sums in the order of memory
};

/// A gradInput row of a tile.
template <class Scalar>
struct TileRow {
  const Scalar* plane;  ///< of gradOutput
  Scalar* result;       ///< its first column of the tile
  std::int64_t h;
};

constexpr std::int64_t padded_channels(std::int64_t channels) {
  return (channels + kRows - 1) / kRows * kRows;
}

/// The code of tiles [first, last), in upsample_bilinear2d_backward_tile.cpp and _channels.cpp.
using TilesBody = void (*)(const Problem&, std::int64_t first, std::int64_t last, const Scratch&);
TilesBody rows_tiles(InstructionSet set);
TilesBody channels_tiles(InstructionSet set);

/// Rows "16 rows" (any strides) and "channels" (channels side by side in both tensors).
bool worthwhile(const UpsampleBackwardGeometry& g);
bool channel_last(const UpsampleBackwardGeometry& g);
std::uint64_t workspace_rows(const UpsampleBackwardGeometry& g, int threads);
std::uint64_t workspace_channels(const UpsampleBackwardGeometry& g, int threads);
Outcome run_rows(const UpsampleBackwardGeometry& g, const UpsampleBackwardBuffers& b,
                 const Launch& launch);
Outcome run_channels(const UpsampleBackwardGeometry& g, const UpsampleBackwardBuffers& b,
                     const Launch& launch);

}  // namespace gradproof::kernels::bilinear_backward
