// The trace file (GRADPROOF_TRACE): what each stream did and when, in Chrome's trace event format.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "opt/base/status.h"
#include "opt/runtime/process.h"

namespace gradproof::trace {

using Clock = std::chrono::steady_clock;

/// Begins a new file, whose times count from now, or continues one that this process has completed
/// and nobody has changed since. In its name "%p" is the process's number. Where another process
/// writes that file, this one has FILE.<its number>, says so on stderr, and stays with it.
/// ACL_ERROR_WRITE_FILE if it cannot be written, is a symbolic link or no regular file.
Status begin(const char* name);
/// Completes the file. Nothing if none was begun.
void end() noexcept;
/// The child writes nothing into its parent's file.
void at_fork(Fork phase) noexcept;

/// One piece of a stream's work, as a complete event ("X") on the stream's own row. To be called
/// in the stream's order. `arguments` is the text between the braces of "args".
void write(std::uint32_t stream, std::string_view name, const char* category,
           Clock::time_point begin, Clock::time_point end, std::string_view arguments) noexcept;

/// `text`, of this library's own names and numbers, as a JSON string: nothing in it needs escaping.
std::string quoted(std::string_view text);

}  // namespace gradproof::trace
