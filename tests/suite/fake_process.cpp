// libgradproof with defects in what it does to its process, which the property `process` and
// sequences must find: FAKE_FAULT names one of them.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

/// A thread of the library's.
void start_thread(bool blocks_signals, std::chrono::microseconds nap) {
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
  return NEXT(aclrtSynchronizeStream)(stream);
}

FAKE_API aclError aclrtCreateStream(aclrtStream* stream) {
  if (fault("threads take signals")) start_thread(false, std::chrono::seconds(1));
  if (fault("threads look for work")) start_thread(true, std::chrono::microseconds(1000));
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

FAKE_API aclError gradproof_set_option(const char* key, const char* value) {
  if (std::strcmp(key, "queue_limit") == 0 && fault("queue_limit has no effect")) return 0;
  return NEXT(gradproof_set_option)(key, value);
}

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
