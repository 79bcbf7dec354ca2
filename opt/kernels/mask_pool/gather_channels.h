// The kernel of the 2-D pool's gradient for views whose channels are contiguous (channels last):
// a mask word selects lanes of a vector of terms in memory, and nothing is copied.
//
// A tile is a row of gradInput of kChannels channels, or of the 16 that are left. Each position's
// terms are added in registers, in ascending output position, rounded, and stored as whole lines.
#pragma once

#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels::mask_pool::gather_channels {

inline constexpr std::int64_t kChannels = 32;  ///< of a tile: a line in 16 bits

/// Row h of a tile's channels.
template <class Scalar>
struct Row {
  const Scalar* grad_output;  ///< of the sample's first output
  const std::uint8_t* mask;   ///< of the first channels' group
  Scalar* grad_input;         ///< the row's first position
  std::int64_t h, channels;   ///< channels: kChannels, or those of one word
};

struct Plan final : MaxPool2dBackwardPlan {
  MaskLayout mask;
  std::int64_t groups = 0;  ///< of channels
  bool streaming = false;   ///< gradInput is too large for caches
  RowTiling tiling;

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;

  /// Row `index` of all rows of all groups. Groups of a row follow each other, so that memory is
  /// read and written in its own order.
  template <class Scalar>
  Row<Scalar> row(const MaxPool2dBackwardBuffers& b, std::int64_t index) const {
    const Strides4 &s = g.grad_output, &t = g.grad_input;
    const std::int64_t c = index % groups * kChannels;
    const std::int64_t h = index / groups % g.in.h, n = index / groups / g.in.h;
    return {static_cast<const Scalar*>(b.grad_output) + n * s.n + c,
            b.mask + mask.at(n * mask.groups + c / MaskLayout::kChannels, 0, 0),
            static_cast<Scalar*>(b.grad_input) + n * t.n + h * t.h + c, h,
            std::min(kChannels, g.c - c)};
  }

  using Body = void(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index);
  static Body* body_of(InstructionSet set);  ///< writes a row
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool2dBackwardGeometry& g);

inline constexpr MaxPool2dBackwardKernel kKernel = {"gather channels", supports, where_supported,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::mask_pool::gather_channels
