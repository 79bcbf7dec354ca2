// The kernel of both 3-D pool gradients for few outputs: most lines of gradInput hold nothing but
// zeros, which are streamed out at once; the others are summed in scratch.
//
// A tile is some whole planes, or slices of one that is large. Its outputs are walked twice: first
// each marks the line that its index points to, then, a marked line's place in scratch being the
// number of marks before it, terms are added in ascending order. The lines are written in order,
// each once. It declines if an index is outside the range where its tile looks for it.
#pragma once

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::scatter_lines {

inline constexpr std::int64_t kLeastPositions = 64;      ///< of gradInput for each output
inline constexpr std::int64_t kMostOutputs = 4096;       ///< that may reach a tile
inline constexpr std::int64_t kMostPositions = 1 << 20;  ///< of a tile
inline constexpr std::int64_t kMarks = 64;               ///< of a word

/// What a worker works in.
struct Scratch {
  std::uint64_t* marks;  ///< a bit for each line of the tile
  std::uint32_t* ranks;  ///< marks before each word
  float* sums;           ///< of marked lines
};

struct Plan final : MaxPool3dBackwardPlan {
  std::int64_t planes = 0, volume = 0, outputs = 0;  ///< volume and outputs per plane
  std::int64_t slice = 0;                            ///< positions of one d
  WindowAxis d;
  std::int64_t group = 1;              ///< planes of a tile; more than one only if they are whole
  std::int64_t depth = 0, depths = 1;  ///< slices of a tile, tiles of a plane
  std::int64_t tiles = 0;
  bool streaming = false;  ///< gradInput is too large for caches
  int workers = 1;
  std::int64_t most_marks = 0;  ///< of a tile
  WorkspaceLayout::Slots marks, ranks, sums;

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

  /// Writes a tile. False, and nothing is known of it, if an index is where it does not look.
  using Body = bool(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t tile,
                    const Scratch& scratch);
  static Body* body_of(InstructionSet set);
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool3dBackwardGeometry& g);
bool preferred(const MaxPool3dBackwardGeometry& g, const Machine&);

inline constexpr MaxPool3dBackwardKernel kKernel = {"scatter lines", supports, preferred,
                                                    make_plan<Plan>, true};

}  // namespace gradproof::kernels::index_pool::scatter_lines
