// Cuts a copy into blocks of channels × positions.
#include "opt/kernels/vector/copy_view.h"

#include <algorithm>
#include <array>

#include "opt/base/checked.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels {
namespace {

constexpr std::int64_t kChannels = 64;    // of a block: 128 bytes in 16 bits
constexpr std::int64_t kPositions = 512;  // of a block, which then stays in L2

struct Axis {
  std::int64_t extent, from, to;
};

/// Merges `inner` into `outer` if both tensors have a single stride for the two.
bool join(Axis& outer, Axis& inner) {
  if (inner.extent > 1 && outer.extent > 1 &&
      (outer.from != inner.from * inner.extent || outer.to != inner.to * inner.extent)) {
    return false;
  }
  if (inner.extent > 1) outer.from = inner.from, outer.to = inner.to;
  outer.extent *= inner.extent;
  return true;
}

}  // namespace

void copy_view(const Extents5& e, int bytes, const End<const std::byte>& from,
               const End<std::byte>& to, bool stream, const Machine& machine) {
  const Strides5 &s = from.strides, &t = to.strides;
  Axis d{e.plane.d, s.d, t.d}, h{e.plane.h, s.h, t.h}, w{e.plane.w, s.w, t.w};
  // Positions in as few axes as both ends allow, the last one innermost.
  if (join(h, w)) {
    w = h;
    h = d;
    d.extent = 1;
    if (join(h, w)) {
      w = h;
      h.extent = 1;
    }
  }
  const std::int64_t channel_blocks = parts(e.c, kChannels);
  const std::int64_t position_blocks = parts(w.extent, kPositions);
  const std::int64_t tiles = e.n * d.extent * h.extent * channel_blocks * position_blocks;
  if (tiles == 0) return;
  const std::int64_t work = saturating_mul(e.n * d.extent * h.extent, e.c * w.extent);
  const copying::CopyBlock copy = copying::copy_block(machine.instruction_set);
  parallel_tiles(tiles, worker_count(machine, tiles, work), [&](std::int64_t tile, int) {
    const auto next = [&tile](std::int64_t extent) {
      const std::int64_t at = tile % extent;
      tile /= extent;
      return at;
    };
    const std::int64_t c = next(channel_blocks) * kChannels, p = next(position_blocks) * kPositions;
    const std::int64_t i = next(h.extent), j = next(d.extent), n = tile;
    copy({std::min(kChannels, e.c - c), std::min(kPositions, w.extent - p), s.c, w.from, t.c, w.to,
          stream},
         bytes, from.data + (n * s.n + c * s.c + j * d.from + i * h.from + p * w.from) * bytes,
         to.data + (n * t.n + c * t.c + j * d.to + i * h.to + p * w.to) * bytes);
  });
}

}  // namespace gradproof::kernels
