// Planning and walking the tiles of select_pairs.h.
#include "opt/kernels/index_pool/select_pairs.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/scatter_ring.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/vector/sink.h"

namespace gradproof::kernels::index_pool::select_pairs {
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

// Of gradInput. Narrower rows take longer than with the next kernels, which store or sum several at
// once unless there are gaps between them; staged rows are as fast as bands from 64 on.
constexpr std::int64_t kLeastWidth = 32, kLeastWidthBetweenGaps = 16, kLeastWidthStaged = 64;

bool rows_joined(const Geometry& g) { return g.grad_input.h == g.in.w; }

/// Whether each column and row of a slice is in a window.
bool windows_tile(const Geometry& g) {
  return g.in.w == 2 * g.out.w && g.kernel.h == g.stride.h && g.in.h == g.out.h * g.stride.h;
}

/// The bytes in which rows can be streamed, or 0. Slices are whole lines then.
int streamed_piece(const Geometry& g) {
  const std::int64_t row = g.in.w * bytes_of(g.element),
                     slice = g.grad_input.d * bytes_of(g.element);
  if (!windows_tile(g) || !rows_joined(g) || g.kernel.d < g.stride.d) return 0;
  if (slice % std::int64_t{kLine} != 0) return 0;
  return row % 32 == 0 ? 32 : row % 16 == 0 ? 16 : 0;
}

/// Whether the rows of a window in one slice and in the next one have addresses that differ by a
/// multiple of a page, or nearly so.
bool slices_alias(const Geometry& g) {
  constexpr std::int64_t kPage = 4096;
  const std::int64_t apart = g.grad_input.d * bytes_of(g.element) % kPage;
  return std::min(apart, kPage - apart) < g.kernel.h * g.in.w * bytes_of(g.element);
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool3dBackwardPlan(geometry, on),
      planes(g.n * g.c),
      slice(g.in.h * g.in.w),
      rows(std::clamp<std::int64_t>(on.block(kOutputs) / g.out.w, 1, g.out.h)),
      joined(rows_joined(g)),
      tiled(windows_tile(g)),
      piece(streamed_piece(g)) {
  const std::int64_t volume = g.in.d * slice, outputs = g.out.d * g.out.h * g.out.w;
  const std::int64_t work = saturating_mul(planes, saturating_add(volume, outputs));
  const std::int64_t most = worker_count(on, planes * g.in.d, work);
  const std::int64_t wanted = most > 1 ? parts(most * kTilesPerWorker, planes) : 1;
  // Tiles of whole windows: if two tiles share a window, both read its indices.
  const std::int64_t windows = parts(g.in.d, g.stride.d);
  depth = parts(windows, std::min(wanted, windows)) * g.stride.d;
  depths = parts(g.in.d, depth);
  workers = worker_count(on, planes * depths, work);
  // 16-bit rows between gaps take 1.1 to 1.4 times as long if their whole lines are streamed; FLOAT
  // rows from 56 columns on take half as long.
  streaming = (joined || bytes_of(g.element) == 4) &&
              saturating_mul(planes, volume) >= on.streamed_bytes(piece > 0) / bytes_of(g.element);
  // One slice after the other: a Xeon takes 0.7 to 0.8 of the time where rows share lines, or where
  // slices alias in 16 bits. A Zen 3 takes 0.3 to 0.9 of it where they alias. A Zen 5 takes 1.25
  // times as long in 16 bits where rows share lines.
  const bool shared_lines = g.in.w * bytes_of(g.element) % std::int64_t{kLine} != 0;
  in_turn = on.amd ? on.instruction_set == InstructionSet::avx2 && slices_alias(g)
                   : shared_lines || (bytes_of(g.element) == 2 && slices_alias(g));
  slice_bytes = staged_bytes(rows * g.stride.h * g.in.w * bytes_of(g.element));
  staged = layout.take_slots(workers, static_cast<std::uint64_t>(kMostSlices * slice_bytes), 1);
}

bool supports(const Geometry& g) {
  if (g.n == 0 || g.drop || !g.windows) return false;
  const auto whole = [&](std::int64_t Axes3::*of) {  // windows
    return g.padding.*of == 0 && (g.out.*of - 1) * (g.stride.*of) + g.kernel.*of <= g.in.*of;
  };
  const bool dense = g.grad_output.w == 1 && g.indices.w == 1 && g.grad_input.w == 1;
  return g.out.w >= kVector && g.kernel.w == 2 && g.stride.w == 2 &&
         g.kernel.h <= std::min(g.stride.h, kMostRows) && g.stride.h <= kMostStride &&
         g.kernel.d <= std::min(g.stride.d, kMostSlices) && whole(&Axes3::d) && whole(&Axes3::h) &&
         whole(&Axes3::w) && dense;
}

bool preferred(const Geometry& g, const Machine& machine) {
  if (g.in.w > kMostWidth) return false;
  if (!rows_joined(g)) {
    // FLOAT rows that end beside their windows take 1.5 times as long as in a ring.
    return g.in.w >= kLeastWidthBetweenGaps && (bytes_of(g.element) == 2 || windows_tile(g));
  }
  if (streamed_piece(g) > 0) return g.in.w >= kLeastWidth;
  return g.in.w >= kLeastWidthStaged && index_pool::scatter_ring::in_bands(g, machine);
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  return Outcome::done_if(
      parallel_tiles_while(planes * depths, {workers, streaming}, [&](std::int64_t tile, int slot) {
        const std::int64_t first = tile % depths * depth;
        return body(*this, b, tile / depths, {first, std::min(g.in.d, first + depth)},
                    staged.at<std::byte>(workspace, slot));
      }));
}

}  // namespace gradproof::kernels::index_pool::select_pairs
