// The kernel of the 3-D pool's gradient of 16-bit scalars for windows 2 wide at stride 2 that do
// not overlap: gradInput rows are selected from rows of terms (column_pairs-inl.h), and written in
// order, each once.
//
// It declines if an index is outside its window. Rows of outputs are read in blocks of many: a load
// that spans two recent stores waits until both are in the cache. In float, where nothing is
// rounded, scatter_ring.h is as fast.
#pragma once

#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::select_pairs {

inline constexpr std::int64_t kMostSlices = 4;  ///< of a window
inline constexpr std::int64_t kMostRows = 4;    ///< of a slice of a window
inline constexpr std::int64_t kMostStride = 8;  ///< of rows: blocks stay small
/// Of gradInput: narrower rows take longer than in scatter_ring.h, which stores several at once
/// unless there are gaps between them.
inline constexpr std::int64_t kLeastWidth = 64, kLeastWidthBetweenGaps = 32;
inline constexpr std::int64_t kMostWidth = 8192;  ///< of gradInput: scratch stays in L2
inline constexpr std::int64_t kOutputs = 512;     ///< of a block, if rows are not longer

/// What a worker works in.
struct Scratch {
  const std::uint32_t* starts;  ///< of a block's windows, from the first one's
  std::byte *keys, *terms;      ///< of a block
  std::byte* staged;            ///< of each slice of a window
};

struct Plan final : MaxPool3dBackwardPlan {
  std::int64_t planes = 0, slice = 0;  ///< slice: positions of one d
  std::int64_t rows = 0;               ///< of outputs in a block
  std::int64_t depth = 0, depths = 0;  ///< slices of a tile, tiles of a plane
  std::int64_t slice_bytes = 0;        ///< in which rows of a slice are staged
  bool streaming = false;
  int workers = 1;
  std::uint64_t starts = 0;
  WorkspaceLayout::Slots keys, terms, staged;

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

  /// Writes slices d of a plane. Returns false, and the slices are undefined, if an index of a
  /// window that reaches them is outside that window.
  using Body = bool(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t plane, Span d,
                    const Scratch& scratch);
  static Body* body_of(InstructionSet set);
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool3dBackwardGeometry& g);
bool preferred(const MaxPool3dBackwardGeometry& g, const Machine& machine);

inline constexpr MaxPool3dBackwardKernel kKernel = {"select pairs", supports, preferred,
                                                    make_plan<Plan>, true};

}  // namespace gradproof::kernels::index_pool::select_pairs
