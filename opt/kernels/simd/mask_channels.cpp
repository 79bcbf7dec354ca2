// Planning and walking the rows of mask_channels.h.
#include "opt/kernels/simd/mask_channels.h"

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/simd/mask_tiles.h"
#include "opt/kernels/simd/stream.h"

namespace gradproof::kernels::mask_channels {
namespace {

using Geometry = MaxPool2dBackwardGeometry;
using Buffers = MaxPool2dBackwardBuffers;

}  // namespace

bool legal(const Geometry& g) {
  return g.n > 0 && g.c % kChannels == 0 && g.grad_output.c == 1 && g.grad_input.c == 1;
}

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  const MaskLayout mask(g.c, g.kernel, g.out);
  const std::int64_t parts_of_row = g.c / kChannels;
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  const bool streaming = saturating_mul(g.n * g.c, g.in.h * g.in.w) >= kStreamedBytes / size;
  // Parts of a row follow each other, so that memory is walked in its own order.
  const RowTiling tiling =
      tile_rows(g.n * g.in.h * parts_of_row, 2 * kChannels * g.in.w, launch.threads);
  visit_mask_scalar(g, [&](auto type) {
    using Scalar = typename decltype(type)::type;
    const Strides4 &s = g.grad_output, &t = g.grad_input;
    parallel_rows(tiling, [&](std::int64_t row, int) {
      const std::int64_t c = row % parts_of_row * kChannels;
      const std::int64_t h = row / parts_of_row % g.in.h, n = row / parts_of_row / g.in.h;
      write_row<Scalar>(g,
                        {static_cast<const Scalar*>(b.grad_output) + n * s.n + c,
                         b.mask + mask.at(n * mask.groups + c / MaskLayout::kChannels, 0, 0),
                         static_cast<Scalar*>(b.grad_input) + n * t.n + h * t.h + c, h},
                        streaming, launch.instruction_set);
    });
  });
  return {};
}

}  // namespace gradproof::kernels::mask_channels
