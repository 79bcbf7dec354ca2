// The trace file in Chrome's JSON array format, which Perfetto and chrome://tracing read.
//
// Events are written as they end, so that a program that crashes leaves a file that viewers read:
// the format allows the closing bracket to be missing. A file that this process has completed is
// continued when it is begun again: initialising twice loses nothing. Two processes never write one
// file, since the workers of a server inherit the same name: each locks what it writes.
#include "opt/runtime/trace.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acl/acl_base.h"
#include "opt/base/eternal.h"
#include "opt/base/no_cancel.h"
#include "opt/runtime/lone_file.h"

namespace gradproof::trace {
namespace {

struct File {
  int descriptor = -1;
  std::string path;
  Clock::time_point origin;       // what ts counts from
  std::set<std::uint32_t> named;  // streams whose row has a name
  bool lost = false;              // and said so
  struct stat completed {};       // once it was
};
constexpr char kEnd[] = "\n]\n";

constinit std::mutex file_mutex;
constinit File* file = nullptr;  // the one that is written; guarded by file_mutex, as are all

std::map<std::string, File, std::less<>>& files() {  // all that this process has begun, by name
  static Eternal<std::map<std::string, File, std::less<>>> it;
  return *it;
}

/// Microseconds to the thousandth, in the digits of every locale.
std::string microseconds(Clock::duration time) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  const std::string thousandths = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + '.' + std::string(3 - thousandths.size(), '0') + thousandths;
}

/// Says once that the disk is full, say: a trace that lacks its end looks whole.
void put(File& to, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(to.descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;  // perhaps uncovered: a full disk
    if (written <= 0) {                           // perhaps uncovered: a full disk
      if (!to.lost) {                             // perhaps uncovered: a full disk
        std::fprintf(stderr, "gradproof trace: '%s' cannot be written (%s); events are missing\n",
                     to.path.c_str(), std::strerror(errno));
      }
      to.lost = true;
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Opens the file; where another process writes it, one beside it, also from then on.
void open_for(File& to) {
  const std::size_t asked = to.path.size();
  while ((to.descriptor = open_alone(to.path)) < 0 && errno == EWOULDBLOCK)
    to.path += '.' + std::to_string(getpid());
  if (to.descriptor < 0 || to.path.size() == asked) return;
  std::fprintf(stderr, "gradproof trace: another process writes '%.*s'; this one writes '%s'\n",
               static_cast<int>(asked), to.path.c_str(), to.path.c_str());
}

/// Whether the file is open, whole, and still there under its name.
bool goes_on(const File& to) noexcept {
  struct stat now {};
  struct stat named {};
  return file == &to && !to.lost && fstat(to.descriptor, &now) == 0 &&
         lstat(to.path.c_str(), &named) == 0 && same_file(now, named);
}

/// Where to continue the file, if it is the one that was completed, as it was then; else 0.
off_t continuation(const File& to) noexcept {
  struct stat now {};
  const bool untouched = !to.lost && to.completed.st_size > 0 && fstat(to.descriptor, &now) == 0 &&
                         same_file(now, to.completed) && now.st_size == to.completed.st_size;
  return untouched ? now.st_size - static_cast<off_t>(sizeof kEnd - 1) : 0;
}

void end_locked() noexcept {
  if (file == nullptr) return;
  put(*file, kEnd);
  if (fstat(file->descriptor, &file->completed) != 0) file->completed.st_size = 0;
  flock(file->descriptor, LOCK_UN);  // a child of vfork() may have the descriptor yet
  close(file->descriptor);
  file = nullptr;
}

}  // namespace

Status begin(const char* name) {
  const NoCancel whole;
  const std::lock_guard lock(file_mutex);
  auto found = files().find(name);
  if (found == files().end()) {
    File made;
    made.path = with_process_number(name);
    found = files().emplace(name, std::move(made)).first;  // may throw
  }
  File& next = found->second;
  if (goes_on(next)) return {};
  end_locked();
  open_for(next);
  const off_t kept = next.descriptor >= 0 ? continuation(next) : 0;
  if (next.descriptor >= 0 &&
      (ftruncate(next.descriptor, kept) != 0 || lseek(next.descriptor, kept, SEEK_SET) != kept)) {
    close(std::exchange(next.descriptor, -1));
  }
  if (next.descriptor < 0) {
    return {ACL_ERROR_WRITE_FILE,
            "the trace file '" + next.path + "' cannot be written: " + why_not_alone(errno)};
  }
  file = &next;
  if (kept > 0) return {};
  next.origin = Clock::now();
  next.named.clear();
  next.lost = false;
  char header[160];
  std::snprintf(header, sizeof header,
                "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":0,"
                "\"args\":{\"name\":\"gradproof device 0\"}}",
                getpid());
  put(next, header);
  return {};
}

void end() noexcept {
  const NoCancel whole;
  const std::lock_guard lock(file_mutex);
  end_locked();
}

void at_fork(Fork phase) noexcept {
  if (phase == Fork::ahead) {
    file_mutex.lock();
    return;
  }
  // perhaps uncovered: forked child
  if (phase == Fork::in_child) {                   // they are the parent's traces
    if (file != nullptr) close(file->descriptor);  // perhaps uncovered: forked child
    file = nullptr;
    files().clear();
  }
  file_mutex.unlock();
}

void write(std::uint32_t stream, std::string_view name, const char* category,
           Clock::time_point begin, Clock::time_point end, std::string_view arguments) noexcept {
  const NoCancel whole;
  const std::lock_guard lock(file_mutex);
  if (file == nullptr || begin < file->origin) return;
  try {
    const std::string pid = ",\"pid\":" + std::to_string(getpid());
    const std::string row = ",\"tid\":" + std::to_string(stream);
    std::string text;
    if (file->named.insert(stream).second) {
      text = ",\n{\"name\":\"thread_name\",\"ph\":\"M\"" + pid + row +
             ",\"args\":{\"name\":\"stream " + std::to_string(stream) + "\"}}";
    }
    text.append(",\n{\"name\":\"").append(name).append("\",\"cat\":\"").append(category);
    text += "\",\"ph\":\"X\",\"ts\":" + microseconds(begin - file->origin) +
            ",\"dur\":" + microseconds(end - begin) + pid + row + ",\"args\":{";
    text.append(arguments).append("}}");
    put(*file, text);
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    // One event fewer.
  }
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace gradproof::trace
