// Walking the planes of scatter_planes.h.
#include "opt/kernels/index_pool/scatter_planes.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/bad_index.h"
#include "opt/kernels/index_pool/scatter_work.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels::index_pool::scatter_planes {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kPositionsPerTile = 16384;  // of planes that are a tile together
// Of planes that are summed at once. The L1 cache holds their sums beside terms and indices: twice
// as many take a quarter longer (`./run bench --filter size_pool3d_65536`).
constexpr std::int64_t kPositionsTogether = 4096;

std::int64_t count(const Axes3& e) { return e.d * e.h * e.w; }

std::int64_t bytes(const Geometry& g) {
  return saturating_mul(saturating_mul(g.n * g.c, count(g.in)), bytes_of(g.element));
}

/// Whether sums are in gradInput: as long as the caches hold it, even where other kernels stream.
bool holds_sums(const Geometry& g, const Machine& on) {
  return g.element == Element::f32 && bytes(g) < on.block(kStreamedBytes);
}

/// Whether a tensor's planes of `size` positions do.
bool follow_each_other(const Geometry& g, const Strides5& s, std::int64_t size) {
  return (s.c == size || g.c == 1) && (s.n == g.c * size || g.n == 1);
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on),
      planes(g.n * g.c),
      volume(count(g.in)),
      outputs(count(g.out)) {
  const std::int64_t work = scatter_work(g);
  workers = worker_count(on, planes, work);
  const std::int64_t wanted = workers > 1 ? workers * kTilesPerWorker : 1;
  group = std::clamp<std::int64_t>(on.block(kPositionsPerTile) / volume, 1, parts(planes, wanted));
  in_place = holds_sums(g, on);
  const bool joined = in_place && follow_each_other(g, g.grad_output, outputs) &&
                      follow_each_other(g, g.indices, outputs) &&
                      follow_each_other(g, g.grad_input, volume);
  together = joined ? std::clamp<std::int64_t>(on.block(kPositionsTogether) / volume, 1, group) : 1;
  streaming = !in_place && bytes(g) >= on.streamed_bytes(true);
  if (in_place) return;
  sums = layout.take_slots(workers, static_cast<std::uint64_t>(volume), sizeof(float));
  terms = layout.take_slots(workers, kRun, sizeof(float));
}

bool supports(const Geometry& g) {
  return g.n > 0 && !g.drop && dense(g.grad_output, g.out) && dense(g.indices, g.out) &&
         dense(g.grad_input, g.in);
}

bool preferred(const Geometry& g, const Machine& machine) {
  const std::int64_t volume = count(g.in);
  return volume <= kMostPositions &&
         (count(g.out) > volume / kManyPositions || holds_sums(g, machine));
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  for (int slot = 0; !in_place && slot < workers; ++slot)
    std::fill_n(sums.at<float>(workspace, slot), volume, 0.0f);
  FirstBadIndex first_bad(g);
  parallel_tiles(parts(planes, group), {workers, streaming}, [&](std::int64_t tile, int slot) {
    const std::int64_t first = tile * group;
    first_bad.found(first,
                    body(*this, b, first, std::min(group, planes - first),
                         {sums.at<float>(workspace, slot), terms.at<float>(workspace, slot)}));
  });
  return first_bad.outcome(b.indices);
}

}  // namespace gradproof::kernels::index_pool::scatter_planes
