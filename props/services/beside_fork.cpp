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
constexpr int kObjects = 1 << 11;  // of a thread for each child; more would outlast its time
// Each child is forked so much later than the one before it: some locks are held from the first
// moment on, others only once several threads wait for them.
constexpr std::chrono::microseconds kLater{20};
constexpr unsigned kMostSeconds = 2;

using Made = std::vector<const void*>[kThreads];

bool make_and_destroy(const DoneBesideFork& one) {
  const void* const made = one.make(DoneBesideFork::kChild);
  return made != nullptr && one.destroy(made);
}

/// Forks while threads make objects, which they add to `made`.
pid_t fork_amid(const DoneBesideFork& one, std::chrono::microseconds after, Made& made) {
  // A thread takes longer to start than to make them: the first would end before the last began.
  std::atomic<int> started{0};
  std::atomic<bool> go{false};
  std::vector<std::jthread> others;  // stopped and joined, if no more can be started, too
  for (int t = 0; t < kThreads; ++t) {
    others.emplace_back([&, t](const std::stop_token& stop) {
      ++started;
      while (!go && !stop.stop_requested()) std::this_thread::yield();
      for (int i = 0; i < kObjects && !stop.stop_requested(); ++i) made[t].push_back(one.make(t));
    });
  }
  while (started < kThreads) std::this_thread::yield();
  go = true;
  std::this_thread::sleep_for(after);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(kMostSeconds);
    std::_Exit(make_and_destroy(one) ? 0 : 1);
  }
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
    const pid_t child = fork_amid(one, i * kLater, made);
    if (child < 0) break;
    int status = 0;
    const std::string end = end_of(child, &status);
    is_.that("a child of fork() " + one.what + ", while threads of the parent do so" +
                 (end.empty() ? "" : ": it " + end),
             end.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

}  // namespace gradproof::props
