// Walking the planes of index_planes.h.
#include "opt/kernels/simd/index_planes.h"

#include "opt/base/checked.h"
#include "opt/kernels/bad_index.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/simd/stream.h"

namespace gradproof::kernels::index_planes {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

std::int64_t count(const Axes3& e) { return e.d * e.h * e.w; }

bool dense(const Strides5& s, const Axes3& e) {
  return (s.w == 1 || e.w == 1) && (s.h == e.w || e.h == 1) && (s.d == e.h * e.w || e.d == 1);
}

}  // namespace

bool legal(const Geometry& g) {
  if (g.element != Element::f32 || g.n == 0) return false;
  const std::int64_t volume = count(g.in), positions = saturating_mul(g.n * g.c, volume);
  return positions >= kLeastPositions && volume <= kMostPositions &&
         positions < kStreamedBytes / static_cast<std::int64_t>(sizeof(float)) &&
         dense(g.grad_output, g.out) && dense(g.indices, g.out) && dense(g.grad_input, g.in);
}

std::uint64_t workspace(const Geometry&, int) { return 0; }

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Extent extent{count(g.in), count(g.out)};
  const std::int64_t planes = g.n * g.c;
  const std::int64_t work = saturating_mul(planes, saturating_add(extent.volume, extent.outputs));
  FirstBadIndex first_bad(g);
  parallel_tiles(planes, worker_count(launch.threads, planes, work), [&](std::int64_t plane, int) {
    first_bad.found(plane,
                    write_plane(extent, IndexedPlane<float>(g, b, plane), launch.instruction_set));
  });
  return first_bad.outcome(b.indices);
}

}  // namespace gradproof::kernels::index_planes
