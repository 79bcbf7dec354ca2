// Planning and walking the tiles of scatter_lines.h.
#include "opt/kernels/index_pool/scatter_lines.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/scatter_work.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels::index_pool::scatter_lines {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

/// At most so many outputs may reach so many slices.
std::int64_t most_outputs(const Geometry& g, std::int64_t slices) {
  return saturating_mul(window_axis(g, &Axes3::d).most_reaching(slices), g.out.h * g.out.w);
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on), d(window_axis(g, &Axes3::d)) {
  planes = g.n * g.c;
  slice = g.in.h * g.in.w;
  volume = g.in.d * slice;
  outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t size = bytes_of(g.element);
  streaming = saturating_mul(planes, volume) >= on.streamed_bytes(true) / size;

  const std::int64_t work = scatter_work(g);
  const std::int64_t most = worker_count(on, planes * g.in.d, work);
  const std::int64_t wanted = most > 1 ? most * kTilesPerWorker : 1;
  depth = parts(g.in.d, std::min(parts(wanted, planes), g.in.d));
  depth = std::min(depth, std::max<std::int64_t>(1, on.block(kMostPositions) / slice));
  const auto reaching = [&](std::int64_t slices) {
    return slices == g.in.d ? outputs : most_outputs(g, slices);
  };
  while (depth > 1 && reaching(depth) > on.block(kMostOutputs)) depth /= 2;
  depths = parts(g.in.d, depth);

  const Strides5& s = g.grad_input;
  const bool follow = (g.c == 1 || s.c == volume) && (g.n == 1 || s.n == g.c * volume);
  if (depths == 1 && follow) {
    group = std::min({parts(planes, wanted), on.block(kMostPositions) / volume,
                      on.block(kMostOutputs) / std::max(outputs, std::int64_t{1})});
    group = std::max<std::int64_t>(1, group);
  }
  tiles = parts(planes, group) * depths;
  workers = worker_count(on, tiles, work);

  const std::int64_t line = static_cast<std::int64_t>(kLine) / size;
  const std::int64_t lines = group * depth * slice / line + 2;  // it need not begin with one
  most_marks = std::min(lines, group * reaching(depth));
  const auto words = static_cast<std::uint64_t>(parts(lines, kMarks));
  marks = layout.take_slots(workers, words, sizeof(std::uint64_t));
  ranks = layout.take_slots(workers, words, sizeof(std::uint32_t));
  // One line more than the bitmap has bits set: the dump slot for an index that another thread
  // changed after its bit was set.
  sums = layout.take_slots(workers, static_cast<std::uint64_t>((most_marks + 1) * line),
                           sizeof(float));
}

bool supports(const Geometry& g) {
  const Strides5& s = g.grad_input;
  return g.n > 0 && !g.drop && (s.w == 1 || g.in.w == 1) && (s.h == g.in.w || g.in.h == 1) &&
         (s.d == g.in.h * g.in.w || g.in.d == 1);
}

bool preferred(const Geometry& g, const Machine&) {
  const std::int64_t slice = g.in.h * g.in.w, volume = g.in.d * slice;
  return g.out.d * g.out.h * g.out.w <= volume / kLeastPositions && slice <= kMostPositions &&
         most_outputs(g, 1) <= kMostOutputs;
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  return Outcome::done_if(
      parallel_tiles_while(tiles, {workers, streaming}, [&](std::int64_t tile, int slot) {
        return body(*this, b, tile,
                    {marks.at<std::uint64_t>(workspace, slot),
                     ranks.at<std::uint32_t>(workspace, slot), sums.at<float>(workspace, slot)});
      }));
}

}  // namespace gradproof::kernels::index_pool::scatter_lines
