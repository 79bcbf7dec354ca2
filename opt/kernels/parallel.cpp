// The tile loop on oneTBB.
#include "opt/kernels/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdlib>
#include <utility>

#include <pthread.h>

#include "hwy/cache_control.h"
#include "opt/base/checked.h"
#include "opt/base/device_access.h"
#include "opt/base/float_mode.h"
#include "opt/base/no_cancel.h"
#include "opt/base/parallel_state.h"
#include "opt/base/performed.h"
#include "opt/base/signals_blocked.h"

namespace gradproof::kernels {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr std::int64_t kWorkPerWorker = 64;  // fuzzed calls are small, and must run in parallel too
#else
/// About 20 µs, because a sleeping thread takes 10 to 40 µs to wake on a virtual machine:
/// `./run bench --threads 2 --filter size_`.
constexpr std::int64_t kWorkPerWorker = 65536;
#endif
constexpr std::int64_t kWorkPerTile = 16384;

/// A worker takes several small tiles at once. Neighbours read the same cache lines; and taking
/// tiles is a locked instruction, which waits, like a fence, for everything that was streamed.
constexpr std::int64_t kRunsPerWorker = 8, kLongestRun = 32;

/// One loop on oneTBB. It counts itself before it checks whether loops are allowed. So a thread
/// that forbids loops and then counts none running knows that none will start.
class Region {
 public:
  Region() {
    parallel_state::running.fetch_add(1);
    allowed_ = !parallel_state::serial.load();
    if (allowed_) parallel_state::started.store(true);  // perhaps uncovered: forked child
  }
  ~Region() { parallel_state::running.fetch_sub(1); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  bool allowed() const { return allowed_; }

 private:
  bool allowed_;
};

constinit thread_local bool looped = false;  // this thread has run a loop on oneTBB

/// Whether there is memory for oneTBB's own allocations, because it ends the process where they
/// fail: small ones for each loop, and in a thread's first one tables with some hundred bytes for
/// each processor. Called before each loop; costs a fraction of a microsecond.
bool memory_is_left() {
  const auto processors = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t first = looped ? 0 : processors << 10;
  void* const sample = std::malloc((std::size_t{1} << 16) + first);
  asm volatile("" : : "r"(sample) : "memory");  // or the compiler drops both
  std::free(sample);
  return sample != nullptr;
}

constinit thread_local bool seen = false;

/// Gives a worker of oneTBB that a loop of ours has started its name: it has its starter's, which
/// may be the program's. Workers that the program has started keep theirs.
void name_worker() {
  if (std::exchange(seen, true) || !SignalsBlocked::inherited()) return;  // perhaps uncovered: race
  pthread_setname_np(pthread_self(), "gradproof-tbb");
}

/// Isolated: a thread that waits for the loop's end takes none of the program's own tasks, which
/// may wait for the stream that the loop is part of, or for locks that the caller holds.
template <class Work>
void on_workers(int workers, const Work& work) {
  const NoCancel whole;  // oneTBB does not promise to wait without cancellation points
  const Region region;
  if (!region.allowed() || !memory_is_left()) return;  // perhaps uncovered: out of memory
  const SignalsBlocked inherited;                      // by workers that start now
  const pthread_t caller = pthread_self();
  const Performed callers = performed;
  const auto work_as = [&](int slot) {
    if (pthread_equal(pthread_self(), caller) == 0) name_worker();
    const Performing as_caller(callers);
    work(slot);
  };
  try {
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(0, workers, work_as, tbb::simple_partitioner()); });
    looped = true;
  } catch (...) {
    // No memory for tasks: those that started have ended, the rest is the caller's.
  }
}

}  // namespace

int worker_count(const Machine& on, std::int64_t tiles, std::int64_t work) {
  const std::int64_t worthwhile = on.as_large ? tiles : work / kWorkPerWorker;
  const std::int64_t most = std::min({std::int64_t{on.threads}, tiles, worthwhile});
  return static_cast<int>(std::max<std::int64_t>(1, most));
}

RowTiling tile_rows(std::int64_t rows, std::int64_t work_per_row, const Machine& on) {
  RowTiling tiling;
  tiling.rows = rows;
  const std::int64_t work = saturating_mul(rows, work_per_row);
  // All rows where they fit, without dividing.
  const std::int64_t fitting = on.as_large ? 1
                               : work <= kWorkPerTile
                                   ? rows
                                   : kWorkPerTile / std::max<std::int64_t>(1, work_per_row);
  tiling.rows_per_tile = std::max<std::int64_t>(1, fitting);
  tiling.tiles = rows == 0 ? 0 : parts(rows, tiling.rows_per_tile);
  tiling.workers = worker_count(on, tiling.tiles, work);
  return tiling;
}

namespace detail {

void run_tiles(std::int64_t tiles, Workers workers, const void* closure, TileBody body) {
  if (workers.count == 1) {
    const FloatModeGuard mode;
    const DeviceAccess access;
    for (std::int64_t tile = 0; tile < tiles; ++tile) body(closure, tile, 0);
    if (workers.streaming) hwy::FlushStream();
    return;
  }
  std::atomic<std::int64_t> next{0};
  const std::int64_t run =
      std::clamp<std::int64_t>(tiles / (workers.count * kRunsPerWorker), 1, kLongestRun);
  const auto work = [&](int slot) {
    const FloatModeGuard mode;
    const DeviceAccess access;
    for (std::int64_t tile; (tile = next.fetch_add(run, std::memory_order_relaxed)) < tiles;) {
      const std::int64_t end = std::min(tiles, tile + run);
      for (; tile < end; ++tile) body(closure, tile, slot);
    }
    if (workers.streaming) hwy::FlushStream();
  };
  on_workers(workers.count, work);
  work(0);  // what is left, if anything
}

}  // namespace detail
}  // namespace gradproof::kernels
