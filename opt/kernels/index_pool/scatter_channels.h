// The kernel of both 3-D pool gradients for views whose channels are contiguous (channels last):
// memory is read and written in its own order, and nothing is copied.
//
// A tile is some slices of gradInput, or some rows of one slice, in kChannels channels; the last
// group of channels may have kFewChannels. The kernel reads the outputs whose windows reach these
// positions in ascending order, all channels of an output together. Float sums are in scratch,
// channels innermost, and are rounded and written when all terms are added. The tiles count the
// terms that they add: a term that none of them adds has an index outside its window.
#pragma once

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::scatter_channels {

inline constexpr std::int64_t kChannels = 32;     ///< of a tile: a line in 16 bits
inline constexpr std::int64_t kFewChannels = 16;  ///< of the last group, if no more are left
inline constexpr std::int64_t kMostPositions =
    8192;                                          ///< of a tile of slices: 1 MiB of sums, for L2
inline constexpr std::int64_t kMostInRows = 2048;  ///< of a tile of rows: 256 KiB of sums

struct Plan final : MaxPool3dBackwardPlan {
  WindowAxis d, h;
  std::int64_t groups = 0;             ///< of channels
  std::int64_t depth = 0, rows = 0;    ///< of a tile; all rows where it has several slices
  std::int64_t depths = 0, bands = 0;  ///< tiles along d and h
  std::int64_t tiles = 0;              ///< groups of the same positions follow each other
  bool streaming = false;              ///< gradInput is too large for caches
  int workers = 1;
  WorkspaceLayout::Slots sums;  ///< of a tile's positions, and one more for terms of other tiles
  WorkspaceLayout::Slots used;  ///< whether a slot's sums were cleared

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  /// Declines if an index is outside the plane, or in a tile that its window does not reach.
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

  std::int64_t sums_each() const { return (depth * rows * g.in.w + 1) * std::min(kChannels, g.c); }

  /// Writes a tile; its sums are 0 before and afterwards. Returns how many terms it added.
  using Body = std::int64_t(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t tile,
                            float* sums);
  static Body* body_of(InstructionSet set);
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool3dBackwardGeometry& g);
bool preferred(const MaxPool3dBackwardGeometry& g, const Machine&);

inline constexpr MaxPool3dBackwardKernel kKernel = {"scatter channels", supports, preferred,
                                                    make_plan<Plan>, true};

}  // namespace gradproof::kernels::index_pool::scatter_channels
