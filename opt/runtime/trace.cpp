// The trace file in Chrome's JSON array format, which Perfetto and chrome://tracing read.
//
// Events are written as they end, so that a program that crashes leaves a file that viewers read:
// the format allows the closing bracket to be missing.
#include "opt/runtime/trace.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include <unistd.h>

#include "acl/acl_base.h"

namespace gradproof::trace {
namespace {

std::mutex file_mutex;
std::FILE* file = nullptr;                 // guarded by file_mutex, as all below
Clock::time_point origin;                  // what ts counts from
std::set<std::uint32_t>* named = nullptr;  // streams whose row has a name
std::string* untold = nullptr;             // the file's name, until a loss was told

/// Microseconds to the thousandth, in the digits of every locale.
std::string microseconds(Clock::duration time) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  const std::string thousandths = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + '.' + std::string(3 - thousandths.size(), '0') + thousandths;
}

/// Says once that the disk is full, say: a trace that lacks its end looks whole.
void tell_loss() noexcept {
  if (untold == nullptr) return;
  std::fprintf(stderr, "gradproof trace: '%s' cannot be written (%s); events are missing\n",
               untold->c_str(), std::strerror(errno));
  delete std::exchange(untold, nullptr);
}

}  // namespace

Status begin(const char* path) {
  end();
  const std::lock_guard lock(file_mutex);
  file = std::fopen(path, "we");
  if (file == nullptr) {
    return {ACL_ERROR_WRITE_FILE, std::string("the trace file '") + path + "' cannot be written"};
  }
  origin = Clock::now();
  named = new std::set<std::uint32_t>;
  untold = new std::string(path);
  std::fprintf(file,
               "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":0,"
               "\"args\":{\"name\":\"gradproof device 0\"}}",
               getpid());
  return {};
}

void end() noexcept {
  const std::lock_guard lock(file_mutex);
  if (file == nullptr) return;
  std::fputs("\n]\n", file);
  if (std::fclose(file) != 0) tell_loss();
  delete std::exchange(untold, nullptr);
  file = nullptr;
  delete named;
}

void write(std::uint32_t stream, std::string_view name, const char* category,
           Clock::time_point begin, Clock::time_point end, std::string_view arguments) noexcept {
  const std::lock_guard lock(file_mutex);
  if (file == nullptr || begin < origin) return;
  try {
    const int pid = getpid();
    if (named->insert(stream).second) {
      std::fprintf(file,
                   ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,"
                   "\"args\":{\"name\":\"stream %u\"}}",
                   pid, stream, stream);
    }
    std::fprintf(file,
                 ",\n{\"name\":\"%.*s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%s,\"dur\":%s,"
                 "\"pid\":%d,\"tid\":%u,\"args\":{%.*s}}",
                 static_cast<int>(name.size()), name.data(), category,
                 microseconds(begin - origin).c_str(), microseconds(end - begin).c_str(), pid,
                 stream, static_cast<int>(arguments.size()), arguments.data());
    if (std::fflush(file) != 0) tell_loss();
  } catch (const std::bad_alloc&) {
    // One event fewer.
  }
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace gradproof::trace
