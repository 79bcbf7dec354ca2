// The kernel of the 3-D pool's gradient for windows 2 wide at stride 2 that do not overlap: each
// column of gradInput is selected from the term of its window, in all rows that the window reaches.
// Nothing is summed, and terms and indices are read once.
//
// Where rows are whole pieces of cache lines, vectors are written as they are finished; others are
// staged, a block of rows at a time. It declines if an index is outside its window: it counts the
// windows that have their index in a row. Indices are compared with positions, never followed.
#pragma once

#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::select_pairs {

inline constexpr std::int64_t kMostSlices = 4;    ///< of a window
inline constexpr std::int64_t kMostRows = 4;      ///< of a slice of a window
inline constexpr std::int64_t kMostStride = 8;    ///< of rows: blocks stay small
inline constexpr std::int64_t kVector = 8;        ///< windows of a vector, at most; rows have one
inline constexpr std::int64_t kMostWidth = 8192;  ///< of gradInput: scratch stays in L2
inline constexpr std::int64_t kOutputs = 512;     ///< of a block, if rows are not longer

struct Plan final : MaxPool3dBackwardPlan {
  std::int64_t planes = 0, slice = 0;  ///< slice: positions of one d
  std::int64_t rows = 0;               ///< of outputs in a block
  std::int64_t depth = 0, depths = 0;  ///< slices of a tile, tiles of a plane
  bool joined = false;                 ///< rows of gradInput follow each other without gaps
  bool tiled = false;                  ///< each column and row of a slice is in a window
  int piece = 0;                       ///< bytes in which rows can be streamed; 0: they are staged
  bool in_turn = false;                ///< the slices of a window are streamed one after the other
  bool streaming = false;
  int workers = 1;
  std::int64_t slice_bytes = 0;  ///< in which a block's rows of a slice are staged
  WorkspaceLayout::Slots staged;

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

  /// Writes slices d of a plane. Returns false, and the slices are undefined, if an index of a
  /// window that reaches them is outside that window.
  using Body = bool(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t plane, Span d,
                    std::byte* staged);
  static Body* body_of(InstructionSet set);
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool3dBackwardGeometry& g);
bool preferred(const MaxPool3dBackwardGeometry& g, const Machine& machine);

inline constexpr MaxPool3dBackwardKernel kKernel = {"select pairs", supports, preferred,
                                                    make_plan<Plan>, true};

}  // namespace gradproof::kernels::index_pool::select_pairs
