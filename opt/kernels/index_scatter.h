// The sum of both 3-D pool gradients: gradInput[n,c].flat[indices[n,c].flat[o]] +=
// gradOutput[n,c].flat[o] in ascending o. Serves any index, so it is legal for every geometry.
#pragma once

#include "opt/kernels/max_pool3d_with_argmax_backward.h"

namespace gradproof::kernels::index_scatter {

std::uint64_t workspace(const MaxPool3dBackwardGeometry& geometry, int threads);
Outcome run(const MaxPool3dBackwardGeometry& geometry, const MaxPool3dBackwardBuffers& buffers,
            const Launch& launch);

/// The row that ends the table of either operator.
inline constexpr MaxPool3dBackwardKernel kRow = {
    "scatter", [](const MaxPool3dBackwardGeometry&) { return true; }, workspace, run};

}  // namespace gradproof::kernels::index_scatter
