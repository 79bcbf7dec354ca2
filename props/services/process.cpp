// What a library does to the process that it is part of, and the process to it: resets beside work,
// queues that are full, fork, callers that are cancelled.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

/// A synchronisation that answers 0 means that the work is done, also while another thread resets
/// the device.
void ask_resets(Answers& is, const Library& library) {
  GRADPROOF_FIND(set, aclrtSetDevice);
  GRADPROOF_FIND(reset, aclrtResetDevice);
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  std::atomic<bool> lost{false}, failed{false};
  const auto work = [&](int t) {
    std::vector<unsigned char> memory(4096);
    for (int i = 1; i <= 400; ++i) {
      const int value = 1 + (i + t) % 200;
      failed = failed || set(0) != 0 ||
               fill(memory.data(), memory.size(), value, memory.size(), nullptr) != 0 ||
               synchronize(nullptr) != 0;
      lost = lost || memory.front() != value || memory.back() != value;
      failed = failed || reset(0) != 0;
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  is.that(
      "aclrtSetDevice, work on the default stream and aclrtResetDevice succeed on two threads at "
      "once",
      !failed);
  is.that("aclrtSynchronizeStream(null) waits for the work while another thread resets the device",
          !lost);
}

/// A stream with much to do, and an event behind it.
class Busy {
 public:
  Busy(Answers& is, const Library& of) : is_(is), library(of), memory_(kBytes) {
    is_.status("aclrtCreateStream", create_stream_(&stream), ACL_SUCCESS);
    is_.status("aclrtCreateEvent", create_event_(&event), ACL_SUCCESS);
  }
  ~Busy() {
    is_.status("aclrtDestroyEvent", destroy_event_(event), ACL_SUCCESS);
    is_.status("aclrtDestroyStream", destroy_stream_(stream), ACL_SUCCESS);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  void begin() {
    for (int i = 0; i < 40; ++i)
      is_.status("aclrtMemsetAsync", fill_(memory_.data(), kBytes, i, kBytes, stream), ACL_SUCCESS);
    is_.status("aclrtRecordEvent", record_(event, stream), ACL_SUCCESS);
  }

  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;

 private:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  Answers& is_;
  const Library& library;
  std::vector<unsigned char> memory_;
  GRADPROOF_FIND_MEMBER(create_stream_, aclrtCreateStream);
  GRADPROOF_FIND_MEMBER(destroy_stream_, aclrtDestroyStream);
  GRADPROOF_FIND_MEMBER(create_event_, aclrtCreateEvent);
  GRADPROOF_FIND_MEMBER(destroy_event_, aclrtDestroyEvent);
  GRADPROOF_FIND_MEMBER(record_, aclrtRecordEvent);
  GRADPROOF_FIND_MEMBER(fill_, aclrtMemsetAsync);
};

/// Many tasks behind an event: a stream takes them, or refuses one because it is full. What it took
/// is done.
void ask_full_queue(Answers& is, const Library& library) {
  GRADPROOF_FIND(create, aclrtCreateStream);
  GRADPROOF_FIND(destroy, aclrtDestroyStream);
  GRADPROOF_FIND(wait, aclrtStreamWaitEvent);
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  constexpr std::size_t kMany = 70000;
  Busy busy(is, library);
  aclrtStream stream = nullptr;
  is.status("aclrtCreateStream", create(&stream), ACL_SUCCESS);
  if (!is.first().empty()) return;
  busy.begin();
  is.status("aclrtStreamWaitEvent", wait(stream, busy.event), ACL_SUCCESS);
  std::vector<unsigned char> seen(kMany + 1);
  std::size_t taken = 0;
  aclError answer = ACL_SUCCESS;
  while (taken < kMany && (answer = fill(&seen[taken], 1, 1, 1, stream)) == ACL_SUCCESS) ++taken;
  if (answer != ACL_SUCCESS)
    is.status("aclrtMemsetAsync on a full stream", answer, ACL_ERROR_RT_QUEUE_FULL);
  is.status("aclrtSynchronizeStream of a long queue", synchronize(stream), ACL_SUCCESS);
  is.that("each task of " + std::to_string(taken) + " that a stream took is done, and no other",
          static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 1)) == taken);
  is.status("aclrtMemsetAsync on a stream that was full", fill(&seen[kMany], 1, 1, 1, stream),
            ACL_SUCCESS);
  is.status("aclrtDestroyStream", destroy(stream), ACL_SUCCESS);
  is.that("a stream that was full works on", seen[kMany] == 1);
}

/// How a child of fork() ended: "" if it exited by itself.
std::string end_of(pid_t child) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > give_up) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "does not end within 5 s";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFSIGNALED(status) ? "dies of signal " + std::to_string(WTERMSIG(status)) : "";
}

/// A child of fork(), which has the calling thread alone, exits while the parent's streams are at
/// work.
void ask_fork(Answers& is, const Library& library) {
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Busy busy(is, library);
  if (!is.first().empty()) return;
  busy.begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a thread of the stream's has begun
  std::fflush(nullptr);                                       // or the child writes it again
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) std::exit(0);
  const std::string end = end_of(child);
  is.that("a child of fork() that exits while a stream works " + end, end.empty());
  is.status("aclrtSynchronizeStream after fork()", synchronize(busy.stream), ACL_SUCCESS);
}

/// A thread is cancelled while it waits for a stream. Its call goes on, and so does the stream.
void ask_cancellation(Answers& is, const Library& library) {
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Busy busy(is, library);
  if (!is.first().empty()) return;
  busy.begin();
  struct Waiter {
    decltype(synchronize) wait;
    aclrtStream stream;
    std::atomic<bool> begun{false};
  } waiter{synchronize, busy.stream};
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    auto& own = *static_cast<Waiter*>(argument);
    own.begun = true;
    (void)own.wait(own.stream);
    for (;;) pause();  // is where it ends
  };
  if (pthread_create(&thread, nullptr, body, &waiter) != 0) return;
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

std::string ask_process(const Library& library) {
  Answers is;
  for (const auto ask : {ask_resets, ask_full_queue, ask_fork, ask_cancellation}) {
    try {
      ask(is, library);
    } catch (const Missing&) {  // not asked about that
    }
  }
  return is.first();
}

}  // namespace gradproof::props
