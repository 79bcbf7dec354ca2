// The runtime part of the fake library: device memory is malloc, streams do their work at once.
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/suite/fake.h"

namespace {

void hang() {
  for (;;) pause();
}

/// Not inlined: what it has on the stack would stay poisoned by AddressSanitizer where a caller is
/// cancelled.
[[gnu::noinline]] void be_slow() { std::this_thread::sleep_for(std::chrono::milliseconds(400)); }

/// What happens when the library is loaded and when its process ends.
struct Lifetime {
  Lifetime() {
    if (fault("abort at load")) std::abort();
    if (fault("hang at load")) hang();
  }
  ~Lifetime() {
    if (fault("abort at exit")) std::abort();
    if (fault("hang at exit")) hang();
  }
} lifetime;

/// Ends the process as soon as the file that FAKE_FILE names is there, whatever is done meanwhile.
void abort_when_told() {
  const char* file = std::getenv("FAKE_FILE");
  while (access(file, F_OK) != 0) usleep(1000);
  unlink(file);
  std::abort();
}

[[noreturn]] void abort_beside_a_file() {
  std::ofstream(std::filesystem::temp_directory_path() / "left").put('\n');
  std::abort();
}

/// A batch system's signal goes to every process of a job: to the suite, and to this one.
[[noreturn]] void end_with_the_job() {
  kill(getppid(), SIGTERM);
  raise(SIGTERM);
  std::abort();
}

}  // namespace

FAKE_API aclError aclInit(const char* file) {
  if (fault("abort in init")) std::abort();
  if (fault("one product") && file != nullptr) {
    std::ifstream in(file);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    if (text.find("soc") != std::string::npos && text.find("Ascend910B") == std::string::npos)
      return 100000;
  }
  return fault("init") ? 500000 : 0;
}
FAKE_API aclError aclFinalize() { return 0; }
FAKE_API aclError aclrtSetDevice(int32_t) { return fault("device") ? 507033 : 0; }
FAKE_API aclError aclrtCreateStream(aclrtStream* stream) {
  *stream = std::malloc(1);
  return 0;
}
FAKE_API aclError aclrtDestroyStream(aclrtStream stream) {
  std::free(stream);
  return 0;
}
FAKE_API aclError aclrtSynchronizeStream(aclrtStream) {
  if (running_wide && fault("hang")) hang();
  if (fault("slow")) be_slow();
  if (running_wide && fault("abort on a thread")) std::thread([] { std::abort(); }).join();
  if (running_wide && fault("abort when told")) std::thread(abort_when_told).detach();
  if (running_wide && fault("abort beside a file")) abort_beside_a_file();
  if (running_wide && fault("ended with its job")) end_with_the_job();
  running_wide = false;
  return fault("synchronise") ? 507035 : 0;
}
#ifndef FAKE_WITHOUT_MALLOC
FAKE_API aclError aclrtMalloc(void** data, size_t size, aclrtMemMallocPolicy) {
  if (fault("malloc")) return 200000;
  *data = to_device(std::malloc(size));
  return 0;
}
#endif
FAKE_API aclError aclrtFree(void* data) {
  std::free(to_host(data));
  return 0;
}
FAKE_API aclError aclrtMemcpy(void* to, size_t, const void* from, size_t count,
                              aclrtMemcpyKind kind) {
  if (kind == ACL_MEMCPY_HOST_TO_DEVICE) to = to_host(to);
  if (kind == ACL_MEMCPY_DEVICE_TO_HOST) from = to_host(const_cast<void*>(from));
  std::memcpy(to, from, count);
  return 0;
}
