// The kernel of ReplicationPad2dBackward for every geometry: each gradInput row adds up the
// gradOutput rows that were copied from it, then folds the columns beyond its two ends.
#pragma once

#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/vector/planes.h"

namespace gradproof::kernels::pad::gather_rows {

struct Plan final : ReplicationPadBackwardPlan {
  Planes planes;
  RowTiling tiling;
  WorkspaceLayout::Slots sums;  ///< per worker one gradOutput row of sums, where rows are added up

  Plan(const ReplicationPadBackwardGeometry& g, const Machine& on);
  Outcome run(const ReplicationPadBackwardBuffers& b, std::byte* workspace) const override;

 private:
  template <class Scalar>
  void run_as(const ReplicationPadBackwardBuffers& b, std::byte* workspace) const;
};

/// Ends the table.
inline constexpr ReplicationPadBackwardKernel kKernel = {"gather rows", all_geometries,
                                                         where_supported, make_plan<Plan>};

}  // namespace gradproof::kernels::pad::gather_rows
