// The tile loop on oneTBB.
#include "opt/kernels/parallel.h"

#include <tbb/parallel_for.h>

#include <atomic>

#include "opt/base/checked.h"
#include "opt/base/device_access.h"
#include "opt/base/float_mode.h"

namespace gradproof::kernels {
namespace {

constexpr std::int64_t kWorkPerWorker = 32768;  // some ten microseconds: what waking a worker costs
constexpr std::int64_t kWorkPerTile = 16384;

}  // namespace

int worker_count(int threads, std::int64_t tiles, std::int64_t work) {
  const std::int64_t most = std::min({std::int64_t{threads}, tiles, work / kWorkPerWorker});
  return static_cast<int>(std::max<std::int64_t>(1, most));
}

RowTiling tile_rows(std::int64_t rows, std::int64_t work_per_row, int threads) {
  RowTiling tiling;
  tiling.rows = rows;
  tiling.rows_per_tile =
      std::max<std::int64_t>(1, kWorkPerTile / std::max<std::int64_t>(1, work_per_row));
  tiling.tiles = rows == 0 ? 0 : (rows - 1) / tiling.rows_per_tile + 1;
  tiling.workers = worker_count(threads, tiling.tiles, saturating_mul(rows, work_per_row));
  return tiling;
}

namespace detail {

void run_tiles(std::int64_t tiles, int workers, const void* closure, TileBody body) {
  std::atomic<std::int64_t> next{0};
  const auto work = [&](int slot) {
    const FloatModeGuard mode;
    const DeviceAccess access;
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
