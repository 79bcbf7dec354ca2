// The row of both 3-D pool gradients for float planes that stay in the caches: sums stand in
// gradInput itself, so that there is no ring to set up and to copy from.
//
// A plane is cleared, its indices are looked at, and terms are added where they point, in ascending
// order, wherever in the plane that is.
#pragma once

#include "opt/kernels/indexed_plane.h"

namespace gradproof::kernels::index_planes {

inline constexpr std::int64_t kLeastPositions = 1024;  ///< of a call; less is hardly gained on
inline constexpr std::int64_t kMostPositions = 16384;  ///< of a plane; more are worth two workers

bool legal(const MaxPool3dBackwardGeometry& g);
std::uint64_t workspace(const MaxPool3dBackwardGeometry& g, int threads);
Outcome run(const MaxPool3dBackwardGeometry& g, const MaxPool3dBackwardBuffers& b,
            const Launch& launch);

inline constexpr MaxPool3dBackwardKernel kRow = {"planes", legal, workspace, run};

/// A plane without gaps.
struct Extent {
  std::int64_t volume, outputs;
};

/// Writes a plane. Returns the first output whose index is outside the plane, or -1.
std::int64_t write_plane(const Extent& extent, const IndexedPlane<float>& plane,
                         InstructionSet set);

}  // namespace gradproof::kernels::index_planes
