// A stream: an ordered queue of tasks, served by a thread of its own.
//
// Tasks run one at a time, in order. Who runs them is a right that one thread holds at a time: the
// stream's own thread, or a caller of `synchronize`, who then does the work himself instead of
// sleeping until another thread has done it, which would cost two changes of context. Nothing ever
// runs inside the call that enqueues it.
//
// No deadlock: an AwaitMark blocks the holder of its stream's right only, the mark's own stream has
// a thread of its own, and marks are awaited only after they were enqueued, so waits form no cycle.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "opt/base/status.h"
#include "opt/runtime/task.h"

namespace gradproof {

enum class Enqueued : std::uint8_t { yes, refused, closed };
/// Whether the stream's thread is to start at once, or may notice by itself (within 0.2 ms).
enum class Urgency : std::uint8_t { at_once, soon };

class Stream {
 public:
  /// Starts the thread. Throws std::system_error if there is none to be had.
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Appends the task if the stream is open and `agree()` is true then. `agree` is asked last, when
  /// nothing else can prevent the task any more, and must be quick. Throws std::bad_alloc.
  template <class Agree>
  Enqueued enqueue(Task&& task, Urgency urgency, Agree&& agree) {
    const std::lock_guard lock(mutex_);
    if (closing_) return Enqueued::closed;
    make_room();
    if (!agree()) return Enqueued::refused;
    append(std::move(task), urgency);
    return Enqueued::yes;
  }
  Enqueued enqueue(Task&& task) {
    return enqueue(std::move(task), Urgency::at_once, [] { return true; });
  }

  /// Runs or awaits everything enqueued before the call. Returns the first error since the last
  /// synchronisation and forgets it.
  Status synchronize();
  /// The same, but gives up after the time; nothing then.
  std::optional<Status> synchronize_for(std::chrono::milliseconds time);
  bool idle() const;

  /// Finishes the work, ends the thread and refuses further tasks. Returns an error that nobody has
  /// synchronised with. To be called once, before the last owner lets go.
  Status close();

 private:
  void serve();
  /// Takes the front task and runs it with the lock released.
  void run_front(std::unique_lock<std::mutex>& lock);
  void make_room();
  void append(Task&& task, Urgency urgency);
  void await_work(std::unique_lock<std::mutex>& lock, int& naps);
  Status take_error() { return std::exchange(error_, {}); }

  const std::uint32_t number_;  // 1 for the first of the process, for log and trace
  mutable std::mutex mutex_;    // guards everything below but the thread
  std::condition_variable work_;
  std::condition_variable done_;
  std::vector<Task> ring_;  // size is a power of two
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  std::uint64_t enqueued_ = 0;
  std::uint64_t completed_ = 0;
  int waiters_ = 0;       // threads that wait on done_
  bool running_ = false;  // somebody holds the right to run tasks
  bool asleep_ = false;   // the stream's thread waits until it is notified
  bool closing_ = false;
  Status error_;
  std::thread thread_;
};

}  // namespace gradproof
