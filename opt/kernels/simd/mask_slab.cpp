// Planning and walking the tiles of mask_slab.h.
#include "opt/kernels/simd/mask_slab.h"

#include <algorithm>
#include <bit>

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/simd/stream.h"

namespace gradproof::kernels::mask_slab {
namespace {

using Geometry = MaxPool2dBackwardGeometry;
using Buffers = MaxPool2dBackwardBuffers;

constexpr std::int64_t kSums = 16384;        // of a row of all channels: scratch stays in L2
constexpr std::int64_t kTilesPerWorker = 4;  // for balance

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole - 1) / part + 1; }

}  // namespace

Plan::Plan(const Geometry& g, int threads)
    : mask(g.c, g.kernel, g.out),
      h{g.in.h, g.out.h, false, g.kernel.h, g.stride.h, g.padding.h},
      w{g.in.w, g.out.w, false, g.kernel.w, g.stride.w, g.padding.w} {
  mask_bytes = mask.at(g.n * mask.groups, 0, 0);
  const std::int64_t in_group = std::min(g.c, MaskLayout::kChannels);
  channels = in_group;
  rows = g.in.h;
  columns = std::min(g.in.w, kSums / std::max(in_group, mask.kernel_positions));
  column_bands = parts(g.in.w, columns);

  const std::int64_t planes = g.n * g.c, area = g.in.h * g.in.w;
  const std::int64_t work = saturating_mul(planes, saturating_add(area, g.out.h * g.out.w));
  const std::int64_t most = worker_count(threads, planes * g.in.h, work);
  std::int64_t wanted = parts(most * kTilesPerWorker, g.n * mask.groups * column_bands);
  if (most > 1 && wanted > 1) {
    // Of rows first: channels that are split read the same words.
    rows = parts(g.in.h, std::min(g.in.h, wanted));
    row_bands = parts(g.in.h, rows);
    wanted = parts(wanted, row_bands);
    channels = parts(in_group, std::min(in_group, wanted));
  }
  row_bands = parts(g.in.h, rows);
  channel_parts = parts(in_group, channels);
  tiles = g.n * mask.groups * row_bands * column_bands * channel_parts;
  workers = worker_count(threads, tiles, work);
  const std::int64_t size = g.element == Element::f32 ? 4 : 2;
  streaming = saturating_mul(planes, area) >= kStreamedBytes / size;

  const std::int64_t at_once = parts(h.longest(), std::min(h.longest(), g.stride.h));
  term_rows = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(at_once + 1)));
  // Multiples of a vector, so that no load of words, and few of terms, lie across two cache lines.
  const auto vectors = [](std::int64_t n) { return (n + kSpare - 1) / kSpare * kSpare; };
  front = vectors((g.kernel.w - 1) / g.stride.w + 1);
  pitch = front + vectors((columns + 2 * g.kernel.w) / g.stride.w + 4 + 2 * kSpare);
  const std::int64_t row_bytes = (columns + 4 * kSpare) * static_cast<std::int64_t>(sizeof(float));
  staged_bytes = kStaged + row_bytes;
  const auto count = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  terms = layout.take_slots(workers, count(channels * term_rows * pitch), sizeof(float));
  words = layout.take_slots(workers, count(mask.kernel_positions * pitch), sizeof(std::uint32_t));
  row = layout.take_slots(workers, count(row_bytes), 1);
  staged = layout.take_slots(workers, count(channels * staged_bytes), 1);
}

bool legal(const Geometry& g) {
  return g.n > 0 && g.kernel.h <= kMostSources && g.kernel.w <= kMostSources &&
         g.kernel.h * g.kernel.w <= kMostSources && g.stride.w <= kMostStride;
}

std::uint64_t workspace(const Geometry& g, int threads) { return Plan(g, threads).layout.bytes(); }

namespace {

template <class Scalar>
void run_as(const Geometry& g, const Buffers& b, const Launch& launch) {
  const Plan plan(g, launch.threads);
  parallel_tiles(plan.tiles, plan.workers, [&](std::int64_t index, int slot) {
    const Scratch scratch{plan.terms.at<float>(launch.workspace, slot),
                          plan.words.at<std::uint32_t>(launch.workspace, slot),
                          plan.row.at<std::byte>(launch.workspace, slot),
                          plan.staged.at<std::byte>(launch.workspace, slot)};
    const auto next = [&index](std::int64_t count) {
      const std::int64_t place = index % count;
      index /= count;
      return place;
    };
    const std::int64_t part = next(plan.channel_parts) * plan.channels;
    const std::int64_t column = next(plan.column_bands) * plan.columns;
    const std::int64_t row = next(plan.row_bands) * plan.rows;
    const std::int64_t n = index / plan.mask.groups;
    const std::int64_t c = index % plan.mask.groups * MaskLayout::kChannels + part;
    const std::int64_t channels = std::min({plan.channels, MaskLayout::kChannels - part, g.c - c});
    if (channels <= 0) return;  // a part that the last group does not have
    write_tile<Scalar>(
        g, plan,
        {static_cast<const Scalar*>(b.grad_output) + n * g.grad_output.n + c * g.grad_output.c,
         b.mask,
         index,
         1u << part,
         channels,
         static_cast<Scalar*>(b.grad_input) + n * g.grad_input.n + c * g.grad_input.c,
         {row, std::min(g.in.h, row + plan.rows)},
         {column, std::min(g.in.w, column + plan.columns)}},
        scratch, launch.instruction_set);
  });
}

}  // namespace

Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
  if (g.through_f16) {
    run_as<FloatViaFloat16>(g, b, launch);
  } else {
    visit_narrow(g.element,
                 [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });
  }
  return {};
}

}  // namespace gradproof::kernels::mask_slab
