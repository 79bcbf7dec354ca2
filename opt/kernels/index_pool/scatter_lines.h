// The kernel of both 3-D pool gradients for few outputs. Most cache lines of gradInput are zeros,
// which are streamed without sums; only the other lines are summed, in scratch.
//
// A tile is several whole planes, or some slices of a large plane. The kernel reads the outputs
// twice. First it sets the bit of each line that an index points to, in a bitmap. A line's place in
// scratch is the number of bits set before its own. Then it adds the terms there, in ascending
// order. The lines are written in order, each once. It declines if an index points to slices that
// its window does not reach.
#pragma once

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::scatter_lines {

inline constexpr std::int64_t kLeastPositions = 256;     ///< of gradInput for each output
inline constexpr std::int64_t kMostOutputs = 4096;       ///< that may reach a tile
inline constexpr std::int64_t kMostPositions = 1 << 20;  ///< of a tile
inline constexpr std::int64_t kMarks = 64;               ///< bits of a word

/// What a worker works in.
struct Scratch {
  std::uint64_t* marks;  ///< bitmap of non-zero lines: a bit for each line of the tile
  std::uint32_t* ranks;  ///< bits set before each word
  float* sums;           ///< of non-zero lines
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

  /// Writes a tile. Returns false, and the tile's content is undefined, if the kernel must decline.
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
