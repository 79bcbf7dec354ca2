// The row of both 3-D pool gradients for views whose channels lie side by side (channels last):
// memory is walked in its own order, and nothing is copied.
//
// A tile is some slices of gradInput of kChannels channels. Outputs whose windows reach them are
// walked in ascending order, all channels of one output together; float sums stand in scratch,
// channels innermost, and are rounded and streamed out when all terms are in.
#pragma once

#include "opt/kernels/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_channels {

inline constexpr std::int64_t kChannels =
    32;  ///< of a tile: a line in 16 bits; parts of it are copied
inline constexpr std::int64_t kMostPositions = 8192;  ///< of a tile: 1 MiB of sums, for L2

/// Of a geometry with at least one position.
struct Plan {
  WindowAxis d;
  std::int64_t slice = 0;              ///< positions of one d
  std::int64_t groups = 0;             ///< of channels
  std::int64_t depth = 0, depths = 0;  ///< slices of a tile, tiles of a group
  std::int64_t tiles = 0;              ///< groups of the same slices follow each other
  bool streaming = false;              ///< gradInput is too large for caches
  int workers = 1;
  WorkspaceLayout layout;
  WorkspaceLayout::Slots sums;  ///< of a tile's positions, and one more for terms of other tiles

  Plan(const MaxPool3dBackwardGeometry& g, int threads);
};

bool legal(const MaxPool3dBackwardGeometry& g);
std::uint64_t workspace(const MaxPool3dBackwardGeometry& g, int threads);
Outcome run(const MaxPool3dBackwardGeometry& g, const MaxPool3dBackwardBuffers& b,
            const Launch& launch);

inline constexpr MaxPool3dBackwardKernel kRow = {"channels", legal, workspace, run};

/// Writes a tile, whose sums are 0 before and afterwards. False, and nothing is known of the tile
/// and the sums, if an index lies outside its window's slices.
template <class Scalar>
bool write_tile(const MaxPool3dBackwardGeometry& g, const Plan& plan,
                const MaxPool3dBackwardBuffers& b, std::int64_t tile, float* sums,
                InstructionSet set);

}  // namespace gradproof::kernels::index_channels
