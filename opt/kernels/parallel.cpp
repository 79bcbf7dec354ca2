// The tile loop on oneTBB.
#include "opt/kernels/parallel.h"

#include <tbb/parallel_for.h>

#include <atomic>

#include "opt/base/float_mode.h"

namespace gradproof::kernels {
namespace {

constexpr double kWorkPerWorker = 32768;  // some ten microseconds: what waking a worker costs
constexpr double kWorkPerTile = 16384;

}  // namespace

int worker_count(int threads, std::int64_t tiles, double work) {
  const double worthwhile = std::max(1.0, work / kWorkPerWorker);
  const std::int64_t most = std::min<std::int64_t>(threads, tiles);
  return static_cast<int>(std::max<std::int64_t>(
      1, worthwhile < static_cast<double>(most) ? static_cast<std::int64_t>(worthwhile) : most));
}

RowTiling tile_rows(std::int64_t rows, double work_per_row, int threads) {
  RowTiling tiling;
  tiling.rows = rows;
  tiling.rows_per_tile = static_cast<std::int64_t>(std::max(1.0, kWorkPerTile / std::max(1.0, work_per_row)));
  tiling.tiles = rows == 0 ? 0 : (rows - 1) / tiling.rows_per_tile + 1;
  tiling.workers = worker_count(threads, tiling.tiles, static_cast<double>(rows) * work_per_row);
  return tiling;
}

namespace detail {

void run_tiles(std::int64_t tiles, int workers, const void* closure, TileBody body) {
  std::atomic<std::int64_t> next{0};
  const auto work = [&](int slot) {
    const FloatModeGuard mode;
    for (std::int64_t tile; (tile = next.fetch_add(1, std::memory_order_relaxed)) < tiles;) {
      body(closure, tile, slot);
    }
  };
  if (workers > 1) {
    try {
      tbb::parallel_for(0, workers, work, tbb::simple_partitioner());
    } catch (...) {
      // No memory for tasks: those that started have ended, the rest is done below.
    }
  }
  work(0);
}

}  // namespace detail
}  // namespace gradproof::kernels
