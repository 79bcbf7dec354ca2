// A stream: an ordered queue of tasks, served by a thread of its own.
#include "opt/runtime/stream.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include <pthread.h>

#include "opt/base/device_access.h"
#include "opt/base/float_mode.h"
#include "opt/base/no_cancel.h"
#include "opt/base/performed.h"
#include "opt/base/signals_blocked.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/strict.h"
#include "opt/runtime/workspaces.h"

namespace gradproof {
namespace {

// Of a task that whoever enqueues it runs, since waking a thread takes longer: bytes that it goes
// through, some ten microseconds (docs/results/process.md).
constexpr std::uint64_t kQuick = std::uint64_t{160} << 10;
// The same while every launch is synchronised at once: the caller would do the work there anyway.
// Chosen, not measured: waking the thread should cost a few percent of a longer task at most.
constexpr std::uint64_t kAwaited = std::uint64_t{4} << 20;
constexpr std::chrono::microseconds kAtOnce{20};
constexpr int kTightLoop = 4;  // launches in a row

constexpr std::size_t kFirstRoom = 64;
constexpr std::size_t kKeptRoom = 1024;  // larger queues give their memory back when they are empty

constinit thread_local int performing_depth = 0;

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

/// The function whose work reads or writes device memory in the task.
struct Function {
  const char* operator()(const RunPlan& task) const { return task.call->api; }
  const char* operator()(const CopyBytes&) const { return "aclrtMemcpyAsync"; }
  const char* operator()(const FillBytes&) const { return "aclrtMemsetAsync"; }
  const char* operator()(const auto&) const { return nullptr; }
};

/// Performs a task so that strict mode can say whose it is.
Status perform_by_name(const Task& task, std::uint32_t stream) noexcept {
  const Performing work({std::visit(Function{}, task), stream});
  return perform(task);
}

/// Bytes that a task goes through at most; the greatest number if nobody knows how long it takes.
struct Work {
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t operator()(std::monostate) const { return 0; }
  std::uint64_t operator()(const RunPlan& task) const { return task.call->work; }
  std::uint64_t operator()(const CopyBytes& task) const { return task.bytes; }
  std::uint64_t operator()(const FillBytes& task) const { return task.bytes; }
  std::uint64_t operator()(const ReachMark&) const { return 0; }
  std::uint64_t operator()(const AwaitMark& task) const {
    return task.mark->reached() ? 0 : kUnknown;
  }
};

/// Whether a task is done within the time even at 64 bytes a microsecond, which no kernel is as
/// slow as.
bool brief(const Task& task, std::chrono::nanoseconds time) {
  constexpr std::int64_t kBytes = 64;
  const std::int64_t us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  return us >= 0 && std::visit(Work{}, task) <= static_cast<std::uint64_t>(us * kBytes);
}

}  // namespace

Status perform(const Task& task) noexcept {
  const DeviceAccess access;
  return std::visit(Perform{}, task);
}

bool Stream::performing() noexcept { return performing_depth > 0; }

Stream::Stream() : number_(next_number()), ring_(kFirstRoom) {
  const std::lock_guard lock(mutex_);
  need_thread();
}

Stream::~Stream() { (void)close(); }

void Stream::make_room() {
  std::vector<Task> larger(ring_.size() * 2);
  for (std::size_t i = 0; i < count_; ++i) {
    larger[i] = std::move(ring_[(head_ + i) & (ring_.size() - 1)]);
  }
  ring_.swap(larger);
  head_ = 0;
}

void Stream::give_back_room() noexcept {
  try {
    std::vector<Task> smaller(kFirstRoom);
    constexpr std::size_t kAnyPlace = 0;  // no task is in the ring
    ring_.swap(smaller);
    head_ = kAnyPlace;
  } catch (const std::bad_alloc&) {  // perhaps uncovered: out of memory
    // Later, then.
  }
}

void Stream::need_thread() {
  // perhaps uncovered: race
  if (served_) {  // it is about to end, and stays
    ending_ = false;
    done_.notify_all();
    return;
  }
  const NoCancel whole;
  if (thread_.joinable()) thread_.join();  // it has let go of the lock for the last time
  const SignalsBlocked inherited;
  thread_ = std::thread([this] {
    char name[16];
    std::snprintf(name, sizeof name, "gradproof-%u", static_cast<unsigned>(number_ % 100000));
    pthread_setname_np(pthread_self(), name);
    serve();
  });
  served_ = true;
}

bool Stream::runs_at_once(std::uint64_t work) const {
  // Strict mode is to show what callers do too early, before they have synchronised.
  return count_ == 0 && !running_ && work <= (prompt_ < kTightLoop ? kQuick : kAwaited) &&
         !strict::on();
}

void Stream::accept(Lock& lock, Task&& task) {
  *quiet_ = false;
  waits_ += std::holds_alternative<AwaitMark>(task);
  ++counts_.enqueued;
  counts_.most_waiting = std::max<std::uint64_t>(counts_.most_waiting, count_ + 1);
  const std::uint64_t work = std::visit(Work{}, task);
  if (work > kQuick && launched_ != Moment()) prompt_ = 0;  // nobody synchronised with the last
  if (runs_at_once(work)) {
    run(lock, task);  // what could be cancelled in it prevents that itself
    wake_for_the_rest();
  } else {
    ring_[(head_ + count_++) & (ring_.size() - 1)] = std::move(task);
    if (asleep_) wake();
  }
  if (work > kQuick && work <= kAwaited) {
    launched_ = std::chrono::steady_clock::now();
    *quiet_ = false;
  }
}

void Stream::note_synchronisation() {
  if (launched_ == Moment()) return;
  const bool at_once = std::chrono::steady_clock::now() - launched_ < kAtOnce;
  prompt_ = at_once ? std::min(prompt_ + 1, kTightLoop) : 0;
  launched_ = Moment();
}

void Stream::run_front(Lock& lock) {
  Task task = std::move(ring_[head_]);
  head_ = (head_ + 1) & (ring_.size() - 1);
  --count_;
  run(lock, task);
}

void Stream::run(Lock& lock, Task& task) {
  running_ = true;
  lock.unlock();
  ++performing_depth;
  std::chrono::nanoseconds time{};
  const Moment begin = observing() ? std::chrono::steady_clock::now() : Moment();
  Status status = strict::on() ? perform_by_name(task, number_) : perform(task);
  if (begin != Moment()) {
    const Moment end = std::chrono::steady_clock::now();
    time = end - begin;
    tell(task, number_, begin, end, status);
  }
  --performing_depth;
  const bool waited = std::holds_alternative<AwaitMark>(task);
  const RunPlan* const plan = std::get_if<RunPlan>(&task);
  const bool ran = plan != nullptr;
  if (ran && plan->binding.workspace) {
    workspaces::release(plan->binding.workspace, plan->call->workspace_bytes, number_);
  }
  task.emplace<std::monostate>();  // what it owned goes while nobody waits for the lock
  lock.lock();
  running_ = false;
  waits_ -= waited;
  ++counts_.completed;
  counts_.failed += !status.ok();
  counts_.runs += ran;
  if (ran) counts_.run_nanoseconds += static_cast<std::uint64_t>(time.count());
  if (error_.ok() && !status.ok()) error_ = std::move(status);
  if (count_ == 0 && ring_.size() > kKeptRoom) give_back_room();
  if (waiters_ > 0) done_.notify_all();
  note_quiet();
}

void Stream::serve() {
  Lock lock(mutex_);
  for (;;) {
    // While a synchronising caller is at work there is nothing to do; he tells if he leaves some.
    if (!running_ && count_ > 0) {
      run_front(lock);
    } else if (!running_ && ending_) {
      served_ = ending_ = false;
      done_.notify_all();
      return;
    } else {
      asleep_ = true;
      work_.wait(lock);
      asleep_ = false;
    }
  }
}

void Stream::run_or_await_all(Lock& lock) {
  const std::uint64_t target = counts_.enqueued;
  while (counts_.completed < target) {
    if (!running_) {
      run_front(lock);
    } else {
      ++waiters_;
      done_.wait(lock);
      --waiters_;
    }
  }
  wake_for_the_rest();
}

Status Stream::synchronize() {
  if (*quiet_ && !strict::on()) return {};
  Lock lock(mutex_);
  note_synchronisation();
  if (count_ > 0 || running_ || strict::on()) {  // else nothing here can be cancelled
    const NoCancel whole;
    run_or_await_all(lock);
    if (strict::on() && error_.ok()) error_ = check_red_zones();
  }
  return take_error();
}

std::optional<Status> Stream::synchronize_for(std::chrono::milliseconds time) {
  const NoCancel whole;
  const auto deadline = std::chrono::steady_clock::now() + time;
  Lock lock(mutex_);
  note_synchronisation();
  const std::uint64_t target = counts_.enqueued;
  bool in_time = true;
  while (counts_.completed < target && in_time) {
    if (!running_ && brief(ring_[head_], deadline - std::chrono::steady_clock::now())) {
      run_front(lock);
    } else {
      if (!running_) wake();
      ++waiters_;
      in_time = done_.wait_until(lock, deadline) == std::cv_status::no_timeout;
      --waiters_;
    }
  }
  const bool done = counts_.completed >= target;
  wake_for_the_rest();
  if (!done) return std::nullopt;
  if (strict::on() && error_.ok()) error_ = check_red_zones();
  return take_error();
}

void Stream::finish() {
  const NoCancel whole;
  Lock lock(mutex_);
  run_or_await_all(lock);
}

bool Stream::idle() {
  const std::lock_guard lock(mutex_);
  return counts_.completed == counts_.enqueued;
}

void Stream::end_thread(Lock& lock) {
  if (served_) {
    ending_ = true;
    wake();
    ++waiters_;
    done_.wait(lock, [this] { return !ending_; });
    --waiters_;
  }
  if (served_) return;  // perhaps uncovered: a task came meanwhile
  std::thread ended = std::move(thread_);
  lock.unlock();
  if (ended.joinable()) ended.join();
  lock.lock();
}

void Stream::rest() {
  const NoCancel whole;
  Lock lock(mutex_);
  if (count_ == 0 && !running_) end_thread(lock);
}

void Stream::end() {
  const NoCancel whole;
  Lock lock(mutex_);
  closing_ = true;
  run_or_await_all(lock);
  end_thread(lock);
}

Status Stream::close() {
  end();
  const std::lock_guard lock(mutex_);
  return take_error();
}

}  // namespace gradproof
