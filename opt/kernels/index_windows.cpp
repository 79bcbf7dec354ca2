// Looking at indices before they are followed.
#include "opt/kernels/index_windows.h"

#include <algorithm>
#include <atomic>

#include "opt/base/checked.h"
#include "opt/kernels/index_scatter.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels::index_windows {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

Geometry followed(Geometry g) {
  g.drop = false;
  return g;
}

const MaxPool3dBackwardKernel& usual(const Geometry& g) {
  return choose(g.windows ? max_pool3d_with_argmax_backward() : adaptive_max_pool3d_backward(), g);
}

bool all_inside(const Geometry& g, const std::int32_t* indices) {
  const Test test(g);
  const auto volume = static_cast<std::uint32_t>(g.in.d * g.in.h * g.in.w);
  for (std::int64_t d = 0; d < g.out.d; ++d) {
    for (std::int64_t h = 0; h < g.out.h; ++h) {
      const std::int32_t* const row = indices + d * g.indices.d + h * g.indices.h;
      for (std::int64_t w = 0; w < g.out.w; ++w) {
        const auto at = static_cast<std::uint32_t>(row[w * g.indices.w]);
        if (at >= volume || !test.holds({d, h, w}, at)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool legal(const Geometry& g) { return g.drop; }

std::uint64_t workspace(const Geometry& g, int threads) {
  const Geometry plain = followed(g);
  return std::max(usual(plain).workspace(plain, threads), index_scatter::workspace(g, threads));
}

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  std::atomic<bool> outside{false};
  if (g.n > 0 && g.out.w > 0) {
    const std::int64_t planes = g.n * g.c;
    const std::int64_t work = saturating_mul(planes, 4 * g.out.d * g.out.h * g.out.w);
    parallel_tiles(planes, worker_count(launch.threads, planes, work), [&](std::int64_t i, int) {
      if (outside.load(std::memory_order_relaxed)) return;
      const std::int32_t* const plane = b.indices + i / g.c * g.indices.n + i % g.c * g.indices.c;
      if (!all_inside(g, plane)) outside.store(true, std::memory_order_relaxed);
    });
  }
  if (outside) return index_scatter::run(g, b, launch);
  const Geometry plain = followed(g);
  return usual(plain).run(plain, b, launch);
}

}  // namespace gradproof::kernels::index_windows
