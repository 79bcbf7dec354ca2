// What a library's functions do in a child of fork() while threads of the parent are inside them.
#include "props/services/beside_fork.h"

#include <atomic>
#include <cstdlib>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "props/services/ended.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

constexpr int kThreads = DoneBesideFork::kThreads;
constexpr int kObjects = 1 << 10;  // of a thread for each child; more would outlast its time
constexpr unsigned kMostSeconds = 2;

using Made = std::vector<const void*>[kThreads];

bool make_and_destroy(const DoneBesideFork& one) {
  const void* const made = one.make(DoneBesideFork::kChild);
  return made != nullptr && one.destroy(made);
}

/// Forks while threads make objects, which they add to `made`.
pid_t fork_amid(const DoneBesideFork& one, Made& made) {
  std::atomic<bool> forked{false};   // the rest is not needed
  std::vector<std::jthread> others;  // joined, if no more can be started, too
  for (int t = 0; t < kThreads; ++t) {
    others.emplace_back([&, t] {
      for (int i = 0; i < kObjects && !forked; ++i) made[t].push_back(one.make(t));
    });
  }
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(kMostSeconds);
    std::_Exit(make_and_destroy(one) ? 0 : 1);
  }
  forked = true;
  return child;
}

}  // namespace

void BesideFork::ask(const DoneBesideFork& one) {
  if (!is_.first().empty()) return;
  if (!make_and_destroy(one)) return;
  Made made;
  for (int i = 0; i < children_ && is_.first().empty(); ++i) {
    if (std::chrono::steady_clock::now() > until_) break;
    for (std::vector<const void*>& of_thread : made) of_thread.reserve((i + 1) * kObjects);
    const pid_t child = fork_amid(one, made);
    if (child < 0) break;
    int status = 0;
    const std::string end = end_of(child, &status);
    is_.that("a child of fork() " + one.what + ", while threads of the parent do so" +
                 (end.empty() ? "" : ": it " + end),
             end.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

}  // namespace gradproof::props
