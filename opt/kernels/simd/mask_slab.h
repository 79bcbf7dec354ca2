// The fast row of the 2-D pool's gradient: gradInput row by row, each element once, in registers.
//
// Columns with one remainder modulo the stride get their terms from the same kernel positions, and
// neighbours among them from neighbouring outputs. So a vector of such columns is a sum of vectors
// of terms, each selected by one test of the words' bits. No sums are kept in memory, and vectors
// that overlap are only ever read: a form that scatters into rows of sums stalls on stores that the
// next load half overlaps, and took four times as long. What a row is made of is found once for the
// 16 channels that share its words. Finished rows are gathered into whole lines and streamed out.
#pragma once

#include "opt/kernels/simd/mask_tiles.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_slab {

inline constexpr std::int64_t kMostSources = 64;  ///< positions of a kernel
inline constexpr std::int64_t kMostStride = 32;   ///< along a row
inline constexpr std::int64_t kSpare = 16;        ///< lanes of the longest vector

/// What a worker works in.
struct Scratch {
  float* terms;          ///< of each channel term_rows rows, zeros around the terms
  std::uint32_t* words;  ///< of each source of a row
  std::byte* row;        ///< scalars of one row with one remainder
  std::byte* staged;     ///< of each channel, finished scalars that do not fill a line yet
};

/// Of a geometry with at least one plane.
struct Plan : MaskTiles {
  WindowAxis h, w;
  std::int64_t term_rows = 0;  ///< rows of outputs that one row can need, and one; a power of 2
  std::int64_t front = 0, pitch = 0;  ///< floats before the first term, and of a row of terms
  std::int64_t staged = 0;            ///< bytes of a channel
  WorkspaceLayout layout;
  WorkspaceLayout::Slots terms, words, row, rows_staged;

  Plan(const MaxPool2dBackwardGeometry& g, int threads);
  Scratch scratch(std::byte* workspace, int slot) const;
};

bool legal(const MaxPool2dBackwardGeometry& g);

inline constexpr MaxPool2dBackwardKernel kRow = mask_kernel<Plan>("mask rows", legal);

template <class Scalar>
void write_tile(const MaxPool2dBackwardGeometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
                const Scratch& scratch, InstructionSet set);

}  // namespace gradproof::kernels::mask_slab
