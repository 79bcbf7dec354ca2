// A program that forks after calls on several threads: the child, which has one, computes the same.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "props/services/ended.h"
#include "props/services/made_call.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

constexpr int kChildren = 8;

enum class Child : int { same = 0, refused, other };

/// Plans and runs the call anew, on the child's own default stream.
[[noreturn]] void live(const Library& library, const Case& c, const ref::Dense& right) {
  MadeCall call(c, library);
  const bool done = call.complete(nullptr) == 0;
  const Child told = !done                                ? Child::refused
                     : call.result().bytes == right.bytes ? Child::same
                                                          : Child::other;
  std::exit(static_cast<int>(told));
}

void judge(Answers& is, pid_t child) {
  int status = 0;
  const std::string end = end_of(child, &status);
  is.that("a child of fork() that computes " + end, end.empty());
  if (!end.empty()) return;
  const auto told = static_cast<Child>(WEXITSTATUS(status));
  is.that("a call in a child of fork() is accepted and done", told != Child::refused);
  is.that("a call in a child of fork() has the parent's result", told != Child::other);
}

}  // namespace

void probe_forks(Answers& is, const Library& library) {
  const Case c = large_case(library);
  MadeCall call(c, library);
  if (call.complete(nullptr) != 0) throw NotAsked{"a valid call failed"};
  const ref::Dense right = call.result();
  // Another thread is inside calls, with whatever locks they take.
  aclrtStream stream = nullptr;
  if (library.api().create_stream(&stream) != 0) throw NotAsked{"aclrtCreateStream fails"};
  MadeCall beside(c, library);
  std::atomic<bool> over{false};
  bool failed = false;
  std::thread other([&] {
    while (!over && !failed) failed = beside.complete(stream) != 0;
  });
  std::fflush(nullptr);  // or the children write it again
  for (int i = 0; i < kChildren && is.first().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(300 * i));
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) live(library, c, right);
    judge(is, child);
  }
  over = true;
  other.join();
  is.that("calls go on beside fork()", !failed);
  is.that("after fork() the parent computes the same",
          call.complete(nullptr) == 0 && call.result().bytes == right.bytes);
}

}  // namespace gradproof::props
