// A program that breaks a rule of real devices, one a mode, for the tests of strict mode: what the
// library says on stderr, and whether the program survives it.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "gradproof/config.h"

// With a name that the list of leaks can give.
extern "C" __attribute__((visibility("default"), noinline)) void* leaky_allocation() {
  void* memory = nullptr;
  if (aclrtMalloc(&memory, 24, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) std::abort();
  return memory;
}

namespace {

/// Says what `call` answered; the tests look for it.
int tell(const char* call, int status) {
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s: %d %s\n", call, status, message ? message : "");
  return status;
}

/// Enqueues a run of the operator with the data where the arguments say.
int launch_pad(void* small, void* large) {
  const int64_t shape[] = {1, 1, 2}, padded[] = {1, 1, 4}, pads[] = {1, 1, 0, 0};
  aclTensor* self =
      aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, small);
  aclTensor* out =
      aclCreateTensor(padded, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, padded, 3, large);
  aclIntArray* padding = aclCreateIntArray(pads, 4);
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  int status = aclnnReplicationPad2dGetWorkspaceSize(self, padding, out, &bytes, &executor);
  if (status == 0) status = aclnnReplicationPad2d(nullptr, 0, executor, nullptr);
  tell("phase 2", status);
  if (status != 0) aclDestroyAclOpExecutor(executor);
  aclDestroyIntArray(padding);
  aclDestroyTensor(out);
  aclDestroyTensor(self);
  return status;
}

/// The same, and waits for it.
int pad(void* small, void* large) {
  const int status = launch_pad(small, large);
  return status == 0 ? tell("synchronise", aclrtSynchronizeStream(nullptr)) : status;
}

/// A copy that strict mode has to refuse; so it is no harm to ask for.
void copy(const char* name, void* to, const void* from, aclrtMemcpyKind kind) {
  tell(name, aclrtMemcpy(to, 8, from, 8, kind));
}

std::atomic<bool> freed{false};

/// Work whose memory is freed while it waits behind a fill, whose line of the log lasts until then.
void work_on_freed(void* small, void* large, bool copies) {
  gradproof_set_option("log", "debug");
  gradproof_set_log(
      [](int32_t, const char* line, void*) {
        while (std::strncmp(line, "fill", 4) == 0 && !freed) usleep(1000);
      },
      nullptr);
  void* other = leaky_allocation();
  aclrtMemsetAsync(other, 8, 0, 8, nullptr);
  if (copies) {
    aclrtMemcpyAsync(large, 8, small, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr);
  } else {
    launch_pad(small, large);
  }
  aclrtFree(small);
  freed = true;
  tell("synchronise", aclrtSynchronizeStream(nullptr));
}

/// As a wrong kernel writes: in code that may touch device memory.
void write_outside(char* at) {
  const int key = pkey_alloc(0, 0);  // is there such a thing here?
  for (int device = 1; key >= 0 && device < 16; ++device) pkey_set(device, 0);
  *static_cast<volatile char*>(at) = 0;
  for (int device = 1; key >= 0 && device < 16; ++device) pkey_set(device, PKEY_DISABLE_ACCESS);
  if (key >= 0) pkey_free(key);
}

}  // namespace

int main(int, char** arguments) {
  const std::string mode = arguments[1];
  if (tell("aclInit", aclInit(nullptr)) != ACL_SUCCESS) return 2;
  float host[4] = {};
  auto* const memory = static_cast<float*>(leaky_allocation());
  void* const other = leaky_allocation();
  const float numbers[2] = {1, 2};
  if (aclrtMemcpy(memory, 24, numbers, 8, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) return 2;

  if (mode == "good") {
    if (pad(memory, other) != 0) return 1;
    if (aclrtMemcpy(host, 16, other, 16, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS) return 1;
    if (host[0] != 1 || host[1] != 1 || host[2] != 2 || host[3] != 2) return 1;
  } else if (mode == "host_data") {
    pad(memory, host);
  } else if (mode == "short_block") {
    pad(memory, static_cast<char*>(other) + 16);
  } else if (mode == "freed_data") {
    aclrtFree(memory);
    pad(memory, other);
    return 0;
  } else if (mode == "copies") {
    copy("to the stack", host, host + 2, ACL_MEMCPY_HOST_TO_DEVICE);
    copy("from the stack", memory, host, ACL_MEMCPY_DEVICE_TO_DEVICE);
    copy("as if to the host", memory, other, ACL_MEMCPY_DEVICE_TO_HOST);
    copy("as if from the host", memory, other, ACL_MEMCPY_HOST_TO_DEVICE);
    copy("by its addresses", memory, host, ACL_MEMCPY_DEFAULT);
    tell("later", aclrtMemcpyAsync(host, 8, host + 2, 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    tell("fill", aclrtMemset(host, 8, 0, 8));
    aclrtFree(memory);
    copy("from what was freed", host, memory, ACL_MEMCPY_DEVICE_TO_HOST);
    copy("by the addresses of what was freed", host, memory, ACL_MEMCPY_DEFAULT);
    return 0;
  } else if (mode == "host_touch") {
    std::fprintf(stderr, "now: %g\n", static_cast<double>(*static_cast<volatile float*>(memory)));
  } else if (mode == "kernel_touch") {
    const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    const ssize_t got = read(zeros, memory, 8);
    std::fprintf(stderr, "read: %s\n", got < 0 ? std::strerror(errno) : "done");
    close(zeros);
  } else if (mode == "touch_freed") {
    aclrtFree(memory);
    std::fprintf(stderr, "now: %g\n", static_cast<double>(*static_cast<volatile float*>(memory)));
  } else if (mode == "run_on_freed" || mode == "copy_from_freed") {
    work_on_freed(memory, other, mode == "copy_from_freed");
  } else if (mode == "red_zone_timeout") {
    write_outside(reinterpret_cast<char*>(memory) + 24);
    tell("synchronise", aclrtSynchronizeStreamWithTimeout(nullptr, 1000));
    return 0;
  } else if (mode == "red_zone") {
    write_outside(reinterpret_cast<char*>(memory) + 24);
    tell("synchronise", aclrtSynchronizeDevice());  // there is no stream
    tell("again", aclrtSynchronizeDevice());
    write_outside(reinterpret_cast<char*>(memory) - 1);
    tell("free", aclrtFree(memory));
    return 0;
  } else if (mode == "arguments") {
    const int64_t shape[] = {1, 1, 2}, pads[] = {1, 1, 0, 0};
    aclTensor* self =
        aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_NCHW, shape, 3, memory);
    aclIntArray* padding = aclCreateIntArray(pads, 4);
    uint64_t bytes = 0;
    tell("phase 1", aclnnReplicationPad2dGetWorkspaceSize(
                        self, padding, reinterpret_cast<aclTensor*>(padding), &bytes, nullptr));
    aclDestroyIntArray(padding);
    tell("again", aclnnReplicationPad2dGetWorkspaceSize(self, padding, nullptr, nullptr, nullptr));
    aclDestroyTensor(self);
  } else if (mode == "leaks") {
    const int64_t shape[] = {1};
    aclTensor* const tensor =
        aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr);
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    if (tensor == nullptr || aclrtCreateStream(&stream) != 0 || aclrtCreateEvent(&event) != 0)
      return 2;
    for (int i = 0; i < 1603; ++i) (void)aclCreateIntArray(shape, 1);
    aclrtFree(other);
    tell("aclFinalize", aclFinalize());
    return 0;
  }
  aclrtFree(memory);
  aclrtFree(other);
  tell("aclFinalize", aclFinalize());
}
