// Quiet: stdout belongs to the program that calls the library.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "props/cases/data.h"
#include "props/properties/property.h"

namespace gradproof::props {
namespace {

/// Above this, phase 1 has to do.
constexpr std::int64_t kLargestRun = std::int64_t{256} << 20;

/// Sends this process's stdout into memory as long as it lives.
class Capture {
 public:
  Capture() : memory_(memfd_create("stdout", MFD_CLOEXEC)) {
    std::fflush(stdout);
    before_ = dup(STDOUT_FILENO);
    dup2(memory_, STDOUT_FILENO);
  }
  ~Capture() {
    restore();
    close(memory_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::string text() {
    restore();
    std::string text(2000, '\0');
    const ssize_t count = pread(memory_, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    close(before_);
    before_ = -1;
  }

  int memory_, before_ = -1;
};

}  // namespace

bool quiet_applies(const Case& c) { return c.misuse == Misuse::none; }

Verdict check_quiet(const Case& c, Bench& bench) {
  Capture capture;
  if (is_plain(c) && runnable(c, kLargestRun)) {
    bench.session.perform(c, make_data(c));
  } else {
    bench.session.get_workspace_size(c.call);
  }
  const std::string text = capture.text();
  if (text.empty()) return {};
  return Verdict::violated("stdout", "the library writes to stdout: " + text);
}

}  // namespace gradproof::props
