// Planning of mask_planes.h.
#include "opt/kernels/simd/mask_planes.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/simd/stream.h"

namespace gradproof::kernels::mask_planes {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// Planes are not parted: without other threads, MaskTiles has no reason to.
MaskTiles whole_planes(const Geometry& g) { return {g, 1, {g.in.h, g.in.w, false}}; }

std::int64_t work_of(const Geometry& g) {
  return saturating_mul(g.n * g.c, g.in.h * g.in.w + g.out.h * g.out.w);
}

}  // namespace

Tiling::Tiling(const Geometry& g, int threads)
    : MaskTiles(whole_planes(g)),
      outputs(g.out.h * g.out.w),
      area(g.in.h * g.in.w),
      most_terms((g.kernel.h > g.stride.h ? 2 : 1) * (g.kernel.w > g.stride.w ? 2 : 1)),
      listed(parts(area, kChunk) * kChunk * most_terms) {
  workers = worker_count(threads, tiles, work_of(g));
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  terms = layout.take_slots(workers, count(channels * outputs + kMostOutputs), sizeof(float));
  keys = layout.take_slots(workers, count(listed), 2);
}

Scratch Tiling::scratch(std::byte* workspace, int slot) const {
  return {terms.at<float>(workspace, slot), keys.at<std::uint16_t>(workspace, slot)};
}

Plan::Plan(const Geometry& g, int threads) : Tiling(g, threads) {
  std::int16_t found[kMostArea] = {};
  std::fill(place, place + listed, 0);
  // In ascending outputs, the order in which an element's terms are added.
  for (std::int64_t output = 0; output < outputs; ++output) {
    const std::int64_t top = output / g.out.w * g.stride.h - g.padding.h,
                       left = output % g.out.w * g.stride.w - g.padding.w;
    const Span kh{std::max<std::int64_t>(0, -top), std::min(g.kernel.h, g.in.h - top)},
        kw{std::max<std::int64_t>(0, -left), std::min(g.kernel.w, g.in.w - left)};
    for (std::int64_t i = kh.first; i < kh.last; ++i) {
      for (std::int64_t j = kw.first; j < kw.last; ++j) {
        const std::int64_t element = (top + i) * g.in.w + left + j;
        const std::int64_t list = element / kChunk * most_terms + found[element]++;
        const std::int64_t key = list * kChunk + element % kChunk;
        const std::int64_t word = (i * g.kernel.w + j) * mask.positions + output;
        place[key] = static_cast<std::int32_t>(output);
        link[links++] = {static_cast<std::int16_t>(word), static_cast<std::int16_t>(key)};
      }
    }
  }
}

bool legal(const Geometry& g) {
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  if (g.n == 0 || g.c < kFewChannels || g.in.h > kMostArea || g.in.w > kMostArea ||
      g.out.h > kMostOutputs || g.out.w > kMostOutputs || g.kernel.h > kMostKernel ||
      g.kernel.w > kMostKernel) {
    return false;
  }
  const std::int64_t area = g.in.h * g.in.w, size = g.element == Element::f32 ? 4 : 2;
  const bool dense = from.w == 1 && from.h == g.out.w && to.w == 1 && to.h == g.in.w;
  // Where windows overlap, two or four permutations a vector cost more than rows do, unless a
  // vector holds a whole chunk.
  const bool overlap = g.kernel.h > g.stride.h || g.kernel.w > g.stride.w;
  if (overlap && best_instruction_set() != InstructionSet::avx512) return false;
  const bool cached = saturating_mul(g.n * g.c, area) < kStreamedBytes / size;
  return dense && cached && area >= kChunk && area <= kMostArea &&
         g.out.h * g.out.w <= kMostOutputs && (g.kernel.h + 1) / 2 <= g.stride.h &&
         (g.kernel.w + 1) / 2 <= g.stride.w;
}

std::uint64_t workspace(const Geometry& g, int threads) {
  return Tiling(g, threads).layout.bytes();
}

}  // namespace gradproof::kernels::mask_planes
