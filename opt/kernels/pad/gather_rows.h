// The kernel of ReplicationPad2dBackward for every geometry: each gradInput row adds up the
// gradOutput rows that were copied from it, then folds the columns beyond its two ends.
//
// Where one of the two tensors has its channels side by side and the other its columns, finished
// rows of many channels are transposed together.
#pragma once

#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/vector/copy_view.h"
#include "opt/kernels/vector/planes.h"

namespace gradproof::kernels::pad::gather_rows {

struct Plan final : ReplicationPadBackwardPlan {
  Planes planes;
  std::int64_t together = 1;  ///< channels that are transposed together; 1: none are
  std::int64_t groups = 0;    ///< each of planes whose rows are gathered together
  RowTiling tiling;           ///< of rows of groups
  bool streaming = false;  ///< whether transposed rows are streamed: gradInput exceeds the caches
  WorkspaceLayout::Slots sums;  ///< per worker one gradOutput row of sums, where rows are added up
  WorkspaceLayout::Slots finished;  ///< per worker the gradInput rows that are to be transposed

  Plan(const ReplicationPadBackwardGeometry& g, const Machine& on);
  Outcome run(const ReplicationPadBackwardBuffers& b, std::byte* workspace) const override;

 private:
  template <class Scalar>
  void run_as(const ReplicationPadBackwardBuffers& b, std::byte* workspace) const;
  template <class Scalar>
  void gather_crossed(const ReplicationPadBackwardBuffers& b, std::int64_t group, std::int64_t h,
                      SumOf<Scalar>* of_row, Scalar* row) const;

  const copying::CopyBlock copy = copying::copy_block(machine.instruction_set);
};

/// Ends the table.
inline constexpr ReplicationPadBackwardKernel kKernel = {"gather rows", all_geometries,
                                                         where_supported, make_plan<Plan>};

}  // namespace gradproof::kernels::pad::gather_rows
