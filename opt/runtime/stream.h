// A stream: an ordered queue of tasks, served by a thread of its own.
//
// Tasks run one at a time, in order. Who runs them is a right that one thread holds at a time: the
// stream's own thread, or a caller of `synchronize`, who then does the work himself instead of
// sleeping until another thread has done it, which would cost two changes of context. With a
// deadline he leaves to the thread what may take longer than he wants to stay. A task that finds
// the stream idle, and is done sooner than a thread wakes up, runs inside the call that enqueues
// it; so does a longer one while every launch is synchronised at once. No thread polls for work:
// a caller that does not run the task itself wakes the stream's thread.
//
// No deadlock: an AwaitMark blocks the holder of its stream's right only, the mark's own stream has
// a thread of its own, and marks are awaited only after they were enqueued, so waits form no cycle.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "opt/base/status.h"
#include "opt/runtime/pin.h"
#include "opt/runtime/shared_value.h"
#include "opt/runtime/task.h"

namespace gradproof {

enum class Enqueued : std::uint8_t { yes, refused, closed, full };

/// What a stream did, and what waits in it.
struct StreamCounts {
  std::uint64_t enqueued = 0, completed = 0;  ///< tasks
  std::uint64_t failed = 0;                   ///< tasks that ended with an error
  std::uint64_t full = 0;                     ///< tasks refused because the queue was full
  std::uint64_t runs = 0;                     ///< of operators
  std::uint64_t run_nanoseconds = 0;          ///< of those runs that were observed
  std::uint64_t waiting = 0, most_waiting = 0;
};

class Stream;

/// What is known of a stream without pinning it.
template <>
struct Beside<Stream> {
  /// Whether a synchronisation finds nothing to do. Written under the stream's mutex.
  SharedValue<bool> quiet;
};

/// Tasks that may wait in one stream; more are refused.
inline constinit std::atomic<std::uint32_t> queue_limit{65536};

class Stream {
  using Lock = std::unique_lock<std::mutex>;

 public:
  /// Starts the thread. Throws std::system_error if there is none to be had.
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Appends the task if the stream is open, has room, and `agree(stream)` is true then. `agree` is
  /// asked last, when nothing else can prevent the task any more, and must be quick. Throws
  /// std::bad_alloc, and std::system_error where the thread had ended and there is none to be had.
  template <class Agree>
  Enqueued enqueue(Task&& task, Agree&& agree) {
    Lock lock(mutex_);
    if (closing_) return Enqueued::closed;  // perhaps uncovered: race
    if (count_ >= queue_limit.load(std::memory_order_relaxed)) {
      ++counts_.full;
      return Enqueued::full;
    }
    if (count_ == ring_.size()) make_room();
    if (!served_ || ending_) need_thread();       // perhaps uncovered: race
    if (!agree(*this)) return Enqueued::refused;  // perhaps uncovered: race
    accept(lock, std::move(task));
    return Enqueued::yes;
  }
  Enqueued enqueue(Task&& task) {
    return enqueue(std::move(task), [](const Stream&) { return true; });
  }

  /// Once, before others know the stream: from now on, `beside` says whether it is quiet. It
  /// outlives the stream, and no other stream has it before: only a thread that has pinned the
  /// stream makes it write there.
  void publish(Beside<Stream>& beside) {
    beside.quiet = true;
    quiet_ = &beside.quiet;
  }

  /// Runs or awaits everything enqueued before the call. Returns the first error since the last
  /// synchronisation and forgets it.
  Status synchronize();
  /// The same, but gives up after the time; nothing then.
  std::optional<Status> synchronize_for(std::chrono::milliseconds time);
  /// Runs or awaits everything enqueued before the call; errors stay.
  void finish();
  /// Whether everything is done.
  bool idle();

  /// Ends the thread if there is no work; the next task starts another.
  void rest();
  /// Refuses further tasks, finishes the work and ends the thread. May be called by several threads
  /// and several times.
  void end();
  /// The same, and returns an error that nobody has synchronised with.
  Status close();

  /// 1 for the first of the process, for log and trace.
  std::uint32_t number() const { return number_; }
  StreamCounts counts() const {
    const std::lock_guard lock(mutex_);
    StreamCounts now = counts_;
    now.waiting = count_;
    return now;
  }
  /// Whether some of its work is to wait for another stream's. To be asked in `agree`.
  bool waits() const { return waits_ > 0; }

  /// Whether the calling thread is in the middle of a stream's task.
  static bool performing() noexcept;

 private:
  void serve();
  /// Takes the front task and runs it.
  void run_front(Lock& lock);
  /// Runs a task with the lock released, and empties it.
  void run(Lock& lock, Task& task);
  void run_or_await_all(Lock& lock);
  void make_room();
  void give_back_room() noexcept;
  void need_thread();
  void end_thread(Lock& lock);
  /// Runs the task, or appends it and sees to it that it is run.
  void accept(Lock& lock, Task&& task);
  /// Whether whoever enqueues a task runs it.
  bool runs_at_once(std::uint64_t work) const;
  /// Counts launches that were synchronised at once.
  void note_synchronisation();
  void wake() {
    asleep_ = false;  // whoever comes next need not wake it again
    work_.notify_one();
  }
  /// By who ran tasks: others may have enqueued more or want the thread to end meanwhile; it must
  /// not oversleep that.
  void wake_for_the_rest() {
    if (count_ > 0 || ending_) wake();
  }
  Status take_error() {
    Status error = std::exchange(error_, {});
    note_quiet();
    return error;
  }
  void note_quiet() {
    *quiet_ = counts_.completed == counts_.enqueued && error_.ok() &&
              launched_ == std::chrono::steady_clock::time_point();
  }

  const std::uint32_t number_;
  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable work_;
  std::condition_variable done_;
  std::vector<Task> ring_;  // size is a power of two
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  StreamCounts counts_;
  std::uint64_t waits_ = 0;  // tasks that wait for another stream's work and are not done
  int waiters_ = 0;          // threads that wait on done_
  int prompt_ = 0;           // launches in a row that were synchronised at once
  std::chrono::steady_clock::time_point launched_;  // set until somebody synchronises
  bool running_ = false;                            // somebody holds the right to run tasks
  bool asleep_ = false;  // the stream's thread waits until it is notified
  bool closing_ = false;
  bool served_ = false;  // there is a thread
  bool ending_ = false;  // which is to end as soon as there is no work
  Status error_;
  std::thread thread_;
  SharedValue<bool> own_quiet_{true};  ///< of a stream without a handle
  SharedValue<bool>* quiet_ = &own_quiet_;
};

}  // namespace gradproof
