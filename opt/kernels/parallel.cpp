// The tile loop on oneTBB.
#include "opt/kernels/parallel.h"

#include <tbb/parallel_for.h>

#include <atomic>

#include "opt/base/checked.h"
#include "opt/base/device_access.h"
#include "opt/base/float_mode.h"

namespace gradproof::kernels {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr std::int64_t kWorkPerWorker = 64;  // fuzzed calls are small, and are to be shared too
#else
constexpr std::int64_t kWorkPerWorker = 32768;  // some ten microseconds: what waking a worker costs
#endif
constexpr std::int64_t kWorkPerTile = 16384;

}  // namespace

int worker_count(int threads, std::int64_t tiles, std::int64_t work) {
  const std::int64_t most = std::min({std::int64_t{threads}, tiles, work / kWorkPerWorker});
  return static_cast<int>(std::max<std::int64_t>(1, most));
}

RowTiling tile_rows(std::int64_t rows, std::int64_t work_per_row, int threads) {
  RowTiling tiling;
  tiling.rows = rows;
  const std::int64_t work = saturating_mul(rows, work_per_row);
  // All rows where they fit, without dividing.
  const std::int64_t fitting =
      work <= kWorkPerTile ? rows : kWorkPerTile / std::max<std::int64_t>(1, work_per_row);
  tiling.rows_per_tile = std::max<std::int64_t>(1, fitting);
  tiling.tiles = rows == 0 ? 0 : parts(rows, tiling.rows_per_tile);
  tiling.workers = worker_count(threads, tiling.tiles, work);
  return tiling;
}

namespace detail {

void run_tiles(std::int64_t tiles, int workers, const void* closure, TileBody body) {
  if (workers == 1) {
    const FloatModeGuard mode;
    const DeviceAccess access;
    for (std::int64_t tile = 0; tile < tiles; ++tile) body(closure, tile, 0);
    return;
  }
  std::atomic<std::int64_t> next{0};
  const auto work = [&](int slot) {
    const FloatModeGuard mode;
    const DeviceAccess access;
    for (std::int64_t tile; (tile = next.fetch_add(1, std::memory_order_relaxed)) < tiles;) {
      body(closure, tile, slot);
    }
  };
  try {
    tbb::parallel_for(0, workers, work, tbb::simple_partitioner());
  } catch (...) {
    // No memory for tasks: those that started have ended, the rest is done below.
  }
  work(0);
}

}  // namespace detail
}  // namespace gradproof::kernels
