// Work in tiles on oneTBB: how many workers a call gets, and the loop over tiles.
//
// A worker has a slot, a number in [0, workers) that no other worker has at the same time, so a
// kernel's scratch is indexed by slot. Every tile runs in the library's own floating-point mode.
// Kernels give each result element to exactly one tile, hence no bit depends on the thread count.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "opt/kernels/machine.h"

namespace gradproof::kernels {

/// How many parts of at most `part` make up `whole`, which is at least 1. It does not divide for
/// small calls, where a dozen divisions would cost as much as the kernel.
inline std::int64_t parts(std::int64_t whole, std::int64_t part) {
  return whole <= part ? 1 : (whole - 1) / part + 1;
}

/// Tiles for each worker, so that all end at about the same time. A small call has fewer; one
/// worker needs no more than one.
inline constexpr std::int64_t kTilesPerWorker = 4;

/// At most the machine's threads and `tiles`; 1 where `work` (about the elements read and written)
/// is too small to pay for waking a thread.
int worker_count(const Machine& on, std::int64_t tiles, std::int64_t work);

/// Who runs the tiles of a call. Where results are streamed (vector/sink-inl.h), each worker ends
/// with one fence, after which other threads see its results. A fence waits until everything that
/// was streamed is in memory. That takes as long as a small tile, so tiles have none.
struct Workers {
  int count;
  bool streaming;
  // NOLINTNEXTLINE(google-explicit-constructor): mostly a number
  Workers(int workers, bool streams = false) : count(workers), streaming(streams) {}
};

namespace detail {
using TileBody = void (*)(const void* closure, std::int64_t tile, int slot);
void run_tiles(std::int64_t tiles, Workers workers, const void* closure, TileBody body);
}  // namespace detail

/// Calls body(tile, slot) once for every tile; returns when all are done. One worker: on the
/// calling thread, in order, without any allocation.
template <class Body>
void parallel_tiles(std::int64_t tiles, Workers workers, const Body& body) {
  detail::run_tiles(tiles, workers, &body, [](const void* closure, std::int64_t tile, int slot) {
    (*static_cast<const Body*>(closure))(tile, slot);
  });
}

/// Calls body(tile, slot) for every tile until one returns false. Whether all tiles returned true.
template <class Body>
bool parallel_tiles_while(std::int64_t tiles, Workers workers, const Body& body) {
  std::atomic<bool> all{true};
  parallel_tiles(tiles, workers, [&](std::int64_t tile, int slot) {
    if (!all.load(std::memory_order_relaxed)) return;
    if (!body(tile, slot)) all.store(false, std::memory_order_relaxed);
  });
  return all;
}

/// Runs of consecutive rows of equal cost: tiles long enough to amortise their start, short enough
/// to balance.
struct RowTiling {
  std::int64_t rows = 0, rows_per_tile = 1, tiles = 0;
  int workers = 1;
  bool streaming = false;
};
RowTiling tile_rows(std::int64_t rows, std::int64_t work_per_row, const Machine& on);

/// Calls body(row, slot) once for every row.
template <class Body>
void parallel_rows(const RowTiling& tiling, const Body& body) {
  const Workers workers{tiling.workers, tiling.streaming};
  parallel_tiles(tiling.tiles, workers, [&](std::int64_t tile, int slot) {
    const std::int64_t first = tile * tiling.rows_per_tile;
    const std::int64_t count = std::min(tiling.rows_per_tile, tiling.rows - first);
    for (std::int64_t row = first; row < first + count; ++row) body(row, slot);
  });
}

}  // namespace gradproof::kernels
