// libgradproof behind a framework that behaves as CANN's is known to (docs/cann.md): what is
// undefined there ends the process here, with a line that says why.
//
// FAKE_CANN names, with ';' between them, the only behaviours to have; unset, it has them all:
//   init        aclInit resolves its path, takes no product, and no second content
//   soc         aclrtGetSocName answers a chip's name
//   tensors     executors keep pointers to the caller's tensors and arrays until they have run
//   failures    phase 2 that fails takes its executor along
//   workspace   phase 2 does not look at the workspace's size
//   repeatable  every third executor cannot be made repeatable
//   messages    texts name neither operator nor rule
#include <dlfcn.h>
#include <limits.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"

#define FAKE_API extern "C" __attribute__((visibility("default")))

namespace {

bool has(std::string_view behaviour) {
  const char* const wanted = std::getenv("FAKE_CANN");
  if (wanted == nullptr) return true;
  return (";" + std::string(wanted) + ";").find(";" + std::string(behaviour) + ";") !=
         std::string::npos;
}

[[noreturn]] void undefined(const char* what) {
  std::fprintf(stderr, "fake_cann: undefined: %s\n", what);
  std::abort();
}

/// libgradproof's function of that name, which this file hides.
template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
#define NEXT(function) next<decltype(function)>(#function)

/// What an executor points to, and whether all of that is still there.
struct Executor {
  std::vector<const void*> descriptors;
  std::uint64_t workspace = 0;
  bool dangling = false, repeatable = false;
};

std::mutex mutex;
std::map<const aclOpExecutor*, Executor> executors;

void forget(const void* descriptor) {
  const std::lock_guard lock(mutex);
  for (auto& [handle, executor] : executors) {
    for (const void* one : executor.descriptors)
      executor.dangling = executor.dangling || (one != nullptr && one == descriptor);
  }
}

template <class T>
void point_to(Executor& executor, const T& argument) {
  if constexpr (std::is_same_v<T, const aclTensor*> || std::is_same_v<T, aclTensor*> ||
                std::is_same_v<T, const aclIntArray*>)
    executor.descriptors.push_back(argument);
}

template <class F, class... Arguments>
aclnnStatus phase1(F* real, std::uint64_t* size, aclOpExecutor** handle, Arguments... arguments) {
  const aclnnStatus status = real(arguments..., size, handle);
  if (status != 0) return status;
  Executor executor;
  (point_to(executor, arguments), ...);
  executor.workspace = *size;
  const std::lock_guard lock(mutex);
  executors[*handle] = std::move(executor);
  return status;
}

using Run = aclnnStatus(void*, std::uint64_t, aclOpExecutor*, aclrtStream);

aclnnStatus phase2(Run* real, void* workspace, std::uint64_t size, aclOpExecutor* handle,
                   aclrtStream stream) {
  if (handle == nullptr) return real(workspace, size, handle, stream);
  std::optional<Executor> executor;
  {
    const std::lock_guard lock(mutex);
    const auto at = executors.find(handle);
    if (at == executors.end()) {
      if (has("failures")) undefined("phase 2 with an executor that is gone");
    } else {
      executor = at->second;
      if (executor->dangling && has("tensors"))
        undefined("phase 2 after a tensor or array of its executor was destroyed");
      if (!executor->repeatable) executors.erase(at);
    }
  }
  if (executor && has("workspace") && workspace != nullptr) size = executor->workspace;
  const aclnnStatus status = real(workspace, size, handle, stream);
  if (status != 0 && executor && !executor->repeatable) {
    if (has("failures")) {
      NEXT(aclDestroyAclOpExecutor)(handle);
    } else {
      const std::lock_guard lock(mutex);
      executors[handle] = *executor;
    }
  }
  return status;
}

}  // namespace

FAKE_API aclError aclInit(const char* path) {
  if (!has("init")) return NEXT(aclInit)(path);
  char resolved[PATH_MAX];
  std::string content;
  if (path != nullptr) {
    if (realpath(path, resolved) == nullptr) return 100003;
    std::ifstream file(resolved);
    content.assign(std::istreambuf_iterator<char>(file), {});
  }
  static std::optional<std::string> before;
  if (before && *before != content) return 100002;
  before = content;
  return NEXT(aclInit)(nullptr);
}

FAKE_API const char* aclrtGetSocName() {
  const char* const series = NEXT(aclrtGetSocName)();
  if (series == nullptr || !has("soc")) return series;
  const std::string_view name = series;
  if (name.starts_with("Ascend910_93")) return "Ascend910_9392";
  if (name.starts_with("Ascend910B")) return "Ascend910B3";
  if (name.starts_with("Ascend310P")) return "Ascend310P3";
  return "Ascend910ProB";
}

FAKE_API aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  if (tensor == nullptr) return 0;
  forget(tensor);
  return NEXT(aclDestroyTensor)(tensor);
}

FAKE_API aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  if (array == nullptr) return 0;
  forget(array);
  return NEXT(aclDestroyIntArray)(array);
}

FAKE_API aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* handle) {
  static int calls = 0;
  if (has("repeatable") && ++calls % 3 == 0) return 561000;
  const aclnnStatus status = NEXT(aclSetAclOpExecutorRepeatable)(handle);
  const std::lock_guard lock(mutex);
  if (status == 0) executors[handle].repeatable = true;
  return status;
}

FAKE_API aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* handle) {
  {
    const std::lock_guard lock(mutex);
    if (executors.erase(handle) == 0 && has("failures"))
      undefined("aclDestroyAclOpExecutor of an executor that is gone");
  }
  return NEXT(aclDestroyAclOpExecutor)(handle);
}

FAKE_API const char* aclGetRecentErrMsg() {
  const char* const message = NEXT(aclGetRecentErrMsg)();
  if (message == nullptr || *message == '\0' || !has("messages")) return message;
  return "EZ9999: Inner Error!";
}

using In = const aclTensor*;
using Out = aclTensor*;
using Ints = const aclIntArray*;

/// Phase 1 with its parameters before workspaceSize and executor, as they are declared and named.
#define FAKE_OPERATOR(api, declared, ...)                                                  \
  FAKE_API aclnnStatus api##GetWorkspaceSize declared;                                     \
  FAKE_API aclnnStatus api(void* w, uint64_t n, aclOpExecutor* e, aclrtStream s) {         \
    return phase2(next<Run>(#api), w, n, e, s);                                            \
  }                                                                                        \
  FAKE_API aclnnStatus api##GetWorkspaceSize declared {                                    \
    return phase1(next<aclnnStatus declared>(#api "GetWorkspaceSize"), n, e, __VA_ARGS__); \
  }

#define FAKE_POOL(api)                                                                      \
  FAKE_OPERATOR(api,                                                                        \
                (In self, Ints k, Ints st, Ints p, Ints d, bool ceil, Out out, Out at,      \
                 uint64_t* n, aclOpExecutor** e),                                           \
                self, k, st, p, d, ceil, out, at)                                           \
  FAKE_OPERATOR(api##Backward,                                                              \
                (In g, In self, In at, Ints k, Ints st, Ints p, Ints d, bool ceil, Out out, \
                 uint64_t* n, aclOpExecutor** e),                                           \
                g, self, at, k, st, p, d, ceil, out)

FAKE_POOL(aclnnMaxPool3dWithArgmax)
FAKE_POOL(aclnnMaxPool2dWithMask)
FAKE_OPERATOR(aclnnUpsampleBilinear2d,
              (In self, Ints size, bool align, double h, double v, Out out, uint64_t* n,
               aclOpExecutor** e),
              self, size, align, h, v, out)
FAKE_OPERATOR(aclnnUpsampleBilinear2dBackwardV2,
              (In g, Ints large, Ints small, bool align, double h, double v, Out out, uint64_t* n,
               aclOpExecutor** e),
              g, large, small, align, h, v, out)
FAKE_OPERATOR(aclnnReplicationPad2d, (In self, Ints p, Out out, uint64_t* n, aclOpExecutor** e),
              self, p, out)
FAKE_OPERATOR(aclnnReplicationPad2dBackward,
              (In g, In self, Ints p, Out out, uint64_t* n, aclOpExecutor** e), g, self, p, out)
FAKE_OPERATOR(aclnnAdaptiveMaxPool3d,
              (In self, Ints size, Out out, Out at, uint64_t* n, aclOpExecutor** e), self, size,
              out, at)
FAKE_OPERATOR(aclnnAdaptiveMaxPool3dBackward,
              (In g, In self, In at, Out out, uint64_t* n, aclOpExecutor** e), g, self, at, out)
