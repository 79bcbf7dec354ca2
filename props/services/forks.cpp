// A program that forks after calls on several threads. The child has one thread, and its calls give
// the same results.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gradproof/statistics.h"
#include "props/services/ended.h"
#include "props/services/made_call.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

/// Children at most, because about every second fork falls between two loops of the other thread.
/// All together must end within the 5 s that the process that asks is given.
constexpr int kChildren = 12;
/// The forks come at different times of a call.
constexpr int kDelays = 4;
constexpr unsigned kMostSecondsOfOne = 3;
/// Of exit(), which has nothing to wait for: the threads that the parent had do not exist.
constexpr unsigned kMostSecondsOfExit = 1;
constexpr auto kTime = std::chrono::seconds(1);

/// Exit statuses that nothing else uses.
enum class Child : int { same = 40, refused, other, no_memory, counts, late, stream };

/// Whether all statistics of a child but those of memory begin at 0, if the library has any.
bool counts_anew(const Library& library) {
  using Get = decltype(::gradproof_get_statistics);
  auto* const get = reinterpret_cast<Get*>(library.symbol("gradproof_get_statistics"));
  gradproofStatistics now{};
  if (get == nullptr) return true;
  return get(&now, sizeof now) == 0 && now.streams == 0 && now.enqueued == 0 &&
         now.completed == 0 && now.failed == 0 && now.refused == 0 && now.waiting == 0 &&
         now.longest_queue == 0 && now.longest_ever == 0 && now.runs == 0 &&
         now.run_nanoseconds == 0 && now.declined == 0;
}

/// `stream`: the parent's.
Child outcome(const Library& library, aclrtStream stream, const Case& c, const ref::Dense& right) {
  if (!counts_anew(library)) return Child::counts;
  if (library.api().synchronize_stream(stream) == 0) return Child::stream;
  try {
    MadeCall call(c, library);
    if (call.complete(nullptr) != 0) return Child::refused;
    return call.result().bytes == right.bytes ? Child::same : Child::other;
  } catch (const std::bad_alloc&) {
    return Child::no_memory;
  } catch (const SubjectFailure&) {
    return Child::refused;
  }
}

/// Plans and runs the call anew, on the child's own default stream.
[[noreturn]] void live(const Library& library, aclrtStream stream, const Case& c,
                       const ref::Dense& right) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(kMostSecondsOfOne);
  const Child how = outcome(library, stream, c, right);
  alarm(0);
  std::signal(SIGALRM, [](int) { _exit(static_cast<int>(Child::late)); });
  alarm(kMostSecondsOfExit);
  std::exit(static_cast<int>(how));
}

void judge(Answers& is, pid_t child) {
  int status = 0;
  std::string end = end_of(child, &status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    end = "does not end within " + std::to_string(kMostSecondsOfOne) + " s";
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(Child::late))
    end = "does not end within " + std::to_string(kMostSecondsOfExit) + " s of exit()";
  is.that("a child of fork() that computes " + end, end.empty());
  if (!end.empty()) return;
  switch (static_cast<Child>(WEXITSTATUS(status))) {
    case Child::same:
    case Child::no_memory:
    case Child::late: return;
    case Child::refused: return is.note("a valid call in a child of fork() fails");
    case Child::other: return is.note("a call in a child of fork() has another result");
    case Child::stream: return is.note("a stream of the parent is alive in a child of fork()");
    case Child::counts: return is.note("the statistics of a child of fork() do not begin at 0");
  }
  is.note("a child of fork() that computes exits with status " +
          std::to_string(WEXITSTATUS(status)));
}

}  // namespace

void probe_forks(Answers& is, const Library& library) {
  const Case c = large_case(library);
  // The first stream of the process, if nothing else asked before.
  aclrtStream stream = nullptr;
  if (library.api().create_stream(&stream) != 0) throw NotAsked{"aclrtCreateStream fails"};
  MadeCall call(c, library);
  if (call.complete(nullptr) != 0) throw NotAsked{"a valid call failed"};
  const ref::Dense right = call.result();
  // Another thread is inside calls, with whatever locks they take.
  MadeCall beside(c, library);
  std::atomic<bool> over{false};
  bool failed = false;
  std::thread other([&] {
    try {
      while (!over && !failed) failed = beside.complete(stream) != 0;
    } catch (const SubjectFailure&) {
      failed = true;
    }
  });
  std::fflush(nullptr);  // or the children write it again
  const auto until = std::chrono::steady_clock::now() + kTime;
  for (int i = 0; i < kChildren && is.first().empty(); ++i) {
    if (std::chrono::steady_clock::now() > until) break;
    std::this_thread::sleep_for(std::chrono::microseconds(300 * (i % kDelays)));
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) live(library, stream, c, right);
    judge(is, child);
  }
  over = true;
  other.join();
  is.that("calls go on beside fork()", !failed);
  is.that("after fork() the parent computes the same",
          call.complete(nullptr) == 0 && call.result().bytes == right.bytes);
}

}  // namespace gradproof::props
