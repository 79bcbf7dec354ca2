// A stream: an ordered queue of tasks, served by a thread of its own.
#include "opt/runtime/stream.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "opt/base/device_access.h"
#include "opt/base/float_mode.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

// Waking a sleeping thread is a system call, and makes two threads compete for the work of a caller
// who synchronises at once. So for a while after the latest work the stream's thread does not sleep
// but naps, and whoever is in no hurry lets it find the work by itself. Measured with that, on two
// busy cores: phase 1 of an empty plan, phase 2 and synchronisation together in 0.4 us.
constexpr std::chrono::microseconds kNap{100};
constexpr int kNaps = 20;

std::uint32_t next_number() {
  static std::atomic<std::uint32_t> streams{0};
  return ++streams;
}

struct Perform {
  Status operator()(std::monostate) const { return {}; }
  Status operator()(const RunPlan& task) const {
    const FloatModeGuard mode;  // the thread's own may flush subnormals or round otherwise
    return task.call->run(task.binding);
  }
  Status operator()(const CopyBytes& task) const {
    std::memmove(task.to, task.from, task.bytes);
    return {};
  }
  Status operator()(const FillBytes& task) const {
    std::memset(task.at, task.value, task.bytes);
    return {};
  }
  Status operator()(const ReachMark& task) const {
    task.mark->reach();
    return {};
  }
  Status operator()(const AwaitMark& task) const {
    task.mark->wait();
    return {};
  }
};

}  // namespace

Status perform(const Task& task) noexcept {
  const DeviceAccess access;
  return std::visit(Perform{}, task);
}

Stream::Stream() : number_(next_number()), ring_(64), thread_([this] { serve(); }) {}

Stream::~Stream() {
  if (thread_.joinable()) (void)close();
}

void Stream::make_room() {
  if (count_ < ring_.size()) return;
  std::vector<Task> larger(ring_.size() * 2);
  for (std::size_t i = 0; i < count_; ++i) {
    larger[i] = std::move(ring_[(head_ + i) & (ring_.size() - 1)]);
  }
  ring_.swap(larger);
  head_ = 0;
}

void Stream::append(Task&& task, Urgency urgency) {
  ring_[(head_ + count_) & (ring_.size() - 1)] = std::move(task);
  ++count_;
  ++enqueued_;
  if (asleep_ || urgency == Urgency::at_once) work_.notify_one();
}

void Stream::run_front(std::unique_lock<std::mutex>& lock) {
  Status status;
  {
    const Task task = std::move(ring_[head_]);
    head_ = (head_ + 1) & (ring_.size() - 1);
    --count_;
    running_ = true;
    lock.unlock();
    status = observing() ? perform_observed(task, number_) : perform(task);
  }  // what the task owned goes while nobody waits for the lock
  lock.lock();
  running_ = false;
  ++completed_;
  if (error_.ok() && !status.ok()) error_ = std::move(status);
  if (waiters_ > 0) done_.notify_all();
}

void Stream::await_work(std::unique_lock<std::mutex>& lock, int& naps) {
  const std::uint64_t before = enqueued_;
  if (naps < kNaps) {
    work_.wait_for(lock, kNap);
    naps = enqueued_ == before ? naps + 1 : 0;
  } else {
    asleep_ = true;
    work_.wait(lock);
    asleep_ = false;
    naps = 0;
  }
}

void Stream::serve() {
  std::unique_lock lock(mutex_);
  int naps = 0;
  for (;;) {
    // While a synchronising caller is at work there is nothing to do; he tells if he leaves some.
    if (!running_ && count_ > 0) {
      run_front(lock);
    } else if (!running_ && closing_) {
      return;
    } else {
      await_work(lock, naps);
    }
  }
}

Status Stream::synchronize() {
  std::unique_lock lock(mutex_);
  const std::uint64_t target = enqueued_;
  while (completed_ < target) {
    if (!running_) {
      run_front(lock);
    } else {
      ++waiters_;
      done_.wait(lock);
      --waiters_;
    }
  }
  // Others may have enqueued more or closed the stream meanwhile; its thread must not oversleep
  // that.
  if (count_ > 0 || closing_) work_.notify_one();
  if (strict::on() && error_.ok()) error_ = check_red_zones();
  return take_error();
}

std::optional<Status> Stream::synchronize_for(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  std::unique_lock lock(mutex_);
  const std::uint64_t target = enqueued_;
  // Running a task here could take longer than the caller wants to stay.
  if (count_ > 0) work_.notify_one();
  ++waiters_;
  const bool done = done_.wait_until(lock, deadline, [&] { return completed_ >= target; });
  --waiters_;
  if (!done) return std::nullopt;
  return take_error();
}

bool Stream::idle() const {
  const std::lock_guard lock(mutex_);
  return completed_ == enqueued_;
}

Status Stream::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    work_.notify_one();
  }
  thread_.join();
  const std::lock_guard lock(mutex_);
  return take_error();
}

}  // namespace gradproof
