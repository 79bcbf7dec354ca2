// UpsampleBilinear2dBackwardV2 in vectors: the input of a tile's code, and the two kernels.
#pragma once

#include <optional>

#include "opt/kernels/machine.h"
#include "opt/kernels/upsample/column_lookup.h"
#include "opt/kernels/upsample/disjoint_columns.h"
#include "opt/kernels/upsample/quad_columns.h"
#include "opt/kernels/upsample/row_groups.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"

namespace gradproof::kernels::upsample {

/// Floats of a tile's sums: with everything else of a tile, about the size of an L1 cache.
inline constexpr std::int64_t kTileFloats = 4096;
/// gradInput rows of a tile and positions of a chunk where vectors go across rows.
inline constexpr std::int64_t kRows = 16, kPositions = kTileFloats / kRows;
/// Positions that are transposed at a time.
inline constexpr std::int64_t kBlockPositions = 64;
/// Channels of a tile at most.
inline constexpr std::int64_t kChannels = 256;

struct Problem {
  const UpsampleBackwardGeometry& g;
  UpsampleBackwardBuffers buffers;
  BilinearGather gathered_rows;  ///< which gradOutput rows a gradInput row adds up: for channels
  RowGroups groups;              ///< of gradOutput rows: for rows
  const AxisTap* columns;        ///< one per gradOutput column
  ColumnLookup lookup;
  QuadColumns quads;
  DisjointColumns disjoint;
  std::int64_t row_tiles, column_tiles, columns_per_tile, channel_tiles;
  bool streaming;
};

/// A worker's scratch memory.
struct Scratch {
  float* sums;     ///< weighted gradOutput rows of a chunk
  float* block;    ///< kBlockPositions of them with positions outermost
  float* columns;  ///< sums of columns, one more at either end for what neighbouring tiles add up
  float* staging;  ///< finished sums in the order of memory
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

/// The code of tiles [first, last), in gather_rows_tile.cpp and gather_channels_tile.cpp.
using TileBody = void (*)(const Problem&, std::int64_t tile, const Scratch&);
TileBody rows_tile(InstructionSet set);
TileBody channels_tile(InstructionSet set);

/// Of both kernels: of channels that are contiguous in both tensors, and of rows with any strides.
class Plan final : public UpsampleBackwardPlan {
 public:
  Plan(const UpsampleBackwardGeometry& g, const Machine& on, bool channels);
  Outcome run(const UpsampleBackwardBuffers& b, std::byte* workspace) const override;

 private:
  std::int64_t tiles() const { return row_tiles_ * column_tiles_ * channel_tiles_; }

  std::int64_t disjoint_block_ = 0;  ///< bytes
  bool channels_, may_be_quads_ = false, may_be_disjoint_ = false, streaming_ = false;
  std::int64_t row_tiles_, column_tiles_, columns_per_tile_, channel_tiles_ = 1;
  int workers_;
  std::optional<GatherArea> gathered_rows_;
  std::uint64_t rows_ = 0, begins_ = 0, together_ = 0, columns_, lookup_first_ = 0,
                lookup_weights_ = 0, quad_weights_ = 0;
  std::uint64_t disjoint_starts_ = 0, disjoint_shuffle_ = 0, disjoint_low_ = 0, disjoint_high_ = 0;
  WorkspaceLayout::Slots sums_, block_, column_sums_, staging_;
  TileBody body_;
};

template <bool channels>
void make_tiles_plan(PlanBox<UpsampleBackwardPlan>& box, const UpsampleBackwardGeometry& g,
                     const Machine& machine) {
  box.make<Plan>(g, machine, channels);
}

bool supports_channels(const UpsampleBackwardGeometry& g);
/// Calls of 64 elements or more: fewer fill no vector.
bool preferred(const UpsampleBackwardGeometry& g, const Machine&);

inline constexpr UpsampleBackwardKernel kGatherChannels = {"gather channels", supports_channels,
                                                           preferred, make_tiles_plan<true>};
inline constexpr UpsampleBackwardKernel kGatherRows = {"gather rows", all_geometries, preferred,
                                                       make_tiles_plan<false>};

}  // namespace gradproof::kernels::upsample
