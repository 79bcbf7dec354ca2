// Planning and walking the tiles of scatter_channels.h.
#include "opt/kernels/index_pool/scatter_channels.h"

#include <algorithm>
#include <atomic>

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/scatter_work.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels::index_pool::scatter_channels {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

// Of one depth, whose terms are counted in 32 bits.
constexpr std::int64_t kMostOutputs = std::int64_t{1} << 26;
// Tiles that read an output, in the mean: with 3.3 the kernel is faster than copying, more was not
// measured.
constexpr std::int64_t kMostReads = 4;

/// `count`, made a multiple of the stride if it is longer than that, because outputs that reach two
/// tiles are read twice.
std::int64_t whole_windows(std::int64_t count, std::int64_t stride, bool windows) {
  return windows && count > stride ? count / stride * stride : count;
}

std::int64_t outputs(const Geometry& g) { return g.out.d * g.out.h * g.out.w; }

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on),
      d(window_axis(g, &Axes3::d)),
      h(window_axis(g, &Axes3::h)),
      groups(parts(g.c, kChannels)) {
  const std::int64_t slice = g.in.h * g.in.w;
  const std::int64_t work = scatter_work(g);
  const std::int64_t most = worker_count(on, g.n * groups * g.in.d * g.in.h, work);
  const std::int64_t wanted = most > 1 ? parts(most * kTilesPerWorker, g.n * groups) : 1;
  depth = std::min(parts(g.in.d, std::min(wanted, g.in.d)),
                   std::max<std::int64_t>(1, on.block(kMostPositions) / slice));
  rows = depth > 1 ? g.in.h
                   : std::min(parts(g.in.h, std::min(parts(wanted, g.in.d), g.in.h)),
                              std::max<std::int64_t>(1, on.block(kMostInRows) / g.in.w));
  depth = whole_windows(depth, g.stride.d, g.windows);
  if (rows < g.in.h) rows = whole_windows(rows, g.stride.h, g.windows);
  depths = parts(g.in.d, depth);
  bands = parts(g.in.h, rows);
  tiles = g.n * groups * depths * bands;
  workers = worker_count(on, tiles, work);
  const std::int64_t size = bytes_of(g.element);
  streaming = saturating_mul(g.n * g.c, g.in.d * slice) >= on.streamed_bytes(true) / size;
  sums = layout.take_slots(workers, static_cast<std::uint64_t>(sums_each()), sizeof(float));
  used = layout.take_slots(workers, 1, 1);
}

bool supports(const Geometry& g) {
  return g.n > 0 && !g.drop && g.c % kFewChannels == 0 && g.grad_output.c == 1 &&
         g.indices.c == 1 && g.grad_input.c == 1 && g.in.w <= kMostPositions &&
         g.out.h * g.out.w <= kMostOutputs;
}

bool preferred(const Geometry& g, const Machine&) {
  if (g.in.h * g.in.w <= kMostPositions) return true;
  const std::int64_t rows = std::max<std::int64_t>(1, kMostInRows / g.in.w);
  const std::int64_t read = rows + window_axis(g, &Axes3::h).longest() - 1;
  return saturating_mul(window_axis(g, &Axes3::d).longest(), read) <= kMostReads * rows;
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  for (int slot = 0; slot < workers; ++slot) *used.at<std::byte>(workspace, slot) = {};
  std::atomic<std::int64_t> added{0};
  parallel_tiles(tiles, {workers, streaming}, [&](std::int64_t tile, int slot) {
    float* const own = sums.at<float>(workspace, slot);
    if (auto& any = *used.at<std::byte>(workspace, slot); any == std::byte{}) {
      // Each worker clears its own: one that cleared all took as long as 16 took for the rest.
      std::fill_n(own, sums_each(), 0.0f);
      any = std::byte{1};
    }
    added.fetch_add(body(*this, b, tile, own), std::memory_order_relaxed);
  });
  return Outcome::done_if(added == g.n * g.c * outputs(g));
}

}  // namespace gradproof::kernels::index_pool::scatter_channels
