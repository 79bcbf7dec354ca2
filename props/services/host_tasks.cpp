// Calls from the program's own oneTBB tasks and with its locks held: a thread that waits inside a
// call must not take another task, which may need the lock that this one holds.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "props/services/made_call.h"
#include "props/services/questions.h"
#include "props/services/tbb_tasks.h"

namespace gradproof::props {
namespace {

constexpr int kThreads = 4, kTasks = 60, kLocks = 4;
constexpr auto kTime = std::chrono::milliseconds(150);  // then the remaining tasks do nothing

class Program {
 public:
  explicit Program(const Library& library) : api_(library.api()) {
    const Case c = large_case(library);
    for (auto& call : calls_) call = std::make_unique<MadeCall>(c, library);
    if (calls_[0]->complete(nullptr) != 0) throw NotAsked{"a valid call failed"};
    right_ = calls_[0]->result();
    require(api_, "aclrtCreateStream", api_.create_stream(&stream_));
  }

  void begin() { until_ = std::chrono::steady_clock::now() + kTime; }
  /// Some tasks hold a lock, and some share the default stream.
  void task(int number, int thread) noexcept {
    if (std::chrono::steady_clock::now() > until_) return;
    thread_local bool inside = false;
    if (inside) {
      nested_ = true;
      return;  // its lock may be held by this thread
    }
    inside = true;
    std::unique_lock lock(locks_[number / 4 % kLocks], std::defer_lock);
    if (number % 2 == 0) lock.lock();
    try {
      call(*calls_[thread], number % 4 < 2 ? stream_ : nullptr);
    } catch (const SubjectFailure& failure) {
      const std::lock_guard noting(note_lock_);
      failure_ = failure.what();
    }
    inside = false;
  }

  void judge(Answers& is) const {
    is.that("a thread that waits inside a call takes no task of the program", !nested_);
    is.status("a call from a task of the program", status_, 0);
    is.that("a call from a task of the program has the right result", !wrong_);
    if (!failure_.empty()) throw SubjectFailure(failure_);
    is.status("aclrtDestroyStream", api_.destroy_stream(stream_), ACL_SUCCESS);
  }

 private:
  void call(MadeCall& call, aclrtStream stream) {
    call.clear_result();
    if (const std::int32_t status = call.complete(stream); status != 0)
      status_ = status;
    else if (call.result().bytes != right_.bytes)
      wrong_ = true;
  }

  const Api& api_;
  aclrtStream stream_ = nullptr;
  std::unique_ptr<MadeCall> calls_[kThreads];
  ref::Dense right_;
  std::mutex locks_[kLocks], note_lock_;
  std::atomic<bool> nested_{false}, wrong_{false};
  std::atomic<std::int32_t> status_{0};
  std::string failure_;
  std::chrono::steady_clock::time_point until_;
};

}  // namespace

void probe_tasks(Answers& is, const Library& library, const std::string& tasks_library) {
  void* const loaded =
      tasks_library.empty() ? nullptr : dlopen(tasks_library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) throw NotAsked{"the library that runs tasks of oneTBB cannot be loaded"};
  const auto run =
      reinterpret_cast<decltype(&gradproof_run_tasks)>(dlsym(loaded, "gradproof_run_tasks"));
  if (run == nullptr) throw NotAsked{tasks_library + " has no gradproof_run_tasks"};
  auto& program = *new Program(library);  // nothing of it ends before the process
  program.begin();
  run(
      kThreads, kTasks,
      [](void* argument, int task, int thread) {
        static_cast<Program*>(argument)->task(task, thread);
      },
      &program);
  program.judge(is);
}

}  // namespace gradproof::props
