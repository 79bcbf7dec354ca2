// fork(): the child may exit at once, and may use the library; what was the parent's stays his.
#include <atomic>
#include <thread>
#include <vector>

#include <unistd.h>

#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

namespace gradproof::test {
namespace {

constexpr int kSeconds = 20;

/// Runs `body` in a child of fork(), which then exits with 0.
template <class Body>
void in_child(Body&& body) {
#ifdef __SANITIZE_ADDRESS__
  usleep(100000);  // GCC 12's allocator holds no lock over fork(): no other thread may be in it
#endif
  const int child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    body();
    std::exit(0);
  }
  const std::string outcome = outcome_of(child, kSeconds);
  if (outcome != "exit 0") std::fprintf(stderr, "the child: %s\n", outcome.c_str());
  REQUIRE(outcome == "exit 0");
}

/// Both streams in use, with work that is done, and a parallel loop behind them.
struct Used {
  Used() {
    REQUIRE(aclInit(nullptr) == 0);
    REQUIRE(aclrtCreateStream(&stream) == 0);
    REQUIRE(aclrtCreateEvent(&event) == 0);
    REQUIRE(aclrtMalloc(&block, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
    REQUIRE(call.launch(stream) == 0 && other.launch(nullptr) == 0);
    REQUIRE(aclrtRecordEvent(event, stream) == 0);
    REQUIRE(aclrtSynchronizeDevice() == 0);
  }
  PadCall call, other;
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  void* block = nullptr;
};

}  // namespace

void forked_child_may_exit() {
  Used used;
  in_child([] {});
  REQUIRE(used.call.launch(used.stream) == 0);  // work that nobody waited for
  in_child([] {});
  const int child = fork();  // the status is the child's own
  if (child == 0) std::exit(7);
  REQUIRE(outcome_of(child, kSeconds) == "exit 7");
  const int handled = fork();
  if (handled == 0) {
    std::atexit([] { _exit(8); });  // registered after the library was loaded, so it runs
    std::exit(7);
  }
  REQUIRE(outcome_of(handled, kSeconds) == "exit 8");
  REQUIRE(aclrtSynchronizeDevice() == 0);
}

/// Streams and events are not alive in the child, and say so; nothing waits for their threads.
void forked_child_has_no_streams() {
  Used used;
  in_child([&] {
    REQUIRE(aclrtSynchronizeStream(used.stream) == ACL_ERROR_INVALID_RESOURCE_HANDLE);
    REQUIRE(std::string(aclGetRecentErrMsg()).find("forked") != std::string::npos);
    REQUIRE(used.call.launch(used.stream) == ACLNN_ERR_RUNTIME_ERROR);
    REQUIRE(aclrtSynchronizeEvent(used.event) == ACL_ERROR_INVALID_RESOURCE_HANDLE);
    REQUIRE(aclrtDestroyEvent(used.event) == ACL_ERROR_INVALID_RESOURCE_HANDLE);
    REQUIRE(aclrtDestroyStream(used.stream) == ACL_ERROR_INVALID_RESOURCE_HANDLE);
    REQUIRE(aclrtSynchronizeDevice() == 0);
    REQUIRE(aclrtResetDevice(0) == 0);
    REQUIRE(aclFinalize() == 0);
  });
  REQUIRE(aclrtDestroyStream(used.stream) == 0);
}

/// Descriptors and memory are copies; the default stream and new streams work.
void forked_child_may_compute() {
  Used used;
  in_child([&] {
    used.call.clear();
    REQUIRE(used.call.launch(nullptr) == 0);
    REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
    REQUIRE(used.call.done());
    aclrtStream own = nullptr;
    REQUIRE(aclrtCreateStream(&own) == 0);
    used.call.clear();
    REQUIRE(used.call.launch(own) == 0);
    REQUIRE(aclrtDestroyStream(own) == 0);
    REQUIRE(used.call.done());
    REQUIRE(aclrtFree(used.block) == 0);
    in_child([&] { REQUIRE(used.call.launch(nullptr) == 0); });  // and so on
  });
  REQUIRE(aclrtFree(used.block) == 0);
}

/// A line of the child's log tells how many threads it has now, and whose it is.
void forked_child_logs_the_truth() {
  setenv("GRADPROOF_LOG", "info", 1);
  Used used;  // several threads where there are several processors
  char path[] = "/tmp/gradproof_log_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0 && unlink(path) == 0);
  in_child([&] {
    REQUIRE(dup2(file, STDERR_FILENO) >= 0);
    REQUIRE(used.call.launch(nullptr) == 0);
    REQUIRE(aclrtSynchronizeDevice() == 0);
    char text[1024] = {};
    const ssize_t size = pread(file, text, sizeof text - 1, 0);
    const std::string line = size > 0 ? text : "", end = "; process " + std::to_string(getpid());
    REQUIRE(line.find(", threads at most 1, ") != line.npos);
    REQUIRE(line.ends_with(end + '\n') && line.find('\n') == line.size() - 1);
  });
  const bool own = lseek(file, 0, SEEK_END) > 0;
  close(file);
  REQUIRE(own);
}

/// The parent's other threads are in the middle of everything when it forks.
void forks_in_the_midst_of_calls() {
  Used used;
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&over, t] {
      PadCall call(t == 0 ? 16 : 1), other(1);
      while (!over) {
        aclrtStream stream = nullptr;
        void* block = nullptr;
        REQUIRE(aclrtCreateStream(&stream) == 0);
        REQUIRE(aclrtMalloc(&block, 100, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
        REQUIRE(call.launch(stream) == 0 && other.launch(nullptr) == 0);
        REQUIRE(aclrtFree(block) == 0);
        REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
        REQUIRE(aclrtDestroyStream(stream) == 0);
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    in_child([&] {
      if (i % 2 == 0) return;
      used.call.clear();
      REQUIRE(used.call.launch(nullptr) == 0);
      REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
      REQUIRE(used.call.done());
    });
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
}

/// The trace is the parent's: the child's exit completes nothing.
void forked_child_leaves_the_trace() {
  char path[] = "/tmp/gradproof_trace_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  setenv("GRADPROOF_TRACE", path, 1);
  Used used;
  const auto size = [&] { return lseek(file, 0, SEEK_END); };
  const auto before = size();
  in_child([&] {
    REQUIRE(used.call.launch(nullptr) == 0);
    REQUIRE(aclrtSynchronizeDevice() == 0);
  });
  REQUIRE(before > 0 && before == size());
  // A child that begins a trace itself has a file of its own, though the name is the same.
  in_child([&] {
    REQUIRE(aclFinalize() == 0 && aclInit(nullptr) == 0);
    REQUIRE(used.call.launch(nullptr) == 0);
    REQUIRE(aclFinalize() == 0);
    REQUIRE(unlink((path + ('.' + std::to_string(getpid()))).c_str()) == 0);
  });
  const auto after = size();
  unlink(path);
  REQUIRE(before == after);
}

}  // namespace gradproof::test
