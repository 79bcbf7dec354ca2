// The library of tbb_tasks.h.
#include "props/services/tbb_tasks.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

extern "C" __attribute__((visibility("default"))) void gradproof_run_tasks(int threads, int tasks,
                                                                           GradproofTaskBody* body,
                                                                           void* argument) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(
        0, tasks, [&](int i) { body(argument, i, tbb::this_task_arena::current_thread_index()); },
        tbb::simple_partitioner());  // each is a task of its own
  });
}
