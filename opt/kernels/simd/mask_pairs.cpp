// Planning of mask_pairs.h.
#include "opt/kernels/simd/mask_pairs.h"

#include "opt/kernels/simd/column_pairs.h"
#include "opt/kernels/simd/staged_rows.h"

namespace gradproof::kernels::mask_pairs {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

}  // namespace

Plan::Plan(const Geometry& g, int threads) : MaskTiles(g, threads, whole_rows(g)) {
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  const std::int64_t outputs = (columns + 1) / 2;  // of a row of a tile
  block_rows = std::clamp<std::int64_t>(kOutputs / outputs, 1, g.out.h);
  pitch = 2 * block_rows * outputs + kPairSpare;
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  keys = layout.take_slots(workers, count(g.kernel.h * pitch), count(size));
  terms = layout.take_slots(workers, count(2 * pitch), count(size));
  staged =
      layout.take_slots(workers, count(staged_bytes(block_rows * g.stride.h * columns * size)), 1);
}

bool legal(const Geometry& g) {
  const bool rows_of_lanes = (g.grad_output.w == 1 || g.out.w == 1) &&  //
                             (g.grad_input.w == 1 || g.in.w == 1);
  return g.n > 0 && g.kernel.w == 2 && g.stride.w == 2 && g.padding.w == 0 &&
         g.kernel.h <= std::min(g.stride.h, kMostRows) && g.stride.h <= kMostStride &&
         rows_of_lanes;
}

Scratch Plan::scratch(std::byte* workspace, int slot) const {
  return {keys.at<std::byte>(workspace, slot), terms.at<std::byte>(workspace, slot),
          staged.at<std::byte>(workspace, slot)};
}

}  // namespace gradproof::kernels::mask_pairs
