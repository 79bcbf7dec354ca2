// The fast row of the 2-D pool's gradient: gradInput row by row, each element once, in registers.
//
// Columns with one remainder modulo the stride get their terms from the same kernel positions, and
// neighbours among them from neighbouring outputs. So a vector of such columns is a sum of vectors
// of terms, each selected by one test of the words' bits. No sums are kept in memory, and vectors
// that overlap are only ever read: a form that scatters into rows of sums stalls on stores that the
// next load half overlaps, and took four times as long. What a row is made of is found once for the
// 16 channels that share its words. Finished rows are gathered into whole lines and streamed out.
#pragma once

#include "opt/kernels/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_slab {

inline constexpr std::int64_t kMostSources = 64;  ///< positions of a kernel
inline constexpr std::int64_t kMostStride = 32;   ///< along a row
inline constexpr std::int64_t kSpare = 16;        ///< lanes of the longest vector

/// Of a geometry with at least one plane.
struct Plan {
  MaskLayout mask;
  std::int64_t mask_bytes = 0;
  WindowAxis h, w;
  std::int64_t rows = 0, row_bands = 0;          ///< gradInput rows of a tile
  std::int64_t columns = 0, column_bands = 0;    ///< gradInput columns of a tile
  std::int64_t channels = 1, channel_parts = 1;  ///< channels of a tile, parts of a mask group
  std::int64_t term_rows = 0;  ///< rows of outputs that one row can need, and one; a power of 2
  std::int64_t front = 0, pitch = 0;  ///< floats before the first term, and of a row of terms
  std::int64_t staged_bytes = 0;      ///< of a channel
  std::int64_t tiles = 0;
  bool streaming = false;
  int workers = 1;
  WorkspaceLayout layout;
  WorkspaceLayout::Slots terms, words, row, staged;

  Plan(const MaxPool2dBackwardGeometry& g, int threads);
};

/// What a worker works in.
struct Scratch {
  float* terms;          ///< of each channel term_rows rows, zeros around the terms
  std::uint32_t* words;  ///< of each source of a row
  std::byte* row;        ///< scalars of one row with one remainder
  std::byte* staged;     ///< of each channel, finished scalars that do not fill a line yet
};
inline constexpr std::int64_t kStaged = 1024;  ///< bytes, beside a row

/// Rows h and columns w of the planes of channels that share words.
template <class Scalar>
struct Tile {
  const Scalar* grad_output;  ///< of the first plane
  const std::uint8_t* mask;
  std::int64_t group;  ///< n·groups + c/16
  std::uint32_t bit;   ///< the first channel's in its words
  std::int64_t channels;
  Scalar* grad_input;  ///< of the first plane
  Span h, w;
};

bool legal(const MaxPool2dBackwardGeometry& g);
std::uint64_t workspace(const MaxPool2dBackwardGeometry& g, int threads);
Outcome run(const MaxPool2dBackwardGeometry& g, const MaxPool2dBackwardBuffers& b,
            const Launch& launch);

inline constexpr MaxPool2dBackwardKernel kRow = {"mask rows", legal, workspace, run};

template <class Scalar>
void write_tile(const MaxPool2dBackwardGeometry& g, const Plan& plan, const Tile<Scalar>& tile,
                const Scratch& scratch, InstructionSet set);

}  // namespace gradproof::kernels::mask_slab
