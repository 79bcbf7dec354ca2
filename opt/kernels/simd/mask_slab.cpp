// Planning of mask_slab.h.
#include "opt/kernels/simd/mask_slab.h"

#include <algorithm>
#include <bit>

#include "opt/kernels/simd/staged_rows.h"

namespace gradproof::kernels::mask_slab {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole - 1) / part + 1; }

}  // namespace

Plan::Plan(const Geometry& g, int threads)
    : MaskTiles(g, threads, whole_rows(g)),
      h{g.in.h, g.out.h, false, g.kernel.h, g.stride.h, g.padding.h},
      w{g.in.w, g.out.w, false, g.kernel.w, g.stride.w, g.padding.w} {
  const std::int64_t at_once = parts(h.longest(), std::min(h.longest(), g.stride.h));
  term_rows = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(at_once + 1)));
  // Multiples of a vector, so that no load of words, and few of terms, lie across two cache lines.
  const auto vectors = [](std::int64_t n) { return (n + kSpare - 1) / kSpare * kSpare; };
  front = vectors((g.kernel.w - 1) / g.stride.w + 1);
  pitch = front + vectors((columns + 2 * g.kernel.w) / g.stride.w + 4 + 2 * kSpare);
  const std::int64_t row_bytes = (columns + 4 * kSpare) * static_cast<std::int64_t>(sizeof(float));
  staged = kStaged + row_bytes;
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  terms = layout.take_slots(workers, count(channels * term_rows * pitch), sizeof(float));
  words = layout.take_slots(workers, count(mask.kernel_positions * pitch), sizeof(std::uint32_t));
  row = layout.take_slots(workers, count(row_bytes), 1);
  rows_staged = layout.take_slots(workers, count(channels * staged), 1);
}

bool legal(const Geometry& g) {
  return g.n > 0 && g.kernel.h <= kMostSources && g.kernel.w <= kMostSources &&
         g.kernel.h * g.kernel.w <= kMostSources && g.stride.w <= kMostStride;
}

Scratch Plan::scratch(std::byte* workspace, int slot) const {
  return {terms.at<float>(workspace, slot), words.at<std::uint32_t>(workspace, slot),
          row.at<std::byte>(workspace, slot), rows_staged.at<std::byte>(workspace, slot)};
}

}  // namespace gradproof::kernels::mask_slab
