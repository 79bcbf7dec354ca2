// What a stream can be asked to do. Tasks are plain values, so that a queue of them allocates
// nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <variant>

#include "opt/base/no_cancel.h"
#include "opt/runtime/executor.h"

namespace gradproof {

/// One record of an event: a point in a stream's work that is reached once. Streams and events
/// share it, so destroying either disturbs nobody who waits.
class Mark {
 public:
  using Clock = std::chrono::steady_clock;

  void reach() {
    {
      const std::lock_guard lock(mutex_);
      reached_ = true;
      when_ = Clock::now();
    }
    changed_.notify_all();
  }
  bool reached() const {
    const std::lock_guard lock(mutex_);
    return reached_;
  }
  void wait() const {
    const NoCancel whole;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return reached_; });
  }
  /// When it was reached; meaningful once it was.
  Clock::time_point when() const {
    const std::lock_guard lock(mutex_);
    return when_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool reached_ = false;
  Clock::time_point when_;
};

struct RunPlan {
  std::shared_ptr<const PlannedCall> call;
  Binding binding;
};
struct CopyBytes {
  void* to;
  const void* from;
  std::size_t bytes;
};
struct FillBytes {
  void* at;
  int value;
  std::size_t bytes;
};
struct ReachMark {
  std::shared_ptr<Mark> mark;
};
struct AwaitMark {
  std::shared_ptr<const Mark> mark;
};
using Task = std::variant<std::monostate, RunPlan, CopyBytes, FillBytes, ReachMark, AwaitMark>;

Status perform(const Task& task) noexcept;

}  // namespace gradproof
