// The one device, its contexts, and the settings that programs keep in them.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <tuple>

#include "acl/acl_rt.h"
#include "opt/runtime/message.h"
#include "opt/runtime/process.h"
#include "opt/runtime/stream_table.h"

namespace gradproof {
namespace {

/// Values by the number of their option. Nothing depends on them.
using Settings = std::array<std::atomic<std::int64_t>, 3>;

struct Context {
  Settings settings{};
};

constinit Settings of_process{};
constinit Settings without_context{};

constinit HandleTable<Context> contexts(HandleKind::context);
thread_local aclrtContext current_context = nullptr;

aclError check_device(const char* function, int32_t device) {
  if (device == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_DEVICE, "%s: deviceId is %d; the only device is 0", function,
              static_cast<int>(device));
}

/// Stores a value through an output pointer unless that is null.
template <class T>
aclError give(const char* function, const char* argument, T* output, T value) {
  if (output == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, argument);
  *output = value;
  return ACL_SUCCESS;
}

// Set by aclrtSetDevice, undone by aclrtResetDevice; the last of these ends the device's use.
constinit std::atomic<std::uint64_t> references{0};

/// Whether it was the last reference, or there was none.
bool drop_reference() noexcept {
  std::uint64_t before = references.load();
  while (before > 0 && !references.compare_exchange_weak(before, before - 1)) {
  }
  return before <= 1;
}

aclError check_option(const char* function, aclSysParamOpt opt) {
  if (opt >= 0 && static_cast<std::size_t>(opt) < std::tuple_size_v<Settings>) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s: opt is %d, which is not an aclSysParamOpt", function,
              static_cast<int>(opt));
}

/// Calls `use` with the settings of the thread's context.
template <class Use>
aclError in_context(Use&& use) {
  const Pin<Context> found = contexts.find(current_context);
  return use(found != nullptr ? found->settings : without_context);
}

aclError set(const char* function, Settings& settings, aclSysParamOpt opt, int64_t value) {
  const aclError status = check_option(function, opt);
  if (status == ACL_SUCCESS) settings[static_cast<std::size_t>(opt)].store(value);
  return status;
}

aclError get(const char* function, const Settings& settings, aclSysParamOpt opt, int64_t* value) {
  const aclError status = check_option(function, opt);
  if (status != ACL_SUCCESS) return status;
  return give(function, "value", value, settings[static_cast<std::size_t>(opt)].load());
}

}  // namespace

void forget_device_references() noexcept { references.store(0); }

void contexts_at_fork(Fork phase) noexcept { contexts.at_fork(phase, Inherited::kept); }

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
  const aclError status = check_device(__func__, deviceId);
  if (status == ACL_SUCCESS) references.fetch_add(1);
  return status;
}

aclError aclrtResetDevice(int32_t deviceId) {
  const aclError status = check_device(__func__, deviceId);
  if (status != ACL_SUCCESS || !drop_reference()) return status;
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC,
                          []() -> aclError { return report(finish_device()); });
}

aclError aclrtGetDevice(int32_t* deviceId) { return give(__func__, "deviceId", deviceId, 0); }

aclError aclrtGetDeviceCount(uint32_t* count) { return give(__func__, "count", count, 1u); }

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return give(__func__, "runMode", runMode, ACL_HOST);
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const aclError status = check_device("aclrtCreateContext", deviceId);
    if (status != ACL_SUCCESS) return status;
    if (context == nullptr) {
      return fail(ACL_ERROR_INVALID_PARAM, "aclrtCreateContext: context is null");
    }
    current_context = *context = contexts.insert(std::make_shared<Context>());
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  if (contexts.remove(context) == nullptr) {
    return refuse(__func__, "context", context, HandleKind::context, kRuntimeCodes);
  }
  if (current_context == context) current_context = nullptr;
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  if (contexts.find(context) == nullptr) {
    return refuse(__func__, "context", context, HandleKind::context, kRuntimeCodes);
  }
  current_context = context;
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  if (contexts.find(current_context) == nullptr) {
    return fail(ACL_ERROR_INVALID_RESOURCE_HANDLE, "%s: this thread has no context", __func__);
  }
  return give(__func__, "context", context, current_context);
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return set(__func__, of_process, opt, value);
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return get(__func__, of_process, opt, value);
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return in_context(
      [&](Settings& settings) { return set("aclrtCtxSetSysParamOpt", settings, opt, value); });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return in_context([&](const Settings& settings) {
    return get("aclrtCtxGetSysParamOpt", settings, opt, value);
  });
}

}  // extern "C"
