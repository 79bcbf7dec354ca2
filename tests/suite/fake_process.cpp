// libgradproof with defects in what it does to its process, which the property `process` and
// sequences must find: FAKE_FAULT names one of them.
#include <dlfcn.h>

#include <cstring>

#include "gradproof/config.h"
#include "tests/suite/fake.h"

namespace {

/// libgradproof's function of that name, which this file hides.
template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
#define NEXT(function) next<decltype(function)>(#function)

}  // namespace

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
  const aclError code = NEXT(aclrtMemsetAsync)(at, room, value, count, stream);
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
