// Redirects a file descriptor into memory.
#include "props/subject/capture.h"

#include <sys/mman.h>
#include <unistd.h>

namespace gradproof::props {

Capture::Capture(std::FILE* stream)
    : stream_(stream), memory_(memfd_create("capture", MFD_CLOEXEC)) {
  std::fflush(stream_);
  before_ = dup(fileno(stream_));
  dup2(memory_, fileno(stream_));
}

Capture::~Capture() {
  restore();
  close(memory_);
}

std::string Capture::text() {
  restore();
  std::string text(64 << 10, '\0');
  const ssize_t count = pread(memory_, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

void Capture::restore() {
  if (before_ < 0) return;
  std::fflush(stream_);
  dup2(before_, fileno(stream_));
  close(before_);
  before_ = -1;
}

}  // namespace gradproof::props
