// The kernel of UpsampleBilinear2dBackwardV2 for every geometry: a gradInput row is the weighted
// sum of the gradOutput rows that reach it, then each of its elements the weighted sum of the
// columns that reach it. The order of the additions is the one that all kernels of the table share.
#pragma once

#include "opt/kernels/parallel.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"
#include "opt/kernels/vector/planes.h"

namespace gradproof::kernels::upsample::gather {

struct Plan final : UpsampleBackwardPlan {
  Planes planes;
  RowTiling tiling;
  GatherArea h, w;
  WorkspaceLayout::Slots column_sums;  ///< per worker one gradOutput row
  WorkspaceLayout::Slots results;      ///< per worker one gradInput row, as float

  Plan(const UpsampleBackwardGeometry& g, const Machine& on);
  Outcome run(const UpsampleBackwardBuffers& b, std::byte* workspace) const override;

 private:
  std::int64_t work_per_row() const;
  template <class Scalar>
  void run_as(const UpsampleBackwardBuffers& b, std::byte* workspace) const;
};

/// Ends the table.
inline constexpr UpsampleBackwardKernel kKernel = {"gather", all_geometries, where_supported,
                                                   make_plan<Plan>};

}  // namespace gradproof::kernels::upsample::gather
