// Planning of gather_rows.h.
#include "opt/kernels/mask_pool/gather_rows.h"

#include <algorithm>

#include "opt/kernels/vector/sink.h"

namespace gradproof::kernels::mask_pool::gather_rows {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

constexpr std::int64_t kWordBytes = 8192;   // of a block: they stay in the L1 cache,
constexpr std::int64_t kElements = 2048;    // and so do a block's sums
constexpr std::int64_t kMostStep = 8;       // rows that a block's height is a multiple of
constexpr std::int64_t kFewPositions = 64;  // fewer do not pay for the beginning of a block
constexpr std::int64_t kMostPositions = kWordsPitch - kSpare - 2 * kMostSources;

/// Of one block: outputs of the most kernel positions that are to stay in cache.
std::int64_t most_positions(const Geometry& g, const Machine& on) {
  return std::clamp(on.block(kWordBytes) / 2 / (g.kernel.h * g.kernel.w),
                    on.block(kFewPositions, 2), kMostPositions);
}

MaskTiles::Most most(const Geometry& g, const Machine& on) {
  const std::int64_t columns = std::min(on.block(kElements, 2), most_positions(g, on) * g.stride.w);
  return {g.in.h, columns / 2 * 2, true};
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on),
      MaskTiles(g, on, most(g, on)),
      h{g.in.h, g.out.h, false, g.kernel.h, g.stride.h, g.padding.h},
      w{g.in.w, g.out.w, false, g.kernel.w, g.stride.w, g.padding.w} {
  const std::int64_t pitch = parts(columns + g.kernel.w, g.stride.w) + 1;  // of a row, at most
  const std::int64_t wanted = std::max<std::int64_t>(1, most_positions(g, on) / pitch);
  block_rows = std::min(rows, wanted * std::min(g.stride.h, rows));
  block_rows = std::clamp<std::int64_t>(on.block(kElements) / columns, 1, block_rows);
  // As many blocks of equal height: a short block reads nearly as many words and terms.
  // Windows far apart would make blocks of that height: most of it is zeros.
  const std::int64_t step = std::min({g.stride.h, rows, kMostStep});
  block_rows = std::min(rows, parts(parts(rows, parts(rows, block_rows)), step) * step);
  const std::int64_t groups = parts(block_rows, g.stride.h);
  const std::int64_t term_rows = groups + parts(g.kernel.h, g.stride.h) + 1;
  front = kSpare;
  terms_pitch = front + term_rows * pitch + 2 * kSpare;
  staging_pitch = groups * pitch * g.stride.w + kSpare;
  staging_rows = std::min<std::int64_t>(g.stride.h, std::max<std::int64_t>(2, block_rows));
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  const std::int64_t size = bytes_of(g.element);
  terms = layout.take_slots(workers, count(2 * terms_pitch), sizeof(float));
  words = layout.take_slots(workers, count((mask.kernel_positions + 1) / 2 * 2 * kWordsPitch), 2);
  row = layout.take_slots(workers, count(staging_pitch), count(size));
  staging = layout.take_slots(workers, count(2 * staging_rows * staging_pitch), count(size));
  staged = layout.take_slots(workers, count(staged_bytes((block_rows + 1) * columns * size)), 1);
}

bool supports(const Geometry& g) {
  return g.n > 0 && g.kernel.h <= kMostSources && g.kernel.w <= kMostSources &&
         g.kernel.h * g.kernel.w <= kMostSources && g.stride.w <= kMostStride;
}

bool runs_of_threes(const Geometry& g, const Machine& machine) {
  return g.kernel.h == 3 && g.kernel.w == 3 && g.stride.h == 1 && g.stride.w == 1 &&
         g.out.w == g.in.w && g.in.w <= most(g, machine).columns && g.grad_input.w == 1 &&
         g.grad_input.h == g.in.w;
}

Outcome Plan::run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const {
  return run_mask_tiles(*this, b, workspace);
}

Scratch Plan::scratch(std::byte* workspace, int slot) const {
  return {terms.at<float>(workspace, slot), words.at<std::uint16_t>(workspace, slot),
          row.at<std::byte>(workspace, slot), staging.at<std::byte>(workspace, slot),
          staged.at<std::byte>(workspace, slot)};
}

}  // namespace gradproof::kernels::mask_pool::gather_rows
