// The row of both 3-D pool gradients for float planes that stay in the caches: sums stand in
// gradInput itself.
//
// A plane is cleared, its indices are looked at, and terms are added where they point, in ascending
// order, wherever in the plane that is. Clearing is by vectors: memset() of some KiB is one long
// instruction, and the additions that follow wait until it is done.
#pragma once

#include "opt/kernels/indexed_plane.h"

namespace gradproof::kernels::index_planes {

/// Of a call: in smaller ones nothing is gained.
inline constexpr std::int64_t kLeastPositions = 8192;
/// Of a plane: it stays in the first cache, or nearly so.
inline constexpr std::int64_t kMostPositions = 16384;

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
