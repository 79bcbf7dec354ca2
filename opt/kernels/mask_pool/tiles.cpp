// Divides planes into tiles.
#include "opt/kernels/mask_pool/tiles.h"

#include <algorithm>

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels {
namespace {

constexpr std::int64_t kSums = 16384;  // of a row of all channels: scratch stays in L2

}  // namespace

MaskTiles::MaskTiles(const MaxPool2dBackwardGeometry& g, const Machine& machine, Most limits)
    : mask(g.c, g.kernel, g.out) {
  const std::int64_t in_group = std::min(g.c, MaskLayout::kChannels);
  channels = in_group;
  rows = std::min(g.in.h, limits.rows);
  columns = std::min(g.in.w, limits.columns);
  column_bands = parts(g.in.w, columns);

  const std::int64_t planes = g.n * g.c, area = g.in.h * g.in.w;
  const std::int64_t work = saturating_mul(planes, saturating_add(area, g.out.h * g.out.w));
  const std::int64_t most = worker_count(machine, planes * g.in.h, work);
  std::int64_t wanted = parts(most * kTilesPerWorker, g.n * mask.groups * column_bands);
  if (most > 1 && wanted > 1) {
    // Rows are divided first, because tiles of the same channels' group read the same words.
    rows = std::min(rows, parts(g.in.h, std::min(g.in.h, wanted)));
    wanted = parts(wanted, parts(g.in.h, rows));
    if (limits.parted) channels = parts(in_group, std::min(in_group, wanted));
  }
  row_bands = parts(g.in.h, rows);
  channel_parts = parts(in_group, channels);
  tiles = g.n * mask.groups * row_bands * column_bands * channel_parts;
  workers = worker_count(machine, tiles, work);
  const std::int64_t size = bytes_of(g.element);
  const bool whole = g.grad_input.w == 1 && g.grad_input.h == g.in.w &&
                     g.in.w * size % static_cast<std::int64_t>(kLine) == 0;
  streaming = saturating_mul(planes, area) >= machine.streamed_bytes(whole) / size;
}

MaskTiles::Most MaskTiles::whole_rows(const MaxPool2dBackwardGeometry& g, const Machine& machine) {
  const std::int64_t in_group = std::min(g.c, MaskLayout::kChannels);
  const std::int64_t columns = machine.block(kSums) / std::max(in_group, g.kernel.h * g.kernel.w);
  return {g.in.h, std::max<std::int64_t>(2, columns / 2 * 2), true};
}

}  // namespace gradproof::kernels
