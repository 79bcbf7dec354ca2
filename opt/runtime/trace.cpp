// The trace file in Chrome's JSON array format, which Perfetto and chrome://tracing read.
//
// Events are written as they end, so that a program that crashes leaves a file that viewers read:
// the format allows the closing bracket to be missing. A file that this process has completed is
// continued when it is begun again: initialising twice loses nothing.
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

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acl/acl_base.h"
#include "opt/base/eternal.h"
#include "opt/base/no_cancel.h"

namespace gradproof::trace {
namespace {

struct File {
  int descriptor = -1;
  const char* path = "";          // of the map below
  Clock::time_point origin;       // what ts counts from
  std::set<std::uint32_t> named;  // streams whose row has a name
  bool lost = false;              // and said so
  struct stat completed {};       // once it was
};
constexpr char kEnd[] = "\n]\n";

constinit std::mutex file_mutex;
constinit File* file = nullptr;  // the one that is written; guarded by file_mutex, as are all

std::map<std::string, File, std::less<>>& files() {  // all that this process has begun, by path
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
                     to.path, std::strerror(errno));
      }
      to.lost = true;
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A regular file, or -1 with the reason in errno. Follows no link in the last place and
/// waits for nobody: the name may come from somebody who is not the program's friend.
int open_regular(const char* path, struct stat& about) noexcept {
  const int descriptor =
      open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
  if (descriptor < 0) return -1;
  int error = fstat(descriptor, &about) == 0 ? 0 : errno;
  if (error == 0 && !S_ISREG(about.st_mode)) error = EINVAL;
  if (error == 0) return descriptor;
  close(descriptor);
  errno = error;
  return -1;
}

/// Whether it is the file that was completed, as it was then.
bool untouched(const File& to, const struct stat& now) noexcept {
  return !to.lost && to.completed.st_size > 0 && now.st_size == to.completed.st_size &&
         now.st_ino == to.completed.st_ino && now.st_dev == to.completed.st_dev;
}

void end_locked() noexcept {
  if (file == nullptr) return;
  put(*file, kEnd);
  if (fstat(file->descriptor, &file->completed) != 0) file->completed.st_size = 0;
  close(file->descriptor);
  file = nullptr;
}

}  // namespace

Status begin(const char* path) {
  const NoCancel whole;
  const std::lock_guard lock(file_mutex);
  auto found = files().find(path);
  if (found == files().end()) found = files().try_emplace(path).first;  // may throw
  end_locked();
  File& next = found->second;
  struct stat about {};
  next.descriptor = open_regular(path, about);
  const bool known = next.descriptor >= 0 && untouched(next, about);
  const off_t kept = known ? about.st_size - static_cast<off_t>(sizeof kEnd - 1) : 0;
  if (next.descriptor >= 0 &&
      (ftruncate(next.descriptor, kept) != 0 || lseek(next.descriptor, kept, SEEK_SET) != kept)) {
    close(std::exchange(next.descriptor, -1));
  }
  if (next.descriptor < 0) {
    const char* const why = errno == EINVAL || errno == ENXIO ? "it is not a regular file"
                            : errno == ELOOP                  ? "it is a symbolic link"
                                                              : std::strerror(errno);
    return {ACL_ERROR_WRITE_FILE,
            std::string("the trace file '") + path + "' cannot be written: " + why};
  }
  file = &next;
  if (known) return {};
  next = {next.descriptor, found->first.c_str(), Clock::now(), {}, false, {}};
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
