// Logging and tracing of what streams do, for those who asked for it (GRADPROOF_LOG,
// GRADPROOF_TRACE, GRADPROOF_STATISTICS). Who did not pays for the test of a flag a task.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "opt/base/status.h"
#include "opt/runtime/config.h"
#include "opt/runtime/process.h"
#include "opt/runtime/task.h"

namespace gradproof {

/// Puts a configuration's log and trace in force. ACL_ERROR_WRITE_FILE for a file that cannot be
/// written.
Status begin_observation(const Config& config);
/// Ends both and completes the trace file.
void end_observation() noexcept;

extern std::atomic<bool> observing_flag;
inline bool observing() { return observing_flag.load(std::memory_order_relaxed); }

/// A line if the log is at this level: "gradproof info: ..." on stderr, or to the program's
/// function.
[[gnu::format(printf, 2, 3)]] void log_line(LogLevel level, const char* format, ...) noexcept;

using Moment = std::chrono::steady_clock::time_point;

/// Tells log and trace about a task that a stream has performed.
void tell(const Task& task, std::uint32_t stream, Moment begin, Moment end,
          const Status& status) noexcept;

void observation_at_fork(Fork phase) noexcept;

}  // namespace gradproof
