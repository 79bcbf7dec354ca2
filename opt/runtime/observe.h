// Logging and tracing of what streams do, for those who asked for it (GRADPROOF_LOG,
// GRADPROOF_TRACE). Who did not pays for the test of a flag a task.
#pragma once

#include <atomic>
#include <cstdint>

#include "opt/base/status.h"
#include "opt/runtime/config.h"
#include "opt/runtime/task.h"

namespace gradproof {

/// Puts a configuration's log and trace in force. ACL_ERROR_WRITE_FILE for a file that cannot be
/// written.
Status begin_observation(const Config& config);
/// Ends both and completes the trace file.
void end_observation() noexcept;

extern std::atomic<bool> observing_flag;
inline bool observing() { return observing_flag.load(std::memory_order_relaxed); }

/// A line on stderr if the log is at this level: "gradproof info: ...".
[[gnu::format(printf, 2, 3)]] void log_line(LogLevel level, const char* format, ...) noexcept;

/// Performs a task of a stream, and tells log and trace.
Status perform_observed(const Task& task, std::uint32_t stream) noexcept;

}  // namespace gradproof
