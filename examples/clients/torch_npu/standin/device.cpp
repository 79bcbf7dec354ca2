// Delayed reuse of freed memory, the task queue with its one thread, and streams.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "standin.h"

namespace c10_npu {
namespace {

// torch_npu's allocator reuses a freed block only in the order of the stream, so a tensor may be
// destroyed before the work that uses it is done. Here freed memory is kept until the thread's next
// synchronisation. This object is never destroyed, because tensors of static storage are destroyed
// later.
thread_local std::vector<void*>& dead = *new std::vector<void*>;

struct LateFree : c10::Allocator {
  at::DataPtr allocate(size_t size) const override {
    void* memory = size != 0 ? std::aligned_alloc(64, (size + 63) / 64 * 64) : nullptr;
    return {memory, memory, &bury, at::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &bury; }
  static void bury(void* memory) {
    if (memory != nullptr) dead.push_back(memory);
  }
};

class Queue {
 public:
  ~Queue() {
    push(nullptr);
    thread_.join();
  }
  void push(std::function<void()> task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.size() < 4096; });
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.empty(); });
    if (const std::exception_ptr error = std::exchange(error_, nullptr))
      std::rethrow_exception(error);
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return !tasks_.empty(); });
      std::function<void()> task = std::move(tasks_.front());
      if (task == nullptr) return;
      lock.unlock();
      std::exception_ptr error;
      try {
        task();
      } catch (...) {
        error = std::current_exception();
      }
      task = nullptr;
      lock.lock();
      if (error_ == nullptr) error_ = error;
      tasks_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::exception_ptr error_;
  std::thread thread_{[this] { run(); }};
};

Queue& queue() {
  static Queue queue;
  return queue;
}

thread_local aclrtStream current = nullptr;  // null: the default stream

}  // namespace

void use_late_free() {
  static LateFree allocator;
  c10::SetCPUAllocator(&allocator, 255);
}

void push(std::function<void()> task) { queue().push(std::move(task)); }

void drain() {
  if (option::OptionsManager::GetTaskQueueEnable() != 0) queue().drain();
}

uint32_t option::OptionsManager::GetTaskQueueEnable() {
  static const char* const mode = std::getenv("TASK_QUEUE_ENABLE");
  return mode != nullptr ? static_cast<uint32_t>(std::atoi(mode)) : 1;  // torch_npu's default
}

aclrtStream NPUStream::stream() const {
  drain();
  return handle;
}

void NPUStream::synchronize() const {
  NPU_CHECK_ERROR(aclrtSynchronizeStreamWithTimeout(stream(), -1));
  for (void* memory : dead) std::free(memory);
  dead.clear();
}

NPUStream getCurrentNPUStream() { return {current}; }
void setCurrentNPUStream(NPUStream stream) { current = stream.handle; }

NPUStream newNPUStream() {
  NPUStream stream{};
  NPU_CHECK_ERROR(aclrtCreateStreamWithConfig(&stream.handle, 0,
                                              ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  return stream;
}

}  // namespace c10_npu
