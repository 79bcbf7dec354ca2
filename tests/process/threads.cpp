// The library's threads as others see them, and callers that are cancelled.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <pthread.h>
#include <unistd.h>
#include <csignal>

#include "gradproof/config.h"
#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

namespace gradproof::test {
namespace {

/// The value behind "<name>:" in a thread's status file.
std::string field(const std::filesystem::path& status, const std::string& name) {
  std::ifstream file(status);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name + ":\t", 0) == 0) return line.substr(name.size() + 2);
  }
  return {};
}

/// Calls `visit(name, blocked signals)` for each thread of the process but its first.
template <class Visit>
void for_threads(Visit&& visit) {
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    if (thread.path().filename() == std::to_string(getpid())) continue;
    const auto status = thread.path() / "status";
    visit(field(status, "Name"), std::stoull("0" + field(status, "SigBlk"), nullptr, 16));
  }
}

bool blocks(std::uint64_t mask, int signal) { return (mask >> (signal - 1) & 1) != 0; }

}  // namespace

/// All threads but the program's own have names of the library and leave the program's signals to
/// it: the streams', and oneTBB's workers, whoever started them.
void threads_are_named_and_block_signals() {
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  PadCall call(64);
  const bool parallel = std::string(gradproof_option("threads")) != "1";
  bool workers = false, streams = false;
  // A thread that is just being started has all signals blocked for a moment, and a worker has its
  // name once it has worked.
  for (int left = 1000; left > 0; --left) {
    REQUIRE(call.launch(stream) == 0);
    REQUIRE(aclrtSynchronizeStream(stream) == 0);  // on this thread
    bool starting = false;
    for_threads([&](const std::string& name, std::uint64_t mask) {
#ifdef __SANITIZE_THREAD__
      if (name.rfind("gradproof-", 0) != 0) return;  // its own
#endif
      workers = workers || name == "gradproof-tbb";
      streams = streams || name == "gradproof-1";
      starting = starting || name.rfind("gradproof-", 0) != 0;
      for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM, SIGRTMIN}) {
        REQUIRE(blocks(mask, signal));
      }
      for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF}) {
        starting = starting || blocks(mask, signal);
      }
    });
    if (!starting && streams && workers == parallel) break;
    REQUIRE(left > 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  sigset_t own;
  pthread_sigmask(SIG_BLOCK, nullptr, &own);
  REQUIRE(sigismember(&own, SIGINT) == 0);  // the caller's mask is as it was
  REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// A thread that is cancelled while it waits finishes its call, and is cancelled after it.
void waiting_callers_may_be_cancelled() {
  static std::atomic<int> answered;
  static PadCall call(256);
  static aclrtStream stream, other;
  static aclrtEvent event;
  REQUIRE(aclrtCreateStream(&stream) == 0 && aclrtCreateStream(&other) == 0);
  REQUIRE(aclrtCreateEvent(&event) == 0);
  using Wait = int (*)();
  const Wait waits[] = {
      [] { return aclrtSynchronizeStream(stream); },
      [] { return aclrtSynchronizeStreamWithTimeout(stream, 60000); },
      [] { return aclrtSynchronizeEvent(event); },
      [] { return aclrtSynchronizeDevice(); },
      [] { return aclrtResetDevice(0); },
      [] { return aclrtDestroyStream(other); },
  };
  int expected = 0;
  for (const Wait wait : waits) {
    for (int i = 0; i < 10; ++i) REQUIRE(call.launch(stream) == 0);
    REQUIRE(aclrtRecordEvent(event, stream) == 0);
    if (other != nullptr && aclrtStreamWaitEvent(other, event) != 0) REQUIRE(false);
    static std::atomic<bool> begun;
    begun = false;
    pthread_t thread;
    REQUIRE(pthread_create(
                &thread, nullptr,
                [](void* argument) -> void* {
                  begun = true;
                  if (reinterpret_cast<Wait>(argument)() == 0) ++answered;
                  for (;;) sleep(1);  // is where it ends
                },
                reinterpret_cast<void*>(wait)) == 0);
    while (!begun) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(pthread_cancel(thread) == 0);
    void* result = nullptr;
    REQUIRE(pthread_join(thread, &result) == 0);
    REQUIRE(result == PTHREAD_CANCELED);
    REQUIRE(answered == ++expected);
  }
  REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// A thread with a pending cancellation finishes each call, the first ones of the process too,
/// which read files.
void calls_are_no_cancellation_points() {
  static std::atomic<bool> finished;
  static aclrtStream stream;
  static PadCall call(256), medium;
  using Call = int (*)();
  const Call calls[] = {
      [] { return gradproof_option("threads") != nullptr ? 0 : 1; },
      [] {
        std::size_t left = 0, total = 0;
        return aclrtGetMemInfo(ACL_HBM_MEM, &left, &total);
      },
      [] { return aclInit(nullptr); },
      [] { return aclrtSetDevice(0); },
      [] { return aclrtCreateStream(&stream); },
      [] {
        int status = 0;  // in a tight loop the launch itself does the work, on several threads
        for (int i = 0; i < 20 && status == 0; ++i) {
          status = medium.launch(stream);
          if (status == 0) status = aclrtSynchronizeStream(stream);
        }
        return status;
      },
      [] { return gradproof_set_option("threads", "1"); },
      [] { return call.launch(stream); },
      [] { return aclrtSynchronizeStream(stream); },
      [] { return call.launch(stream); },
      [] { return aclrtDestroyStream(stream); },
      [] { return aclFinalize(); },
  };
  for (const Call one : calls) {
    finished = false;
    pthread_t thread;
    REQUIRE(pthread_create(
                &thread, nullptr,
                [](void* argument) -> void* {
                  pthread_cancel(pthread_self());
                  finished = reinterpret_cast<Call>(argument)() == 0;
                  for (;;) pthread_testcancel();
                },
                reinterpret_cast<void*>(one)) == 0);
    void* result = nullptr;
    REQUIRE(pthread_join(thread, &result) == 0);
    REQUIRE(result == PTHREAD_CANCELED);
    REQUIRE(finished);
  }
}

}  // namespace gradproof::test
