// Planning of gather_planes.h.
#include "opt/kernels/mask_pool/gather_planes.h"

#include <algorithm>

#include "opt/base/checked.h"

namespace gradproof::kernels::mask_pool::gather_planes {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// For one thread: MaskTiles then divides no plane.
MaskTiles whole_planes(const Geometry& g, Machine machine) {
  machine.threads = 1;
  return {g, machine, {g.in.h, g.in.w, false}};
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on),
      MaskTiles(whole_planes(g, on)),
      outputs(g.out.h * g.out.w),
      area(g.in.h * g.in.w),
      most_terms((g.kernel.h > g.stride.h ? 2 : 1) * (g.kernel.w > g.stride.w ? 2 : 1)),
      listed(parts(area, kChunk) * kChunk * most_terms) {
  workers = worker_count(on, tiles, saturating_mul(g.n * g.c, area + outputs));
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  terms = layout.take_slots(workers, count(channels * outputs + kMostOutputs), sizeof(float));
  keys = layout.take_slots(workers, count(listed), 2);
  list_terms();
}

void Plan::list_terms() {
  std::int16_t found[kMostArea] = {};
  std::fill(place, place + listed, 0);
  // In ascending order of outputs, the order in which an element's terms are added.
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

Outcome Plan::run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const {
  return run_mask_tiles(*this, b, workspace);
}

Scratch Plan::scratch(std::byte* workspace, int slot) const {
  return {terms.at<float>(workspace, slot), keys.at<std::uint16_t>(workspace, slot)};
}

bool supports(const Geometry& g) {
  if (g.n == 0 || g.in.h > kMostArea || g.in.w > kMostArea || g.out.h > kMostOutputs ||
      g.out.w > kMostOutputs || g.kernel.h > kMostKernel || g.kernel.w > kMostKernel) {
    return false;
  }
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  const std::int64_t area = g.in.h * g.in.w;
  return from.w == 1 && from.h == g.out.w && to.w == 1 && to.h == g.in.w && area >= kChunk &&
         area <= kMostArea && g.out.h * g.out.w <= kMostOutputs &&
         (g.kernel.h + 1) / 2 <= g.stride.h && (g.kernel.w + 1) / 2 <= g.stride.w;
}

bool preferred(const Geometry& g, const Machine& machine) {
  // Where windows overlap, a vector needs two or four permutations, which pays only if it holds a
  // whole chunk.
  const bool overlap = g.kernel.h > g.stride.h || g.kernel.w > g.stride.w;
  // Of pairs of columns, select_pairs.h takes 0.4 to 1.1 of the time, but 1.5 where FLOAT rows have
  // an odd column.
  const bool pairs = g.kernel.w == 2 && g.stride.w == 2;
  const bool odd = g.element == Element::f32 && g.in.w % 2 == 1;
  if (machine.instruction_set != InstructionSet::avx512 && (overlap || (pairs && !odd)))
    return false;
  const std::int64_t size = bytes_of(g.element);
  const bool cached = saturating_mul(g.n * g.c, g.in.h * g.in.w) < kStreamedBytes / size;
  return cached && g.c >= kFewChannels;
}

}  // namespace gradproof::kernels::mask_pool::gather_planes
