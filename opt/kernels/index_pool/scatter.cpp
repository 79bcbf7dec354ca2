// Scatter by index. A tile is a range of gradInput rows of one plane: it reads the plane's indices
// and adds the terms that point into its range. So no two tiles write one element, and all workers
// share a single large plane. Float sums are in gradInput, sums of 16-bit types in scratch.
#include "opt/kernels/index_pool/scatter.h"

#include <algorithm>

#include "opt/kernels/index_pool/bad_index.h"
#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/index_pool/scatter_work.h"
#include "opt/kernels/index_pool/window_check.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/vector/rows.h"

namespace gradproof::kernels::index_pool::scatter {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

/// Sums of a part: 1 MiB, so that they stay in the L2 cache. A longer row is one part.
constexpr std::int64_t kMostSums = 262144;

/// The rows of a plane's gradOutput and indices that can be walked at one stride: all of the plane
/// where both tensors allow it.
struct Walk {
  Axes3 extent;

  explicit Walk(const Geometry& g) : extent(g.out) {
    const auto follows = [](std::int64_t outer, std::int64_t inner, std::int64_t count) {
      return outer == inner * count;
    };
    if (!follows(g.grad_output.h, g.grad_output.w, g.out.w) ||
        !follows(g.indices.h, g.indices.w, g.out.w)) {
      return;
    }
    extent = {extent.d, 1, g.out.h * g.out.w};
    if (!follows(g.grad_output.d, g.grad_output.h, g.out.h) ||
        !follows(g.indices.d, g.indices.h, g.out.h)) {
      return;
    }
    extent = {1, 1, g.out.d * extent.w};
  }
};

/// The range of flat positions that a tile owns, and of those that exist.
struct Target {
  std::uint32_t first, size, volume;
};

/// Adds the terms whose indices point into `target`; address(i) is the sum of its i-th position.
/// Stops at the first o whose index is outside the plane and returns it, else -1.
template <class Scalar, class Address>
std::int64_t scatter(const Geometry& g, const Walk& walk, const Scalar* grad_output,
                     const std::int32_t* indices, const Target& target, const Address& address) {
  const index_pool::window_check::Test test(g);
  std::int64_t o = 0;
  for (std::int64_t d = 0; d < walk.extent.d; ++d) {
    for (std::int64_t h = 0; h < walk.extent.h; ++h) {
      const Scalar* grad = grad_output + d * g.grad_output.d + h * g.grad_output.h;
      const std::int32_t* index = indices + d * g.indices.d + h * g.indices.h;
      for (std::int64_t w = 0; w < walk.extent.w; ++w, ++o) {
        const auto at = read_index(index + w * g.indices.w);
        if (g.drop && (at >= target.volume || !test.holds(o, at))) continue;
        if (at - target.first < target.size) {
          float& sum = *address(at - target.first);
          sum = one_nan(sum + widen(grad[w * g.grad_output.w]));
        } else if (at >= target.volume) {
          return o;
        }
      }
    }
  }
  return -1;
}

/// One tile: rows [first, first + count) of a plane of gradInput.
template <class Scalar>
std::int64_t run_tile(const Geometry& g, const Walk& walk, const Scalar* grad_output,
                      const std::int32_t* indices, Scalar* grad_input, std::int64_t first,
                      std::int64_t count, float* sums) {
  const std::int64_t w = g.in.w;
  const Target target{static_cast<std::uint32_t>(first * w), static_cast<std::uint32_t>(count * w),
                      static_cast<std::uint32_t>(g.in.d * g.in.h * w)};
  const Strides5& s = g.grad_input;
  const auto row = [&](std::int64_t r) {
    return Row<Scalar>{grad_input + r / g.in.h * s.d + r % g.in.h * s.h, w, s.w, 1};
  };
  if constexpr (std::is_same_v<Scalar, float>) {
    for (std::int64_t r = first; r < first + count; ++r) zero_row(row(r));
    if (s.w == 1 && (s.h == w || g.in.h == 1) && (s.d == g.in.h * w || g.in.d == 1)) {
      float* start = grad_input + first * w;
      return scatter(g, walk, grad_output, indices, target,
                     [=](std::uint32_t i) { return start + i; });
    }
    const auto width = static_cast<std::uint32_t>(w), height = static_cast<std::uint32_t>(g.in.h);
    return scatter(g, walk, grad_output, indices, target, [&](std::uint32_t i) {
      const std::uint32_t at = target.first + i, r = at / width;
      return grad_input + r / height * s.d + r % height * s.h + at % width * s.w;
    });
  } else {
    std::fill_n(sums, count * w, 0.0f);
    const std::int64_t bad =
        scatter(g, walk, grad_output, indices, target, [=](std::uint32_t i) { return sums + i; });
    for (std::int64_t r = first; r < first + count; ++r) store_row(row(r), sums + (r - first) * w);
    return bad;
  }
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on) : MaxPool3dBackwardPlan(geometry, on) {
  if (g.n == 0) return;  // and the other extents may be such that their product does not fit
  planes = g.n * g.c;
  volume = g.in.d * g.in.h * g.in.w;
  rows = g.in.d * g.in.h;
  outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t work = scatter_work(g);
  // Each part reads all indices of its plane. So there are only as many parts as it takes to give
  // each worker one, and to keep scratch small however large a plane is.
  const std::int64_t wanted = worker_count(on, planes * rows, work);
  rows_per_part = (rows - 1) / std::min(rows, (wanted - 1) / planes + 1) + 1;
  if (g.element != Element::f32)
    rows_per_part =
        std::min(rows_per_part, std::max(on.block(kMostSums) / g.in.w, std::int64_t{1}));
  parts = (rows - 1) / rows_per_part + 1;
  workers = worker_count(on, planes * parts, work);
  if (g.element != Element::f32) {
    sums = layout.take_slots(workers, static_cast<std::uint64_t>(rows_per_part * g.in.w),
                             sizeof(float));
  }
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  const Walk walk(g);
  FirstBadIndex first_bad(g);
  visit_narrow(g.element, [&](auto type) {
    using Scalar = typename decltype(type)::type;
    parallel_tiles(planes * parts, workers, [&](std::int64_t tile, int slot) {
      const std::int64_t plane = tile / parts, first = tile % parts * rows_per_part;
      const IndexedPlane<Scalar> at(g, b, plane);
      const std::int64_t bad =
          run_tile(g, walk, at.grad_output, at.indices, at.grad_input, first,
                   std::min(rows_per_part, rows - first), sums.at<float>(workspace, slot));
      first_bad.found(plane, bad);
    });
  });
  return first_bad.outcome(b.indices);
}

}  // namespace gradproof::kernels::index_pool::scatter
