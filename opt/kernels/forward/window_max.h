// The forward of both 3-D pools: the maximum of every window and its flat position in the plane.
#pragma once

#include "opt/kernels/forward/forward.h"

namespace gradproof::kernels::window_max {

struct Plan final : MaxPool3dPlan {
  using MaxPool3dPlan::MaxPool3dPlan;
  Outcome run(const MaxPool3dBuffers& b, std::byte* workspace) const override;
};

/// Ends the table of either operator.
inline constexpr MaxPool3dKernel kKernel = {"windows", all_geometries, where_supported,
                                            make_plan<Plan>};

}  // namespace gradproof::kernels::window_max
