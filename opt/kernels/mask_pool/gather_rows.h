// The kernel of the 2-D pool's gradient: each element once, in registers, block by block.
//
// Columns with the same remainder modulo the stride get their terms from the same kernel positions,
// and neighbours among them from neighbouring outputs; rows likewise. So the sums of such columns,
// in all rows of a block, are sums of vectors of terms, each selected by one test of the words'
// bits. Ends of rows need no test, because words beyond a row's outputs are zeros. A block is small
// enough that its words stay in the L1 cache for all 16 channels that share them. Sums are never in
// memory: a load that half overlaps a recent store stalls.
#pragma once

#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_pool::gather_rows {

inline constexpr std::int64_t kMostSources = 64;  ///< positions of a kernel
inline constexpr std::int64_t kMostStride = 32;   ///< along a row
inline constexpr std::int64_t kWordsPitch = 640;  ///< words of a kernel position in a block
inline constexpr std::int64_t kSpare = 64;        ///< scalars by which vectors run over an end

/// What a worker works in.
struct Scratch {
  float* terms;          ///< of a block of two channels in turn
  std::uint16_t* words;  ///< of a block, for each kernel position
  std::byte* row;        ///< scalars of one remainder
  std::byte* staging;    ///< rounded results of a block of two channels in turn, by row remainder
  std::byte* staged;     ///< finished rows that do not fill a line yet
};

struct Plan final : MaxPool2dBackwardPlan, MaskTiles {
  WindowAxis h, w;
  std::int64_t block_rows = 0;                      ///< of gradInput
  std::int64_t staging_rows = 0;                    ///< remainders of rows in the staging buffer
  std::int64_t front = 0;                           ///< floats before the first term
  std::int64_t terms_pitch = 0, staging_pitch = 0;  ///< in elements
  WorkspaceLayout::Slots terms, words, row, staging, staged;

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;
  Scratch scratch(std::byte* workspace, int slot) const;

  using Body = void(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                    const Scratch& scratch);
  static Body* body_of(InstructionSet set);  ///< writes a tile
  Body* body = body_of(machine.instruction_set);
};

bool supports(const MaxPool2dBackwardGeometry& g);

/// Whether windows are 3 × 3 and move by one, rows have as many outputs as elements, and a block's
/// sums are contiguous in gradInput.
bool runs_of_threes(const MaxPool2dBackwardGeometry& g, const Machine&);

inline constexpr MaxPool2dBackwardKernel kKernel = {"gather rows", supports, where_supported,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::mask_pool::gather_rows
