// The loop over tiles: each tile once, whatever the number of workers and of tiles.
#include "opt/kernels/parallel.h"

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opt/base/performed.h"

namespace gradproof::kernels {
namespace {

TEST(ParallelTiles, EachTileIsRunOnceOnASlotOfTheCall) {
  for (const int workers : {1, 2, 3, 4}) {
    for (const bool streaming : {false, true}) {
      // Few tiles, which are taken one by one; many, of which a worker takes several, at last
      // fewer.
      for (const std::int64_t tiles : {0, 1, 7, 31, 100, 1000, 10007}) {
        std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tiles));
        std::atomic<bool> slots_fit{true};
        parallel_tiles(tiles, {workers, streaming}, [&](std::int64_t tile, int slot) {
          ++runs[static_cast<std::size_t>(tile)];
          if (slot < 0 || slot >= workers) slots_fit = false;
        });
        for (std::int64_t tile = 0; tile < tiles; ++tile)
          ASSERT_EQ(runs[static_cast<std::size_t>(tile)], 1)
              << "tile " << tile << " of " << tiles << ", " << workers << " workers";
        EXPECT_TRUE(slots_fit) << tiles << " tiles, " << workers << " workers";
      }
    }
  }
}

TEST(ParallelTiles, WorkersAreKnownToDoTheCallersWork) {
  for (const int workers : {1, 4}) {
    const Performing work({"aclnnSome", 7});
    std::atomic<int> known{0};
    parallel_tiles(100, {workers}, [&](std::int64_t, int) {
      known += performed.function == std::string("aclnnSome") && performed.stream == 7;
    });
    EXPECT_EQ(known, 100) << workers << " workers";
  }
  EXPECT_EQ(performed.function, nullptr);
}

TEST(ParallelTiles, EachRowIsRunOnce) {
  RowTiling tiling;
  tiling.rows = 1003;
  tiling.rows_per_tile = 10;
  tiling.tiles = 101;
  tiling.workers = 2;
  std::vector<std::atomic<int>> runs(1003);
  parallel_rows(tiling, [&](std::int64_t row, int) { ++runs[static_cast<std::size_t>(row)]; });
  for (const std::atomic<int>& each : runs) EXPECT_EQ(each, 1);
}

}  // namespace
}  // namespace gradproof::kernels
