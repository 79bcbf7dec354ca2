// Planning and walking the tiles of index_pairs.h.
#include "opt/kernels/simd/index_pairs.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/bad_index.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/simd/column_pairs.h"
#include "opt/kernels/simd/index_slab.h"
#include "opt/kernels/simd/staged_rows.h"

namespace gradproof::kernels::index_pairs {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kTilesPerWorker = 4;  // for balance

Geometry of_one_plane(Geometry g) {
  g.n = g.c = 1;
  return g;
}

}  // namespace

Plan::Plan(const Geometry& g, int threads)
    : planes(g.n * g.c),
      slice(g.in.h * g.in.w),
      rows(std::clamp<std::int64_t>(kOutputs / g.out.w, 1, g.out.h)) {
  const std::int64_t volume = g.in.d * slice, outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t work = saturating_mul(planes, saturating_add(volume, outputs));
  const std::int64_t most = worker_count(threads, planes * g.in.d, work);
  const std::int64_t wanted = most > 1 ? parts(most * kTilesPerWorker, planes) : 1;
  // Whole windows, or both of the tiles that share one read its indices.
  const std::int64_t windows = parts(g.in.d, g.stride.d);
  depth = parts(windows, std::min(wanted, windows)) * g.stride.d;
  depths = parts(g.in.d, depth);
  workers = worker_count(threads, planes * depths, work);
  constexpr std::int64_t kSize = 2;  // of a scalar
  streaming = saturating_mul(planes, volume) >= kStreamedBytes / kSize;

  slice_bytes = staged_bytes(rows * g.stride.h * g.in.w * kSize);
  const auto bytes = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  starts = layout.take(bytes(rows * g.out.w + kPairSpare), sizeof(std::uint32_t));
  keys = layout.take_slots(workers, bytes(2 * rows * g.out.w + kPairSpare), kSize);
  terms = layout.take_slots(workers, bytes(2 * rows * g.out.w + kPairSpare), kSize);
  staged = layout.take_slots(workers, bytes(kMostSlices * slice_bytes), 1);
  strays = layout.take(bytes(planes), 1);
  slab = layout.take(index_slab::workspace(of_one_plane(g), threads), 1);
}

bool legal(const Geometry& g) {
  if (!g.windows || !index_slab::legal(g)) return false;
  const auto whole = [&](std::int64_t Axes3::*of) {  // windows
    return g.padding.*of == 0 && (g.out.*of - 1) * (g.stride.*of) + g.kernel.*of <= g.in.*of;
  };
  const bool joined = g.grad_input.h == g.in.w;
  const std::int64_t least = joined ? kLeastWidth : kLeastWidthBetweenGaps;
  // Rows have several columns where the rest of what is asked holds.
  const bool dense = g.grad_output.w == 1 && g.indices.w == 1 && g.grad_input.w == 1;
  const bool selects =
      g.element != Element::f32 && g.kernel.w == 2 && g.stride.w == 2 && g.in.w >= least &&
      g.in.w <= kMostWidth && g.kernel.h <= std::min(g.stride.h, kMostRows) &&
      g.kernel.d <= std::min(g.stride.d, kMostSlices) && g.stride.h <= kMostStride &&
      whole(&Axes3::d) && whole(&Axes3::h) && whole(&Axes3::w) && dense;
  // A ring of whole slices takes 0.5 to 0.8 of the time with AVX2, and bands of slices 1.5 of it.
  // With AVX-512 the two were not compared.
  const bool ring = joined && best_instruction_set() != InstructionSet::avx512 &&
                    index_slab::Plan(g, 1).bands == 1;
  return selects && !ring;
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

namespace {

/// The planes that have out-of-window indices, one after the other.
Outcome run_strays(const Geometry& g, const Buffers& b, const Launch& launch, const Plan& plan,
                   const std::atomic<std::uint8_t>* strays) {
  const Geometry one = of_one_plane(g);
  Launch inner = launch;
  inner.workspace = launch.workspace + plan.slab;
  for (std::int64_t i = 0; i < plan.planes; ++i) {
    if (strays[i].load(std::memory_order_relaxed) == 0) continue;
    const Outcome outcome = visit_narrow(g.element, [&](auto type) {
      const IndexedPlane<typename decltype(type)::type> plane(g, b, i);
      return index_slab::run(one, {plane.grad_output, plane.indices, plane.grad_input}, inner);
    });
    if (outcome.ok) continue;
    return {false, i * (g.out.d * g.out.h * g.out.w) + outcome.position, outcome.value};
  }
  return {};
}

}  // namespace

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  auto* strays = area<std::atomic<std::uint8_t>>(launch.workspace, plan.strays);
  std::memset(launch.workspace + plan.strays, 0, static_cast<std::size_t>(plan.planes));
  std::atomic<bool> any{false};
  auto* starts = area<std::uint32_t>(launch.workspace, plan.starts);
  std::fill_n(starts + plan.rows * g.out.w, kPairSpare, 0u);
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    for (std::int64_t i = 0; i < g.out.w; ++i) {
      starts[row * g.out.w + i] = static_cast<std::uint32_t>(row * g.stride.h * g.in.w + 2 * i);
    }
  }
  const auto write = [&](auto type) {
    using Scalar = typename decltype(type)::type;
    parallel_tiles(plan.planes * plan.depths, plan.workers, [&](std::int64_t tile, int slot) {
      const std::int64_t plane = tile / plan.depths, first = tile % plan.depths * plan.depth;
      if (strays[plane].load(std::memory_order_relaxed) != 0) return;
      const Scratch scratch{starts, plan.keys.at<std::byte>(launch.workspace, slot),
                            plan.terms.at<std::byte>(launch.workspace, slot),
                            plan.staged.at<std::byte>(launch.workspace, slot)};
      const Span d{first, std::min(g.in.d, first + plan.depth)};
      if (!write_slices(g, plan, IndexedPlane<Scalar>(g, b, plane), d, scratch,
                        launch.instruction_set)) {
        strays[plane].store(1, std::memory_order_relaxed);
        any.store(true, std::memory_order_relaxed);
      }
    });
  };
  if (g.element == Element::f16) {
    write(Type<Float16>{});
  } else {
    write(Type<BFloat16>{});
  }
  return any ? run_strays(g, b, launch, plan, strays) : Outcome{};
}

}  // namespace gradproof::kernels::index_pairs
