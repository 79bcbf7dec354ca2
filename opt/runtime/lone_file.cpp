// A file that this process alone writes, by a name that other processes may have too.
#include "opt/runtime/lone_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gradproof {
namespace {

/// 0, or why the open file is none that this process may write. Only regular files are locked:
/// others are everybody's.
int claim(int descriptor) noexcept {
  struct stat about {};
  if (fstat(descriptor, &about) != 0) return errno;  // uncovered: a file system that fails
  if (!S_ISREG(about.st_mode)) return EINVAL;
  return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
}

}  // namespace

std::string with_process_number(const char* name) {
  std::string path = name;
  const std::string number = std::to_string(getpid());
  for (std::size_t at = 0; (at = path.find("%p", at)) != path.npos; at += number.size())
    path.replace(at, 2, number);
  return path;
}

int open_alone(const std::string& path) noexcept {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
  if (descriptor < 0) return -1;
  const int error = claim(descriptor);
  if (error == 0) return descriptor;
  close(descriptor);
  errno = error;
  return -1;
}

const char* why_not_alone(int error) noexcept {
  if (error == EINVAL || error == ENXIO) return "it is not a regular file";
  return error == ELOOP ? "it is a symbolic link" : std::strerror(error);
}

bool same_file(const struct stat& a, const struct stat& b) noexcept {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

}  // namespace gradproof
