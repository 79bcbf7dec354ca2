// The sum of both 3-D pool gradients: gradInput[n,c].flat[indices[n,c].flat[o]] +=
// gradOutput[n,c].flat[o] in ascending o. Serves every geometry and any index.
#pragma once

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"

namespace gradproof::kernels::index_pool::scatter {

struct Plan final : MaxPool3dBackwardPlan {
  std::int64_t planes = 0, volume = 0, outputs = 0;  ///< volume and outputs per plane
  std::int64_t rows = 0;                             ///< gradInput rows of a plane
  std::int64_t parts = 1, rows_per_part = 0;
  int workers = 1;
  WorkspaceLayout::Slots sums;  ///< per worker the sums of one part, for 16-bit types

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;
};

/// Ends the table of either operator.
inline constexpr MaxPool3dBackwardKernel kKernel = {"scatter", all_geometries, where_supported,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::index_pool::scatter
