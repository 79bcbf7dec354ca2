// Calls from the program's own oneTBB tasks.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <mutex>
#include <vector>

#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

namespace gradproof::test {

/// Many tasks synchronise one stream, whose work is parallel itself: a thread that waits for that
/// work must not take another of these tasks.
void child_that_calls_from_tasks() {
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  arena.execute([&] {
    tbb::parallel_for(0, 400, [&](int i) {
      thread_local PadCall call(8);
      REQUIRE(call.launch(i % 4 == 0 ? nullptr : stream) == 0);
      REQUIRE(aclrtSynchronizeStream(i % 4 == 0 ? nullptr : stream) == 0);
    });
  });
  REQUIRE(aclrtDestroyStream(stream) == 0);
}

void calls_from_host_tasks() { all_exit_well("child_that_calls_from_tasks", 15, 30); }

/// The same with a lock of the program's around each call.
void child_that_locks_around_calls() {
  std::mutex mutex;
  const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  arena.execute([&] {
    tbb::parallel_for(0, 300, [&](int) {
      thread_local PadCall call(8);
      const std::lock_guard lock(mutex);
      REQUIRE(call.launch(nullptr) == 0);
      REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
    });
  });
}

void host_locks_around_calls() { all_exit_well("child_that_locks_around_calls", 15, 30); }

}  // namespace gradproof::test
