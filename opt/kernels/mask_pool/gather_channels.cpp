// Planning and walking the rows of gather_channels.h.
#include "opt/kernels/mask_pool/gather_channels.h"

#include "opt/base/checked.h"
#include "opt/kernels/mask_pool/tiles.h"

namespace gradproof::kernels::mask_pool::gather_channels {

using Geometry = MaxPool2dBackwardGeometry;

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on),
      mask(g.c, g.kernel, g.out),
      groups(parts(g.c, kChannels)) {
  const std::int64_t size = bytes_of(g.element);
  streaming = saturating_mul(g.n * g.c, g.in.h * g.in.w) >= on.streamed_bytes(false) / size;
  tiling = tile_rows(g.n * g.in.h * groups, 2 * kChannels * g.in.w, on);
  tiling.streaming = streaming;
}

bool supports(const Geometry& g) {
  return g.n > 0 && g.c % MaskLayout::kChannels == 0 && g.grad_output.c == 1 && g.grad_input.c == 1;
}

Outcome Plan::run(const MaxPool2dBackwardBuffers& b, std::byte*) const {
  parallel_rows(tiling, [&](std::int64_t index, int) { body(*this, b, index); });
  return {};
}

}  // namespace gradproof::kernels::mask_pool::gather_channels
