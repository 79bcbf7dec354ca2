// Checks all indices, then runs the kernel that needs no check.
#include "opt/kernels/index_pool/window_check.h"

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels::index_pool::window_check {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

Geometry followed(Geometry g) {
  g.drop = false;
  return g;
}

/// The table of the geometry's operator.
auto table_of(const Geometry& g) {
  return g.windows ? max_pool3d_with_argmax_backward() : adaptive_max_pool3d_backward();
}

bool all_inside(const Geometry& g, const std::int32_t* indices) {
  const Test test(g);
  const auto volume = static_cast<std::uint32_t>(g.in.d * g.in.h * g.in.w);
  for (std::int64_t d = 0; d < g.out.d; ++d) {
    for (std::int64_t h = 0; h < g.out.h; ++h) {
      const std::int32_t* const row = indices + d * g.indices.d + h * g.indices.h;
      for (std::int64_t w = 0; w < g.out.w; ++w) {
        const auto at = read_index(row + w * g.indices.w);
        if (at >= volume || !test.holds({d, h, w}, at)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool supports(const Geometry& g) { return g.drop; }

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on), followed_(table_of(g), followed(g), on.for_inner()) {
  layout.take(followed_.workspace_bytes(), 1);
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  bool inside = true;
  if (g.n > 0 && g.out.w > 0) {
    const std::int64_t planes = g.n * g.c;
    const std::int64_t work = saturating_mul(planes, 4 * g.out.d * g.out.h * g.out.w);
    const int workers = worker_count(machine, planes, work);
    inside = parallel_tiles_while(planes, workers, [&](std::int64_t i, int) {
      return all_inside(g, b.indices + i / g.c * g.indices.n + i % g.c * g.indices.c);
    });
  }
  return inside ? followed_.run(b, workspace) : Outcome::done_if(false);
}

}  // namespace gradproof::kernels::index_pool::window_check
