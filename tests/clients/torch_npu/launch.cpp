// The task queue, and descriptors.
#include "tests/clients/torch_npu/launch.h"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

namespace client {
namespace {

/// One thread that does what was handed to it, in order.
class Queue {
 public:
  ~Queue() {
    push(nullptr);
    thread_.join();
  }
  void push(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.empty(); });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return !tasks_.empty(); });
      if (tasks_.front() == nullptr) return;
      const std::function<void()> task = tasks_.front();
      lock.unlock();
      task();
      lock.lock();
      tasks_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::thread thread_{[this] { run(); }};
};

Queue& queue() {
  static Queue queue;
  return queue;
}

}  // namespace

int task_queue() {
  static const char* const mode = std::getenv("TASK_QUEUE_ENABLE");
  return mode != nullptr ? std::atoi(mode) : 1;
}

void enqueue(std::function<void()> task) {
  if (task_queue() == 0)
    task();
  else
    queue().push(std::move(task));
}

void drain() {
  if (task_queue() != 0) queue().drain();
}

aclTensor* convert(const Tensor& tensor) {
  aclFormat format = ACL_FORMAT_ND;
  if (tensor.sizes.size() == 3) format = ACL_FORMAT_NCL;
  if (tensor.sizes.size() == 4) format = ACL_FORMAT_NCHW;
  if (tensor.sizes.size() == 5) format = ACL_FORMAT_NCDHW;
  return ACL(aclCreateTensor)(tensor.sizes.data(), tensor.sizes.size(), tensor.type,
                              tensor.strides.data(), tensor.offset, format, &tensor.storage, 1,
                              tensor.data);
}

aclIntArray* convert(const std::vector<std::int64_t>& numbers) {
  return ACL(aclCreateIntArray)(numbers.data(), numbers.size());
}

}  // namespace client
