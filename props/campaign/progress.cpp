// The live line and the interrupt flag.
#include "props/campaign/progress.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "props/report/style.h"

namespace gradproof::campaign {
namespace {

volatile sig_atomic_t stop = 0;  // the first signal
timespec asked{};                // when it came

// timeout(1) and batch systems send a signal twice, to the process and to its group: what follows
// within a second is the same wish.
void on_signal(int number) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stop == 0) {
    asked = now;
    stop = number;
  } else if (now.tv_sec - asked.tv_sec > 1 ||
             (now.tv_sec - asked.tv_sec == 1 && now.tv_nsec >= asked.tv_nsec)) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

}  // namespace

void catch_interrupts() {
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
}

bool interrupted() { return stop != 0; }
int interrupted_by() { return stop; }

std::string duration(double seconds) {
  const auto minutes = static_cast<long>(seconds / 60);
  if (minutes < 2) return std::to_string(static_cast<long>(seconds)) + " s";
  if (minutes < 120) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

Progress::Progress(bool always, bool never)
    : on_(!never && (always || isatty(STDERR_FILENO) != 0)) {}

bool Progress::due() const {
  return on_ && std::chrono::steady_clock::now() - last_ >= std::chrono::milliseconds(100);
}

void Progress::show(const std::string& text) {
  if (!due()) return;
  const std::size_t most = report::columns(STDERR_FILENO) - 1;
  const std::string line = report::shortened(text, most);
  last_ = std::chrono::steady_clock::now();
  const std::string padding(width_ > line.size() ? width_ - line.size() : 0, ' ');
  width_ = std::min(line.size(), most);
  std::fprintf(stderr, "\r%s%s", line.c_str(), padding.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (width_ == 0) return;
  std::fprintf(stderr, "\r%s\r", std::string(width_, ' ').c_str());
  std::fflush(stderr);
  width_ = 0;
}

}  // namespace gradproof::campaign
