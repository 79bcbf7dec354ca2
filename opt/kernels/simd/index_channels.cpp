// Planning and walking the tiles of index_channels.h.
#include "opt/kernels/simd/index_channels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/index_copies.h"
#include "opt/kernels/index_scatter.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/simd/index_slab.h"
#include "opt/kernels/simd/streamed_bytes.h"

namespace gradproof::kernels::index_channels {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kTilesPerWorker = 4;  // for balance

/// The rows for calls whose indices lie anywhere.
constexpr std::array kAnywhere = {CopiedPlanes<IndexedPool>::kRow, index_slab::kRow,
                                  index_scatter::kRow};

}  // namespace

Plan::Plan(const Geometry& g, int threads)
    : d{g.in.d, g.out.d, !g.windows, g.kernel.d, g.stride.d, g.padding.d},
      slice(g.in.h * g.in.w),
      groups(g.c / kChannels) {
  const std::int64_t outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t work = saturating_mul(g.n * g.c, saturating_add(g.in.d * slice, outputs));
  const std::int64_t most = worker_count(threads, g.n * groups * g.in.d, work);
  const std::int64_t wanted = most > 1 ? parts(most * kTilesPerWorker, g.n * groups) : 1;
  depth = std::min(kMostPositions / slice, parts(g.in.d, std::min(wanted, g.in.d)));
  // Whole windows where they do not overlap: outputs of two tiles are read by both.
  if (g.windows && depth > g.stride.d) depth = depth / g.stride.d * g.stride.d;
  depths = parts(g.in.d, depth);
  tiles = g.n * groups * depths;
  workers = worker_count(threads, tiles, work);
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  streaming = saturating_mul(g.n * g.c, g.in.d * slice) >= streamed_bytes(true) / size;
  sums = layout.take_slots(workers, static_cast<std::uint64_t>((depth * slice + 1) * kChannels),
                           sizeof(float));
}

bool legal(const Geometry& g) {
  return g.n > 0 && g.c % kChannels == 0 && g.grad_output.c == 1 && g.indices.c == 1 &&
         g.grad_input.c == 1 && g.in.h * g.in.w <= kMostPositions;
}

std::uint64_t workspace(const Geometry& g, int threads) {
  return std::max(Plan(g, threads).layout.bytes(), choose(kAnywhere, g).workspace(g, threads));
}

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  std::memset(launch.workspace, 0, plan.layout.bytes());
  std::atomic<bool> strays{false};
  visit_narrow(g.element, [&](auto type) {
    using Scalar = typename decltype(type)::type;
    parallel_tiles(plan.tiles, plan.workers, [&](std::int64_t tile, int slot) {
      if (strays.load(std::memory_order_relaxed)) return;
      if (!write_tile<Scalar>(g, plan, b, tile, plan.sums.at<float>(launch.workspace, slot),
                              launch.instruction_set)) {
        strays.store(true, std::memory_order_relaxed);
      }
    });
  });
  return strays ? choose(kAnywhere, g).run(g, b, launch) : Outcome{};
}

}  // namespace gradproof::kernels::index_channels
