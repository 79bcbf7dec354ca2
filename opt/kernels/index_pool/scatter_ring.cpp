// Planning and walking the boxes of scatter_ring.h.
#include "opt/kernels/index_pool/scatter_ring.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/scatter_work.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels::index_pool::scatter_ring {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kRing = 16384;       // sums of bands: 64 KiB, of which few are in use
constexpr std::int64_t kWholeRing = 65536;  // sums of whole slices: up to here bands are slower
constexpr std::int64_t kSmallRing = 512;    // sums at least: small slices then fill lines too
constexpr std::int64_t kLeastRows = 8;      // of a band: windows at its border are read twice
constexpr std::int64_t kMostRing = 262144;  // sums: 1 MiB

/// Slices in use at a time: those of a window, and those that are being stored while the next
/// window's are being summed.
std::int64_t slices_in_use(const Geometry& g, const WindowAxis& d) {
  const std::int64_t span = d.longest();
  return span + (g.windows ? std::min(g.stride.d, span) : span);
}

/// Rows of a band at most.
std::int64_t most_rows(const Geometry& g, std::int64_t slices, const Machine& on) {
  if (slices * g.in.h * g.in.w <= on.block(kWholeRing)) return g.in.h;
  return std::clamp(on.block(kRing) / (slices * g.in.w), std::min(g.in.h, on.block(kLeastRows)),
                    g.in.h);
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on),
      d(window_axis(g, &Axes3::d)),
      h(window_axis(g, &Axes3::h)),
      w(window_axis(g, &Axes3::w)) {
  planes = g.n * g.c;
  slice = g.in.h * g.in.w;
  volume = g.in.d * slice;
  outputs = g.out.d * g.out.h * g.out.w;

  const std::int64_t in_use = slices_in_use(g, d);
  const std::int64_t rows = parts(g.in.h, parts(g.in.h, most_rows(g, in_use, on)));
  band = rows * g.in.w;
  bands = parts(g.in.h, rows);
  slots = std::min(g.in.d, bands > 1 ? in_use : std::max(in_use, on.block(kSmallRing) / slice));

  const std::int64_t work = scatter_work(g);
  depth = g.in.d;
  const std::int64_t most = worker_count(on, planes * g.in.d * bands, work);
  if (most > 1 && planes < most * kTilesPerWorker && g.in.d * bands > 1) {
    const std::int64_t wanted = parts(most * kTilesPerWorker, planes * bands);
    depth = parts(g.in.d, std::min(wanted, g.in.d));
    depths = parts(g.in.d, depth);
    boxes = bands * depths;
  }
  workers = worker_count(on, planes * boxes, work);
  const std::int64_t size = bytes_of(g.element);
  const Strides5& s = g.grad_input;
  const bool dense = s.w == 1 && s.h == g.in.w && s.d == slice;
  streaming = saturating_mul(planes, volume) >= on.streamed_bytes(dense) / size;
  finished = size == 2 && s.w == 1 && d.disjoint() && h.disjoint() && w.disjoint();

  sums = layout.take_slots(workers, static_cast<std::uint64_t>(slots * band + kDumpSlots),
                           sizeof(float));
  terms = layout.take_slots(workers, kRun, sizeof(float));
}

bool supports(const Geometry& g) { return g.n > 0 && !g.drop; }

bool preferred(const Geometry& g, const Machine&) {
  const std::int64_t span = window_axis(g, &Axes3::d).longest();
  return span <= kMostSpan && g.in.w <= kMostRing / (2 * span * kLeastRows);
}

bool in_bands(const Geometry& g, const Machine& on) {
  return most_rows(g, slices_in_use(g, window_axis(g, &Axes3::d)), on) < g.in.h;
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  return Outcome::done_if(
      parallel_tiles_while(planes * boxes, {workers, streaming}, [&](std::int64_t tile, int slot) {
        const std::int64_t plane = tile / boxes;
        const Scratch scratch{sums.at<std::byte>(workspace, slot),
                              terms.at<std::byte>(workspace, slot)};
        if (boxes > 1) {
          const std::int64_t box = tile % boxes, first = box / bands * depth;
          const Span slices{first, std::min(g.in.d, first + depth)};
          return body(*this, b, plane, scratch, box % bands, slices);
        }
        for (std::int64_t i = 0; i < bands; ++i) {
          if (!body(*this, b, plane, scratch, i, {0, g.in.d})) return false;
        }
        return true;
      }));
}

}  // namespace gradproof::kernels::index_pool::scatter_ring
