// The kernel of the 2-D pool's gradient for views whose channels lie side by side (channels last): a
// mask word selects lanes of a vector of terms as they lie in memory, and nothing is copied.
//
// A tile is a row of gradInput of kChannels channels. Each position's terms are added in
// registers, in ascending output position, rounded, and stored as whole lines.
#pragma once

#include "opt/kernels/max_pool2d_with_mask_backward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels::mask_channels {

inline constexpr std::int64_t kChannels = 32;  ///< of a tile: a line in 16 bits

struct Plan final : MaxPool2dBackwardPlan {
  MaskLayout mask;
  std::int64_t groups = 0;  ///< of channels
  bool streaming = false;   ///< gradInput is too large for caches
  RowTiling tiling;

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;
};

bool supports(const MaxPool2dBackwardGeometry& g);

inline constexpr MaxPool2dBackwardKernel kKernel = {"mask channels", supports, where_supported,
                                                    make_plan<Plan>};

/// Row h of kChannels channels.
template <class Scalar>
struct Row {
  const Scalar* grad_output;  ///< of the sample's first output
  const std::uint8_t* mask;   ///< of the first channels' group
  Scalar* grad_input;         ///< the row's first position
  std::int64_t h;
};

template <class Scalar>
void write_row(const MaxPool2dBackwardGeometry& g, const Row<Scalar>& row, bool streaming,
               InstructionSet set);

}  // namespace gradproof::kernels::mask_channels
