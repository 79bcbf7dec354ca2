// What a library does to the process that it is part of, and the process to it: resets beside work,
// fork, callers that are cancelled; exit beside calls, calls after fork, unloading, defaults and
// tasks are asked in processes of their own.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "props/services/answers.h"
#include "props/services/busy_stream.h"
#include "props/services/device_bytes.h"
#include "props/services/ended.h"
#include "props/services/probe.h"
#include "props/services/services.h"
#include "props/subject/step.h"

namespace gradproof::props {
namespace {

/// A synchronisation that answers 0 means that the work is done, also while another thread resets
/// the device.
void ask_resets(Answers& is, const Library& library) {
  GRADPROOF_FIND(set, aclrtSetDevice);
  GRADPROOF_FIND(reset, aclrtResetDevice);
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  // The session's aclrtSetDevice keeps it over all resets. Long enough for a queue.
  constexpr std::size_t kBytes = std::size_t{256} << 10;
  const DeviceBytes memory[] = {{library.api(), kBytes}, {library.api(), kBytes}};
  std::atomic<bool> lost{false}, failed{false};
  const auto work = [&](int t) {
    try {
      for (int i = 1; i <= 400; ++i) {
        const int value = 1 + (i + t) % 200;
        failed = failed || set(0) != 0 ||
                 fill(memory[t].data(), kBytes, value, kBytes, nullptr) != 0 ||
                 synchronize(nullptr) != 0;
        const std::vector<unsigned char> now = memory[t].read();
        lost = lost || now.front() != value || now.back() != value;
        failed = failed || reset(0) != 0;
      }
    } catch (const SubjectFailure&) {
      failed = true;
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  // Nothing resets now: no task is left that writes the memory.
  failed = failed || synchronize(nullptr) != 0;
  is.that(
      "aclrtSetDevice, work on the default stream and aclrtResetDevice succeed on two threads at "
      "once",
      !failed);
  is.that("aclrtSynchronizeStream(null) waits for the work while another thread resets the device",
          !lost);
}

/// Forks at most: on a busy machine the work may be done before the fork, and then the child shows
/// nothing.
constexpr int kForks = 20;
/// Forks while there is work: one may fall between two tasks, when no thread of the stream's runs.
constexpr int kForksInTime = 4;

/// A child of fork(), which has the calling thread alone, exits while the parent's streams are at
/// work.
void ask_fork(Answers& is, const Library& library) {
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  BusyStream busy(is, library);
  if (!is.first().empty()) return;
  std::fflush(nullptr);  // or the child writes it again
  int in_time = 0;
  for (int i = 0; i < kForks && in_time < kForksInTime && is.first().empty(); ++i) {
    busy.begin();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the stream's thread has begun
    const pid_t child = fork();
    if (child < 0) return;
    if (child == 0) std::exit(0);
    in_time += busy.at_work();
    const std::string end = end_of(child);
    is.that("a child of fork() that exits while a stream works " + end, end.empty());
    is.status("aclrtSynchronizeStream after fork()", synchronize(busy.stream), ACL_SUCCESS);
  }
}

/// A thread that waits for a stream, and then until it is cancelled.
struct Waiter {
  decltype(&::aclrtSynchronizeStream) wait;
  aclrtStream stream;
  std::atomic<bool> begun{false};

  /// Far from where the stack begins: AddressSanitizer's marks on the frames of a call that is
  /// cancelled stay, and the end of the thread must not run over them.
  [[gnu::no_sanitize_address]] static void* run(void* argument) {
    constexpr std::size_t kApart = std::size_t{64} << 10;
    static_cast<volatile char*>(__builtin_alloca(kApart))[0] = 0;
    auto& own = *static_cast<Waiter*>(argument);
    own.begun = true;
    (void)own.wait(own.stream);
    for (;;) pause();  // is where it ends
  }
};

/// A thread is cancelled while it waits for a stream. Its call goes on, and so does the stream.
void ask_cancellation(Answers& is, const Library& library) {
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  BusyStream busy(is, library);
  if (!is.first().empty()) return;
  busy.begin();
  Waiter waiter{synchronize, busy.stream};
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Waiter::run, &waiter) != 0) return;
  while (!waiter.begun) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  is.status("aclrtSynchronizeStream after a caller was cancelled", synchronize(busy.stream),
            ACL_SUCCESS);
  busy.begin();
  is.status("aclrtSynchronizeStream after a caller was cancelled", synchronize(busy.stream),
            ACL_SUCCESS);
}

}  // namespace

std::string end_of(pid_t child, int* told) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  int own = 0;
  int& status = told != nullptr ? *told : own;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > give_up) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "does not end within 5 s";
    }
    note_progress();  // the 5 s are all that it may take
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFSIGNALED(status) ? "dies of signal " + std::to_string(WTERMSIG(status)) : "";
}

std::string ask_process(const Library& library) {
  Answers is;
  for (const auto ask : {ask_resets, ask_fork, ask_cancellation}) {
    try {
      ask(is, library);
    } catch (const Missing&) {  // not asked about that
    } catch (const SubjectFailure& failure) {
      return failure.what();
    }
  }
  if (!is.first().empty()) return is.first();
  for (const auto ask : {ask_exit, ask_forks, ask_unloading, ask_defaults, ask_host_tasks}) {
    if (std::string found = ask(library); !found.empty()) return found;
  }
  return "";
}

}  // namespace gradproof::props
