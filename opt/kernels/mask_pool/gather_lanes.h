// The kernel of the 2-D pool's gradient for many channels: a vector is the 16 channels that share
// words.
//
// A mask word selects lanes directly: no bit is tested for a single channel, terms are never loaded
// across lines, and windows at edges and rows of a few columns waste no lane. A tile's terms are
// transposed once, channels side by side. Sums of a few rows are transposed back: into
// gradInput where its planes are dense (streamed results: only where a vector is a whole line),
// else into a staging buffer, from which whole lines are streamed.
#pragma once

#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_pool::gather_lanes {

inline constexpr std::int64_t kLanes = MaskLayout::kChannels;
inline constexpr std::int64_t kFewChannels = 8;  ///< fewer would leave half of the lanes empty
inline constexpr std::int64_t kFewTerms =
    4;  ///< of an element: with fewer, transposing does not pay
inline constexpr std::int64_t kFewColumns = 12;  ///< of a row, which then fills no vector
inline constexpr std::int64_t kMostKernel =
    16;  ///< on an axis: rows of words end with 16 unused ones
inline constexpr std::int64_t kMostStride =
    1 << 20;                                      ///< so that numbers of mask bits do not overflow
inline constexpr std::int64_t kPositions = 2048;  ///< of a tile, about
inline constexpr std::int64_t kColumns = 256;     ///< of a tile
inline constexpr std::int64_t kBatch = 256;       ///< positions that are transposed back together
/// From so many positions of a window on, scattering terms is faster than testing words: with AVX2
/// in FLOAT, with AVX2 in 16 bits, and with AVX-512, which tests 16 channels at once.
inline constexpr std::int64_t kScattered = 9, kScatteredHalves = 16, kScatteredWide = 26;
inline constexpr std::int64_t kTogether = 8;  ///< channels whose sums share the L1 cache

/// What a worker works in.
struct Scratch {
  float* terms;           ///< of a tile, kLanes a position; zeros where rows of outputs end
  std::uint32_t* sums;    ///< of a batch of rows, rounded, kLanes a position
  std::byte* staging;     ///< rounded results of a tile, channel by channel
  float* linear;          ///< where terms are scattered: of kTogether channels
  float* planes;          ///< and their sums, with the padding's rows
  std::uint16_t* places;  ///< where the terms go: of 16 outputs, by channel
};

struct Plan final : MaxPool2dBackwardPlan, MaskTiles {
  WindowAxis h, w;
  std::int64_t batch_rows = 0, border = 0;
  /// Of a plane of sums that terms are scattered into, with the padding's; 0 where none are.
  std::int64_t scatter_rows = 0;
  WorkspaceLayout::Slots terms, sums, staging, linear, planes, places;

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;
  Scratch scratch(std::byte* workspace, int slot) const;

  using Body = void(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                    const Scratch& scratch);
  static Body* body_of(InstructionSet set);  ///< writes a tile
  Body* body = body_of(machine.instruction_set);
};

bool supports(const MaxPool2dBackwardGeometry& g);
bool preferred(const MaxPool2dBackwardGeometry& g, const Machine& machine);

inline constexpr MaxPool2dBackwardKernel kKernel = {"gather lanes", supports, preferred,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::mask_pool::gather_lanes
