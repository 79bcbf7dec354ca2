// Walking the planes of index_planes.h.
#include "opt/kernels/simd/index_planes.h"

#include <algorithm>
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/bad_index.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/simd/streamed_bytes.h"

namespace gradproof::kernels::index_planes {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kTilesPerWorker = 4;  // for balance

std::int64_t count(const Axes3& e) { return e.d * e.h * e.w; }

bool dense(const Strides5& s, const Axes3& e) {
  return (s.w == 1 || e.w == 1) && (s.h == e.w || e.h == 1) && (s.d == e.h * e.w || e.d == 1);
}

std::int64_t bytes(const Geometry& g) {
  return saturating_mul(saturating_mul(g.n * g.c, count(g.in)), g.element == Element::f32 ? 4 : 2);
}

/// Whether sums stand in gradInput: even where other kernels stream, as long as caches hold it.
bool holds_sums(const Geometry& g) {
  return g.element == Element::f32 && bytes(g) < kStreamedBytes;
}

}  // namespace

Plan::Plan(const Geometry& g, int threads)
    : planes(g.n * g.c), volume(count(g.in)), outputs(count(g.out)) {
  const std::int64_t work = saturating_mul(planes, saturating_add(volume, outputs));
  workers = worker_count(threads, planes, work);
  const std::int64_t wanted = workers > 1 ? workers * kTilesPerWorker : 1;
  group = std::clamp<std::int64_t>(kMostPositions / volume, 1, parts(planes, wanted));
  in_place = holds_sums(g);
  streaming = !in_place && bytes(g) >= streamed_bytes(true);
  if (in_place) return;
  sums = layout.take_slots(workers, static_cast<std::uint64_t>(volume), sizeof(float));
  terms = layout.take_slots(workers, kRun, sizeof(float));
}

bool legal(const Geometry& g) {
  if (g.n == 0) return false;
  const std::int64_t volume = count(g.in), positions = saturating_mul(g.n * g.c, volume);
  if (count(g.out) <= volume / kManyPositions && !holds_sums(g)) return false;
  return positions > 0 && volume <= kMostPositions && dense(g.grad_output, g.out) &&
         dense(g.indices, g.out) && dense(g.grad_input, g.in);
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  if (!plan.in_place) {
    std::memset(launch.workspace + plan.sums.offset, 0,
                static_cast<std::size_t>(plan.workers) * plan.sums.stride);
  }
  FirstBadIndex first_bad(g);
  visit_narrow(g.element, [&](auto type) {
    using Scalar = typename decltype(type)::type;
    parallel_tiles(parts(plan.planes, plan.group), plan.workers, [&](std::int64_t tile, int slot) {
      const std::int64_t first = tile * plan.group;
      const Scratch scratch{plan.sums.at<float>(launch.workspace, slot),
                            plan.terms.at<float>(launch.workspace, slot)};
      first_bad.found(
          first, write_planes<Scalar>(g, plan, b, first, std::min(plan.group, plan.planes - first),
                                      scratch, launch.instruction_set));
    });
  });
  return first_bad.outcome(b.indices);
}

}  // namespace gradproof::kernels::index_planes
