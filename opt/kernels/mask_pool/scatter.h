// The kernel of the 2-D pool's gradient for every geometry: visits the mask words that can point
// into a block of gradInput of one group of 16 channels, and adds terms in scratch, one small plane
// a channel.
#pragma once

#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels::mask_pool::scatter {

struct Plan final : MaxPool2dBackwardPlan {
  MaskLayout mask;
  Axes2 block, blocks;  ///< extent of a tile, and how many of them cover the plane
  std::int64_t tiles = 0;
  int workers = 1;
  WorkspaceLayout::Slots sums;

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;

 private:
  template <class Scalar>
  void run_as(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const;
};

/// Ends the table.
inline constexpr MaxPool2dBackwardKernel kKernel = {"scatter", all_geometries, where_supported,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::mask_pool::scatter
