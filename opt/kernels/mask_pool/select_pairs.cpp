// Planning of select_pairs.h.
#include "opt/kernels/mask_pool/select_pairs.h"

#include <algorithm>

#include "opt/kernels/vector/column_pairs.h"
#include "opt/kernels/vector/sink.h"

namespace gradproof::kernels::mask_pool::select_pairs {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// Whether windows tile planes that follow each other without gaps. Not for FLOAT rows of whole
/// vectors, which are as fast row by row.
bool tiles_planes(const Geometry& g) {
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  if (g.element == Element::f32 && g.in.w % (kFlatVector / 4) == 0) return false;
  return g.kernel.h == 2 && g.stride.h == 2 && g.padding.h == 0 && g.in.h == 2 * g.out.h &&
         g.in.w == 2 * g.out.w && from.w == 1 && from.h == g.out.w && to.w == 1 && to.h == g.in.w &&
         to.c == g.in.h * g.in.w;
}

}  // namespace

bool FlatVectors::list(const Axes2& in, std::int64_t size) {
  const std::int64_t lanes = kFlatVector / size, area = in.h * in.w, outputs = area / 4;
  constexpr std::int64_t kTerms = 8;  // that a permutation takes
  if (area > kFlatBytes / size || outputs < kTerms) return false;
  std::int64_t before = 0;
  for (std::int64_t i = 0; i == 0 || before != 0; ++i) {
    Phase& phase = phases[i];
    const std::int64_t end = before + area;
    phase = {};
    phase.before = before;
    phase.whole = end / lanes;
    phase.parted = end % lanes != 0;
    phase.next = phase.parted ? i + 1 : 0;
    for (std::int64_t v = 0; v * lanes < end; ++v) {
      const Span scalars{std::max<std::int64_t>(0, v * lanes - before),
                         std::min(area, (v + 1) * lanes - before)};
      const auto output = [&](std::int64_t scalar) {
        return scalar / in.w / 2 * (in.w / 2) + scalar % in.w / 2;
      };
      std::int64_t first = outputs, last = 0;
      for (std::int64_t s = scalars.first; s < scalars.last; ++s) {
        first = std::min(first, output(s));
        last = std::max(last, output(s));
      }
      if (last - first >= kTerms) return false;
      phase.first[v] = first;
      for (std::int64_t s = scalars.first; s < scalars.last; ++s) {
        std::uint8_t* to = phase.vectors[v].places + (before + s - v * lanes) * size;
        const auto place = static_cast<std::uint8_t>(output(s) - first);
        if (size == 4) {
          to[0] = place;  // the lane's number
        } else {
          to[0] = static_cast<std::uint8_t>(2 * place);  // the bytes' numbers
          to[1] = static_cast<std::uint8_t>(2 * place + 1);
        }
      }
    }
    before = end % lanes;
  }
  return true;
}

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on), MaskTiles(g, on, whole_rows(g, on)) {
  const std::int64_t size = bytes_of(g.element);
  const std::int64_t outputs = (columns + 1) / 2;  // of a row of a tile
  block_rows = std::clamp<std::int64_t>(on.block(kOutputs) / outputs, 1, g.out.h);
  pitch = 2 * block_rows * outputs + kPairSpare;
  long_rows = streaming && outputs * size >= on.block(kLongRow);
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  keys = layout.take_slots(workers, count(g.kernel.h * pitch), count(size));
  terms = layout.take_slots(workers, count(2 * pitch), count(size));
  staged =
      layout.take_slots(workers, count(staged_bytes(block_rows * g.stride.h * columns * size)), 1);
  if (!on.has_avx2() || !tiles_planes(g) || rows < g.in.h || columns < g.in.w ||
      block_rows < g.out.h) {
    return;
  }
  auto vectors = std::make_unique<FlatVectors>();
  if (!vectors->list(g.in, size)) return;
  flat = std::move(vectors);
  body = body_of(InstructionSet::avx2);  // with AVX-512, too: it has no loop for such runs
  flat_keys = layout.take_slots(workers, count(g.in.h * g.in.w + 2 * kFlatSpare), count(size));
}

bool supports(const Geometry& g) {
  const bool rows_of_lanes = (g.grad_output.w == 1 || g.out.w == 1) &&  //
                             (g.grad_input.w == 1 || g.in.w == 1);
  return g.n > 0 && g.kernel.w == 2 && g.stride.w == 2 && g.padding.w == 0 &&
         g.kernel.h <= std::min(g.stride.h, kMostRows) && g.stride.h <= kMostStride &&
         rows_of_lanes;
}

Outcome Plan::run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const {
  return run_mask_tiles(*this, b, workspace);
}

Scratch Plan::scratch(std::byte* workspace, int slot) const {
  return {keys.at<std::byte>(workspace, slot), terms.at<std::byte>(workspace, slot),
          staged.at<std::byte>(workspace, slot), flat_keys.at<std::byte>(workspace, slot)};
}

}  // namespace gradproof::kernels::mask_pool::select_pairs
