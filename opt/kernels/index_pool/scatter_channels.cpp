// Planning and walking the tiles of scatter_channels.h.
#include "opt/kernels/index_pool/scatter_channels.h"

#include <algorithm>
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels::index_pool::scatter_channels {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kTilesPerWorker = 4;  // for balance

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on),
      d{g.in.d, g.out.d, !g.windows, g.kernel.d, g.stride.d, g.padding.d},
      slice(g.in.h * g.in.w),
      groups(g.c / kChannels) {
  const std::int64_t outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t work = saturating_mul(g.n * g.c, saturating_add(g.in.d * slice, outputs));
  const std::int64_t most = worker_count(on, g.n * groups * g.in.d, work);
  const std::int64_t wanted = most > 1 ? parts(most * kTilesPerWorker, g.n * groups) : 1;
  depth = std::min(parts(g.in.d, std::min(wanted, g.in.d)),
                   std::max<std::int64_t>(1, on.block(kMostPositions) / slice));
  // Tiles of whole windows where these do not overlap: outputs that reach two tiles are read twice.
  if (g.windows && depth > g.stride.d) depth = depth / g.stride.d * g.stride.d;
  depths = parts(g.in.d, depth);
  tiles = g.n * groups * depths;
  workers = worker_count(on, tiles, work);
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  streaming = saturating_mul(g.n * g.c, g.in.d * slice) >= on.streamed_bytes(true) / size;
  sums = layout.take_slots(workers, static_cast<std::uint64_t>((depth * slice + 1) * kChannels),
                           sizeof(float));
}

bool supports(const Geometry& g) {
  return g.n > 0 && !g.drop && g.c % kChannels == 0 && g.grad_output.c == 1 && g.indices.c == 1 &&
         g.grad_input.c == 1;
}

bool preferred(const Geometry& g, const Machine&) { return g.in.h * g.in.w <= kMostPositions; }

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  std::memset(workspace, 0, layout.bytes());
  return Outcome::done_if(parallel_tiles_while(tiles, workers, [&](std::int64_t tile, int slot) {
    return body(*this, b, tile, sums.at<float>(workspace, slot));
  }));
}

}  // namespace gradproof::kernels::index_pool::scatter_channels
