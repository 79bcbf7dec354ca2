// The row of the 2-D pool's gradient for windows 2 wide at stride 2 that do not overlap: each
// gradInput row is a selection from one row of terms (column_pairs-inl.h). Outputs are read in
// blocks of rows, so that rows of a few columns do not each pay for beginning and end.
#pragma once

#include "opt/kernels/simd/mask_tiles.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_pairs {

inline constexpr std::int64_t kMostRows = 4;    ///< of a window
inline constexpr std::int64_t kMostStride = 8;  ///< of rows: blocks stay small
inline constexpr std::int64_t kOutputs = 512;   ///< of a block, if rows are not longer

/// What a worker works in.
struct Scratch {
  std::byte* keys;    ///< of a block, for each kernel row
  std::byte* terms;   ///< of a block of two channels in turn
  std::byte* staged;  ///< finished rows of a block
};

struct Plan : MaskTiles {
  std::int64_t block_rows = 0;  ///< of outputs
  std::int64_t pitch = 0;       ///< keys of a block at one kernel row
  WorkspaceLayout layout;
  WorkspaceLayout::Slots keys, terms, staged;

  Plan(const MaxPool2dBackwardGeometry& g, int threads);
  Scratch scratch(std::byte* workspace, int slot) const;
};

bool legal(const MaxPool2dBackwardGeometry& g);

inline constexpr MaxPool2dBackwardKernel kRow = mask_kernel<Plan>("mask pairs", legal);

template <class Scalar>
void write_tile(const MaxPool2dBackwardGeometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
                const Scratch& scratch, InstructionSet set);

}  // namespace gradproof::kernels::mask_pairs
