// The forward of both 3-D pools: the maximum of every window and its flat position in the plane.
#pragma once

#include "opt/kernels/forward.h"

namespace gradproof::kernels::window_max {

Outcome run(const MaxPool3dGeometry& geometry, const MaxPool3dBuffers& buffers,
            const Launch& launch);

/// The row that ends the table of either operator.
inline constexpr MaxPool3dKernel kRow = {
    "windows", [](const MaxPool3dGeometry&) { return true; },
    [](const MaxPool3dGeometry&, int) -> std::uint64_t { return 0; }, run};

}  // namespace gradproof::kernels::window_max
