// Planning and walking the rows of mask_channels.h.
#include "opt/kernels/simd/mask_channels.h"

#include "opt/base/checked.h"
#include "opt/kernels/simd/mask_tiles.h"

namespace gradproof::kernels::mask_channels {

using Geometry = MaxPool2dBackwardGeometry;

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on), mask(g.c, g.kernel, g.out), groups(g.c / kChannels) {
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  streaming = saturating_mul(g.n * g.c, g.in.h * g.in.w) >= kStreamedBytes / size;
  // Parts of a row follow each other, so that memory is walked in its own order.
  tiling = tile_rows(g.n * g.in.h * groups, 2 * kChannels * g.in.w, on.threads);
}

bool supports(const Geometry& g) {
  return g.n > 0 && g.c % kChannels == 0 && g.grad_output.c == 1 && g.grad_input.c == 1;
}

Outcome Plan::run(const MaxPool2dBackwardBuffers& b, std::byte*) const {
  visit_mask_scalar(g, [&](auto type) {
    using Scalar = typename decltype(type)::type;
    const Strides4 &s = g.grad_output, &t = g.grad_input;
    parallel_rows(tiling, [&](std::int64_t row, int) {
      const std::int64_t c = row % groups * kChannels;
      const std::int64_t h = row / groups % g.in.h, n = row / groups / g.in.h;
      write_row<Scalar>(g,
                        {static_cast<const Scalar*>(b.grad_output) + n * s.n + c,
                         b.mask + mask.at(n * mask.groups + c / MaskLayout::kChannels, 0, 0),
                         static_cast<Scalar*>(b.grad_input) + n * t.n + h * t.h + c, h},
                        streaming, machine.instruction_set);
    });
  });
  return {};
}

}  // namespace gradproof::kernels::mask_channels
