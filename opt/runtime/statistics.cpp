// The numbers that programs watch.
#include "gradproof/statistics.h"

#include <algorithm>
#include <cstring>

#include "opt/base/declined_runs.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/stream_table.h"

using namespace gradproof;

extern "C" {

aclError gradproof_get_statistics(gradproofStatistics* statistics, size_t bytes) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (statistics == nullptr) {
      return fail(ACL_ERROR_INVALID_PARAM, "gradproof_get_statistics: statistics is null");
    }
    const DeviceCounts device = stream_counts();
    const StreamCounts& tasks = device.tasks;
    const MemoryCounts memory = memory_counts();
    gradproofStatistics now{};
    now.streams = device.streams;
    now.enqueued = tasks.enqueued;
    now.completed = tasks.completed;
    now.failed = tasks.failed;
    now.refused = tasks.full;
    now.waiting = tasks.waiting;
    now.longest_queue = device.longest_queue;
    now.longest_ever = tasks.most_waiting;
    now.runs = tasks.runs;
    now.run_nanoseconds = tasks.run_nanoseconds;
    now.device_bytes = memory.device;
    now.host_bytes = memory.host;
    now.most_bytes = memory.most;
    now.kept_bytes = memory.kept;
    now.declined = declined_runs.load(std::memory_order_relaxed);
    std::memset(statistics, 0, bytes);  // a newer program's members
    std::memcpy(statistics, &now, std::min(bytes, sizeof now));
    return ACL_SUCCESS;
  });
}

}  // extern "C"
