// Planning of gather_lanes.h.
#include "opt/kernels/mask_pool/gather_lanes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "opt/base/checked.h"
#include "opt/kernels/mask_pool/gather_rows.h"

namespace gradproof::kernels::mask_pool::gather_lanes {
namespace {

using Geometry = MaxPool2dBackwardGeometry;

constexpr std::int64_t kMostPlaces = std::numeric_limits<std::uint16_t>::max();

/// Outputs that a row's windows would have on either side if the row continued there.
std::int64_t border_of(const Geometry& g) { return (g.kernel.w - 1) / g.stride.w + 1; }

MaskTiles::Most most(const Geometry& g, const Machine& on) {
  const std::int64_t columns = std::min(g.in.w, on.block(kColumns));
  return {std::max<std::int64_t>(1, on.block(kPositions) / (columns + 2 * border_of(g))), columns,
          false};
}

/// The most windows that reach `length` neighbours.
std::int64_t most_windows(const WindowAxis& axis, std::int64_t length) {
  return std::min(axis.out, (length + axis.kernel - 2) / axis.stride + 1);
}

bool scatters(const Geometry& g, const Machine& machine) {
  if (!machine.has_avx2()) return false;
  std::int64_t few = g.element == Element::f32 ? kScattered : kScatteredHalves;
  if (machine.instruction_set == InstructionSet::avx512) few = kScatteredWide;
  return g.kernel.h * g.kernel.w >= few && g.in.w >= kFewColumns;
}

/// Whether gather_rows.h, which has loops for windows of 3 × 3, is faster.
bool rows_are_faster(const Geometry& g, const Machine& machine) {
  if (g.kernel.h != 3 || g.kernel.w != 3) return false;
  if (machine.instruction_set == InstructionSet::avx512) {
    const std::int64_t all = parts(g.c, kLanes) * kLanes;
    return g.c < all - all / 8;  // an eighth of the lanes may be empty
  }
  if (machine.instruction_set == InstructionSet::avx2 &&
      mask_pool::gather_rows::runs_of_threes(g, machine)) {
    return true;
  }
  return saturating_mul(g.n * g.c, g.in.h * g.in.w) < kStreamedBytes / bytes_of(g.element);
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on),
      MaskTiles(g, on, most(g, on)),
      h{g.in.h, g.out.h, false, g.kernel.h, g.stride.h, g.padding.h},
      w{g.in.w, g.out.w, false, g.kernel.w, g.stride.w, g.padding.w},
      batch_rows(std::clamp<std::int64_t>(on.block(kBatch) / columns, 1, rows)),
      border(border_of(g)) {
  // Batches of whole lines can be streamed from registers.
  const std::int64_t size = bytes_of(g.element), line = std::int64_t{kLine} / size;
  const std::int64_t whole = line / std::gcd(line, columns);
  if (batch_rows > whole) batch_rows -= batch_rows % whole;
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  const std::int64_t outputs = most_windows(h, rows) * (most_windows(w, columns) + 2 * border);
  terms = layout.take_slots(workers, count((outputs + kLanes) * kLanes), sizeof(float));
  sums = layout.take_slots(workers, count((batch_rows * columns + 2 * kLanes) * kLanes),
                           sizeof(float));
  staging = layout.take_slots(workers, count(channels * rows * columns), count(size));
  if (!scatters(g, on) || rows < g.in.h || columns < g.in.w) return;
  const std::int64_t reached =
      std::max(g.padding.h + g.in.h, (g.out.h - 1) * g.stride.h + g.kernel.h);
  if (kTogether * reached * g.in.w > kMostPlaces) return;
  scatter_rows = reached;
  body = body_of(InstructionSet::avx2);  // with AVX-512, too, whose body does not scatter
  linear = layout.take_slots(workers, count(kTogether * g.out.h * g.out.w), sizeof(float));
  planes = layout.take_slots(workers, count(kTogether * reached * g.in.w), sizeof(float));
  places = layout.take_slots(workers, count(parts(g.out.h * g.out.w, kLanes) * kLanes * kLanes),
                             sizeof(std::uint16_t));
  // Any 16 bits that another thread writes among the places point into the workspace.
  layout.reach(planes.offset + static_cast<std::uint64_t>(workers - 1) * planes.stride +
               (std::uint64_t{1} << 16) * sizeof(float));
}

bool supports(const Geometry& g) {
  return g.n > 0 && g.kernel.h <= kMostKernel && g.kernel.w <= kMostKernel &&
         g.stride.h <= kMostStride && g.stride.w <= kMostStride;
}

bool preferred(const Geometry& g, const Machine& machine) {
  if (g.c < kFewChannels) return false;
  const std::int64_t terms = g.kernel.h * g.kernel.w / g.stride.h / g.stride.w;
  if (g.in.w <= kFewColumns) return terms >= 2;
  return terms >= kFewTerms && !rows_are_faster(g, machine);
}

Outcome Plan::run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const {
  return run_mask_tiles(*this, b, workspace);
}

Scratch Plan::scratch(std::byte* workspace, int slot) const {
  return {terms.at<float>(workspace, slot),       sums.at<std::uint32_t>(workspace, slot),
          staging.at<std::byte>(workspace, slot), linear.at<float>(workspace, slot),
          planes.at<float>(workspace, slot),      places.at<std::uint16_t>(workspace, slot)};
}

}  // namespace gradproof::kernels::mask_pool::gather_lanes
