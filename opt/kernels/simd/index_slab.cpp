// Planning and walking the boxes of index_slab.h.
#include "opt/kernels/simd/index_slab.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/bad_index.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/simd/streamed_bytes.h"

namespace gradproof::kernels::index_slab {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kRing = 16384;        // sums of bands: 64 KiB, few of them in use at a time
constexpr std::int64_t kWholeRing = 65536;   // sums of whole slices: finding the band costs more
constexpr std::int64_t kSmallRing = 512;     // fills lines even where slices are small
constexpr std::int64_t kLeastRows = 8;       // fewer would read too many outputs twice
constexpr std::int64_t kMostRing = 262144;   // sums: 1 MiB
constexpr std::int64_t kChunk = 65536;       // sums: 256 KiB, for L2
constexpr std::int64_t kTilesPerWorker = 4;  // for balance

WindowAxis axis(const Geometry& g, std::int64_t Axes3::*of) {
  return {g.in.*of, g.out.*of, !g.windows, g.kernel.*of, g.stride.*of, g.padding.*of};
}

}  // namespace

Plan::Plan(const Geometry& g, int threads)
    : d(axis(g, &Axes3::d)), h(axis(g, &Axes3::h)), w(axis(g, &Axes3::w)) {
  planes = g.n * g.c;
  slice = g.in.h * g.in.w;
  volume = g.in.d * slice;
  outputs = g.out.d * g.out.h * g.out.w;

  const std::int64_t span = d.longest();
  // Room for the slices that are being stored while the next window's are being summed.
  const std::int64_t advance = g.windows ? std::min(g.stride.d, span) : span;
  const std::int64_t most_rows =
      (span + advance) * slice <= kWholeRing
          ? g.in.h
          : std::clamp(kRing / ((span + advance) * g.in.w), std::min(g.in.h, kLeastRows), g.in.h);
  const std::int64_t rows = parts(g.in.h, parts(g.in.h, most_rows));
  band = rows * g.in.w;
  bands = parts(g.in.h, rows);
  slots =
      std::min(g.in.d, bands > 1 ? span + advance : std::max(span + advance, kSmallRing / slice));
  chunk = std::min(volume, std::max(kChunk, slots * band));
  chunks = parts(volume, chunk);

  const std::int64_t work = saturating_mul(planes, saturating_add(volume, outputs));
  depth = g.in.d;
  const std::int64_t most = worker_count(threads, planes * g.in.d * bands, work);
  split = most > 1 && planes < most * kTilesPerWorker && g.in.d * bands > 1;
  if (split) {
    const std::int64_t wanted = parts(most * kTilesPerWorker, planes * bands);
    depth = parts(g.in.d, std::min(wanted, g.in.d));
    depths = parts(g.in.d, depth);
  }
  workers = worker_count(threads, split ? planes * bands * depths : planes, work);
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  const Strides5& s = g.grad_input;
  const bool dense = s.w == 1 && s.h == g.in.w && s.d == slice;
  streaming = saturating_mul(planes, volume) >= streamed_bytes(dense) / size;
  finished = size == 2 && s.w == 1 && d.disjoint() && h.disjoint() && w.disjoint();

  const auto ring = static_cast<std::uint64_t>(std::max(chunk, slots * band) + kTrash);
  sums = layout.take_slots(workers, ring, sizeof(float));
  addresses = layout.take_slots(workers, kRun, sizeof(std::uint32_t));
  terms = layout.take_slots(workers, kRun, sizeof(float));
  if (split) strays = layout.take(static_cast<std::uint64_t>(planes), 1);
}

bool legal(const Geometry& g) {
  if (g.n == 0) return false;
  const std::int64_t span = axis(g, &Axes3::d).longest();
  return span <= kMostSpan && g.in.w <= kMostRing / (2 * span * kLeastRows);
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

namespace {

template <class Scalar>
Outcome run_as(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  FirstBadIndex first_bad(g);
  const auto at = [&](std::int64_t plane) { return IndexedPlane<Scalar>(g, b, plane); };
  const auto scratch = [&](int slot) {
    return Scratch{plan.sums.at<std::byte>(launch.workspace, slot),
                   plan.addresses.at<std::uint32_t>(launch.workspace, slot),
                   plan.terms.at<std::byte>(launch.workspace, slot)};
  };
  const auto chunk_of = [&](std::int64_t plane, std::int64_t chunk, int slot) {
    const Span positions{chunk * plan.chunk, std::min(plan.volume, (chunk + 1) * plan.chunk)};
    first_bad.found(plane, write_chunk<Scalar>(g, plan, at(plane), scratch(slot), positions,
                                               launch.instruction_set));
  };

  if (!plan.split) {
    parallel_tiles(plan.planes, plan.workers, [&](std::int64_t plane, int slot) {
      for (std::int64_t band = 0; band < plan.bands; ++band) {
        if (write_box<Scalar>(g, plan, at(plane), scratch(slot), band, {0, g.in.d},
                              launch.instruction_set))
          continue;
        for (std::int64_t chunk = 0; chunk < plan.chunks; ++chunk) chunk_of(plane, chunk, slot);
        return;
      }
    });
  } else {
    auto* strays = area<std::atomic<std::uint8_t>>(launch.workspace, plan.strays);
    std::memset(launch.workspace + plan.strays, 0, static_cast<std::size_t>(plan.planes));
    const std::int64_t boxes = plan.bands * plan.depths;
    parallel_tiles(plan.planes * boxes, plan.workers, [&](std::int64_t tile, int slot) {
      const std::int64_t plane = tile / boxes, box = tile % boxes;
      if (strays[plane].load(std::memory_order_relaxed) != 0) return;
      const std::int64_t first = box / plan.bands * plan.depth;
      const Span d{first, std::min(g.in.d, first + plan.depth)};
      if (!write_box<Scalar>(g, plan, at(plane), scratch(slot), box % plan.bands, d,
                             launch.instruction_set)) {
        strays[plane].store(1, std::memory_order_relaxed);
      }
    });
    parallel_tiles(plan.planes * plan.chunks, plan.workers, [&](std::int64_t tile, int slot) {
      const std::int64_t plane = tile / plan.chunks;
      if (strays[plane].load(std::memory_order_relaxed) == 0) return;
      chunk_of(plane, tile % plan.chunks, slot);
    });
  }

  return first_bad.outcome(b.indices);
}

}  // namespace

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  return visit_narrow(
      g.element, [&](auto type) { return run_as<typename decltype(type)::type>(g, b, launch); });
}

}  // namespace gradproof::kernels::index_slab
