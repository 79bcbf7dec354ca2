// libgradproof with defects in what it does to its process, which the property `process` and
// sequences must find: FAKE_FAULT names one of them.
#include <dlfcn.h>
#include <pthread.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <thread>

#include "gradproof/config.h"
#include "tests/suite/fake.h"

namespace {

/// libgradproof's function of that name, which this file hides.
template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
#define NEXT(function) next<decltype(function)>(#function)

std::atomic<int> resets{0};  // that are going on
std::atomic<int> fills{0};   // likewise
const pid_t loaded_in = getpid();

/// Ends with the process that has loaded this file; a child of fork() waits for threads it does not
/// have.
void at_exit() {
  if (getpid() != loaded_in && fault("a forked child waits")) pause();
  if (fills > 0 && fault("exit breaks calls")) std::abort();
}
const int registered = std::atexit(at_exit);

/// Keeps this file in memory.
void stay() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&stay), &info) != 0)
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/// A thread of the library's.
void start_thread(bool blocks_signals, std::chrono::microseconds nap) {
  if (!fault("a thread outlives dlclose")) stay();
  sigset_t all, before;
  sigfillset(&all);
  if (blocks_signals) pthread_sigmask(SIG_BLOCK, &all, &before);
  std::thread([nap] {
    for (;;) std::this_thread::sleep_for(nap);
  }).detach();
  if (blocks_signals) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// A lock that a cancelled thread leaves locked.
int synchronize_with_a_lock(aclrtStream stream) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1;
  if (pthread_mutex_timedlock(&mutex, &end) != 0) return ACL_ERROR_FAILURE;
  usleep(20000);
  const int status = NEXT(aclrtSynchronizeStream)(stream);
  pthread_mutex_unlock(&mutex);
  return status;
}

/// Waits for another thread, and takes the program's tasks meanwhile.
void wait_with_tasks() {
  int cancellable = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellable);
  tbb::task_group group;
  tbb::task_handle work = group.defer([] {});
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    work = {};  // which ends the wait
  });
  group.wait();
  other.join();
  pthread_setcancelstate(cancellable, nullptr);
}

/// The contiguous indices and result of the call that was described last.
struct Pool {
  const volatile std::int32_t* last_index = nullptr;
  volatile float* result = nullptr;  ///< of its last plane
  std::int64_t plane = 0;
} pool;

std::int64_t product(const int64_t* from, const int64_t* end) {
  return std::accumulate(from, end, std::int64_t{1}, std::multiplies<>());
}

void describe(const int64_t* dims, uint64_t rank, aclDataType dtype, void* data) {
  if (rank < 3 || data == nullptr) return;
  const std::int64_t count = product(dims, dims + rank);
  if (dtype == ACL_INT32) {
    pool.last_index = static_cast<std::int32_t*>(data) + count - 1;
  } else {
    pool.plane = product(dims + rank - 3, dims + rank);
    pool.result = static_cast<float*>(data) + count - pool.plane;
  }
}

/// Uses an index that another thread may have changed since it was checked, if it is far from the
/// plane or near.
void use_index(bool far) {
  const std::int32_t checked = *pool.last_index;
  if (checked < 0 || checked >= pool.plane) return;
  for (int i = 0; i < 200; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
  const std::int32_t used = *pool.last_index;
  if ((used < -64 || used > pool.plane + 64) == far) pool.result[used] = 0;
}

}  // namespace

FAKE_API aclError aclInit(const char* path) {
  std::string text;
  if (path != nullptr) std::getline(std::ifstream(path), text);
  const auto begins = [&](const char* file, const char* defect) {
    return text.find(file) != std::string::npos && fault(defect);
  };
  if (begins("link.json", "traces follow links") || begins("fifo.json", "traces wait for readers"))
    path = nullptr;
  return NEXT(aclInit)(path);
}

FAKE_API aclError aclFinalize() {
  const bool strict = std::strcmp(gradproof_option("strict"), "1") == 0;
  const aclError status = NEXT(aclFinalize)();
  if (strict && fault("strict mode keeps its handler"))
    std::signal(SIGSEGV, [](int) { std::_Exit(1); });
  return status;
}

FAKE_API aclError aclrtResetDevice(int32_t device) {
  if (!fault("a reset hides the default stream")) return NEXT(aclrtResetDevice)(device);
  ++resets;
  const aclError status = NEXT(aclrtResetDevice)(device);
  usleep(100);
  --resets;
  return status;
}

FAKE_API aclError aclrtSynchronizeStream(aclrtStream stream) {
  if (stream == nullptr && resets > 0) return 0;
  if (fault("a cancelled caller leaves a lock")) return synchronize_with_a_lock(stream);
  if (fault("a wait takes the program's tasks")) wait_with_tasks();
  return NEXT(aclrtSynchronizeStream)(stream);
}

FAKE_API aclError aclrtCreateStream(aclrtStream* stream) {
  if (fault("threads take signals")) start_thread(false, std::chrono::seconds(1));
  if (fault("threads look for work") || fault("a thread outlives dlclose"))
    start_thread(true, std::chrono::microseconds(1000));
  return NEXT(aclrtCreateStream)(stream);
}

FAKE_API aclError aclrtSetDevice(int32_t device) {
  return fault("resets are not counted") ? 0 : NEXT(aclrtSetDevice)(device);
}

FAKE_API aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  const aclError code = NEXT(aclrtStreamQuery)(stream, status);
  if (fault("queries start nothing")) *status = ACL_STREAM_STATUS_NOT_READY;
  return code;
}

FAKE_API aclError aclrtMemsetAsync(void* at, size_t room, int32_t value, size_t count,
                                   aclrtStream stream) {
  static int calls = 0;
  if (fault("a long queue loses tasks") && ++calls % 5000 == 0) return 0;
  ++fills;
  if (fault("exit breaks calls")) usleep(500);  // so that an exit meets it on an idle machine, too
  const aclError code = NEXT(aclrtMemsetAsync)(at, room, value, count, stream);
  --fills;
  if (code == ACL_ERROR_RT_QUEUE_FULL && fault("a full queue has another code")) return 507899;
  return code;
}

#ifndef FAKE_WITHOUT_OPTIONS  // libgradproof calls it, and then keeps this file in memory
FAKE_API aclError gradproof_set_option(const char* key, const char* value) {
  if (std::strcmp(key, "queue_limit") == 0 && fault("queue_limit has no effect")) return 0;
  return NEXT(gradproof_set_option)(key, value);
}
#endif

FAKE_API aclnnStatus aclnnReplicationPad2dBackward(void* workspace, uint64_t bytes,
                                                   aclOpExecutor* executor, aclrtStream stream) {
  static std::byte own[1 << 16];
  if (fault("any workspace will do")) workspace = own;
  const aclnnStatus status = next<aclnnStatus(void*, uint64_t, aclOpExecutor*, aclrtStream)>(
      __func__)(workspace, bytes, executor, stream);
  if (status == ACLNN_ERR_RUNTIME_ERROR && fault("a full queue takes the executor"))
    NEXT(aclDestroyAclOpExecutor)(executor);
  return status;
}

FAKE_API aclTensor* aclCreateTensor(const int64_t* dims, uint64_t rank, aclDataType dtype,
                                    const int64_t* strides, int64_t offset, aclFormat format,
                                    const int64_t* storage, uint64_t storage_rank, void* data) {
  describe(dims, rank, dtype, data);
  return NEXT(aclCreateTensor)(dims, rank, dtype, strides, offset, format, storage, storage_rank,
                               data);
}

FAKE_API aclnnStatus aclnnAdaptiveMaxPool3dBackward(void* workspace, uint64_t bytes,
                                                    aclOpExecutor* executor, aclrtStream stream) {
  const aclnnStatus status = next<aclnnStatus(void*, uint64_t, aclOpExecutor*, aclrtStream)>(
      __func__)(workspace, bytes, executor, stream);
  if (fault("an index is read twice")) use_index(true);
  if (fault("an index near the plane is read twice")) use_index(false);
  return status;
}
