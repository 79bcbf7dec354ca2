// Planning and walking the tiles of select_pairs.h.
#include "opt/kernels/index_pool/select_pairs.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/scatter_ring.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/vector/column_pairs.h"
#include "opt/kernels/vector/sink.h"

namespace gradproof::kernels::index_pool::select_pairs {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

constexpr std::int64_t kTilesPerWorker = 4;  // for balance

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on),
      planes(g.n * g.c),
      slice(g.in.h * g.in.w),
      rows(std::clamp<std::int64_t>(on.block(kOutputs) / g.out.w, 1, g.out.h)) {
  const std::int64_t volume = g.in.d * slice, outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t work = saturating_mul(planes, saturating_add(volume, outputs));
  const std::int64_t most = worker_count(on, planes * g.in.d, work);
  const std::int64_t wanted = most > 1 ? parts(most * kTilesPerWorker, planes) : 1;
  // Tiles of whole windows: if two tiles share a window, both read its indices.
  const std::int64_t windows = parts(g.in.d, g.stride.d);
  depth = parts(windows, std::min(wanted, windows)) * g.stride.d;
  depths = parts(g.in.d, depth);
  workers = worker_count(on, planes * depths, work);
  constexpr std::int64_t kSize = 2;  // of a scalar
  streaming = saturating_mul(planes, volume) >= on.streamed_bytes(false) / kSize;

  slice_bytes = staged_bytes(rows * g.stride.h * g.in.w * kSize);
  const auto bytes = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  starts = layout.take(bytes(rows * g.out.w + kPairSpare), sizeof(std::uint32_t));
  keys = layout.take_slots(workers, bytes(2 * rows * g.out.w + kPairSpare), kSize);
  terms = layout.take_slots(workers, bytes(2 * rows * g.out.w + kPairSpare), kSize);
  staged = layout.take_slots(workers, bytes(kMostSlices * slice_bytes), 1);
}

bool supports(const Geometry& g) {
  if (g.n == 0 || g.drop || !g.windows || g.element == Element::f32) return false;
  const auto whole = [&](std::int64_t Axes3::*of) {  // windows
    return g.padding.*of == 0 && (g.out.*of - 1) * (g.stride.*of) + g.kernel.*of <= g.in.*of;
  };
  // Rows have several columns where the rest of what is asked holds.
  const bool dense = g.grad_output.w == 1 && g.indices.w == 1 && g.grad_input.w == 1;
  return g.out.w > 0 && g.kernel.w == 2 && g.stride.w == 2 &&
         g.kernel.h <= std::min(g.stride.h, kMostRows) && g.stride.h <= kMostStride &&
         g.kernel.d <= std::min(g.stride.d, kMostSlices) && whole(&Axes3::d) && whole(&Axes3::h) &&
         whole(&Axes3::w) && dense;
}

bool preferred(const Geometry& g, const Machine& machine) {
  const bool joined = g.grad_input.h == g.in.w;
  const std::int64_t least = joined ? kLeastWidth : kLeastWidthBetweenGaps;
  if (g.in.w < least || g.in.w > kMostWidth || !index_pool::scatter_ring::preferred(g, machine))
    return false;
  // A ring of whole slices takes 0.5 to 0.8 of the time, and bands of slices 1.1 to 1.5 of it.
  return !joined || index_pool::scatter_ring::in_bands(g, machine);
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  auto* first_starts = area<std::uint32_t>(workspace, starts);
  std::fill_n(first_starts + rows * g.out.w, kPairSpare, 0u);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t i = 0; i < g.out.w; ++i) {
      first_starts[row * g.out.w + i] =
          static_cast<std::uint32_t>(row * g.stride.h * g.in.w + 2 * i);
    }
  }
  return Outcome::done_if(
      parallel_tiles_while(planes * depths, workers, [&](std::int64_t tile, int slot) {
        const std::int64_t first = tile % depths * depth;
        return body(*this, b, tile / depths, {first, std::min(g.in.d, first + depth)},
                    {first_starts, keys.at<std::byte>(workspace, slot),
                     terms.at<std::byte>(workspace, slot), staged.at<std::byte>(workspace, slot)});
      }));
}

}  // namespace gradproof::kernels::index_pool::select_pairs
