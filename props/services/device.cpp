// Device, version, contexts, and the numbers that a program keeps there.
#include <cstdint>
#include <string>
#include <thread>

#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr int kInvalid = ACL_ERROR_INVALID_PARAM, kStale = ACL_ERROR_INVALID_RESOURCE_HANDLE;

void ask_devices(Answers& is, const Library& library) {
  GRADPROOF_FIND(set, aclrtSetDevice);
  GRADPROOF_FIND(reset, aclrtResetDevice);
  GRADPROOF_FIND(get, aclrtGetDevice);
  GRADPROOF_FIND(count, aclrtGetDeviceCount);
  GRADPROOF_FIND(mode, aclrtGetRunMode);
  for (const int device : {-1, 1}) {
    is.status("aclrtSetDevice of another", set(device), ACL_ERROR_INVALID_DEVICE);
    is.status("aclrtResetDevice of another", reset(device), ACL_ERROR_INVALID_DEVICE);
  }
  std::int32_t device = 7;
  std::uint32_t devices = 7;
  aclrtRunMode runs = ACL_DEVICE;
  is.status("aclrtGetDevice without an output", get(nullptr), kInvalid);
  is.status("aclrtGetDeviceCount without an output", count(nullptr), kInvalid);
  is.status("aclrtGetRunMode without an output", mode(nullptr), kInvalid);
  is.status("aclrtGetDevice", get(&device), ACL_SUCCESS);
  is.status("aclrtGetDeviceCount", count(&devices), ACL_SUCCESS);
  is.status("aclrtGetRunMode", mode(&runs), ACL_SUCCESS);
  is.that("there is device 0 alone, beside the program",
          device == 0 && devices == 1 && runs == ACL_HOST);
}

void ask_version(Answers& is, const Library& library) {
  GRADPROOF_FIND(version, aclrtGetVersion);
  std::int32_t major = -1, minor = -1, patch = -1;
  is.status("aclrtGetVersion without a major version", version(nullptr, &minor, &patch), kInvalid);
  is.status("aclrtGetVersion without a minor version", version(&major, nullptr, &patch), kInvalid);
  is.status("aclrtGetVersion without a patch version", version(&major, &minor, nullptr), kInvalid);
  is.that("aclrtGetVersion leaves its outputs alone when it refuses",
          major == -1 && minor == -1 && patch == -1);
  is.status("aclrtGetVersion", version(&major, &minor, &patch), ACL_SUCCESS);
  is.that("aclrtGetVersion fills in the version", major >= 1 && minor >= 0 && patch >= 0);
}

void ask_contexts(Answers& is, const Library& library) {
  GRADPROOF_FIND(create, aclrtCreateContext);
  GRADPROOF_FIND(destroy, aclrtDestroyContext);
  GRADPROOF_FIND(set, aclrtSetCurrentContext);
  GRADPROOF_FIND(get, aclrtGetCurrentContext);
  aclrtContext one = nullptr, two = nullptr, now = nullptr;
  // A thread of its own has no context yet.
  std::thread([&] {
    is.status("aclrtGetCurrentContext of a new thread", get(&now), kStale);
    is.status("aclrtCreateContext on device 1", create(&one, 1), ACL_ERROR_INVALID_DEVICE);
    is.status("aclrtCreateContext without an output", create(nullptr, 0), kInvalid);
    is.status("aclrtCreateContext", create(&one, 0), ACL_SUCCESS);
    is.status("aclrtCreateContext", create(&two, 0), ACL_SUCCESS);
    is.status("aclrtGetCurrentContext without an output", get(nullptr), kInvalid);
    is.status("aclrtGetCurrentContext", get(&now), ACL_SUCCESS);
    is.that("a new context is the thread's", now == two && one != two);
    is.status("aclrtSetCurrentContext", set(one), ACL_SUCCESS);
    is.status("aclrtDestroyContext", destroy(two), ACL_SUCCESS);
    is.status("aclrtGetCurrentContext", get(&now), ACL_SUCCESS);
    is.that("aclrtSetCurrentContext sets it", now == one);
    is.status("aclrtDestroyContext", destroy(one), ACL_SUCCESS);
    is.status("aclrtGetCurrentContext of a dead one", get(&now), kStale);
    is.status("aclrtDestroyContext twice", destroy(one), kStale);
    is.status("aclrtDestroyContext of null", destroy(nullptr), kInvalid);
    is.status("aclrtSetCurrentContext to a dead one", set(one), kStale);
  }).join();
}

/// Numbers that are kept for the program: of the process, and of the thread's context.
void ask_parameters(Answers& is, const Library& library) {
  GRADPROOF_FIND(set, aclrtSetSysParamOpt);
  GRADPROOF_FIND(get, aclrtGetSysParamOpt);
  GRADPROOF_FIND(set_of_context, aclrtCtxSetSysParamOpt);
  GRADPROOF_FIND(get_of_context, aclrtCtxGetSysParamOpt);
  std::int64_t value = 0, of_process = 0, of_context = 0;
  for (const int none : {-1, 3}) {
    const auto opt = static_cast<aclSysParamOpt>(none);
    is.status("aclrtSetSysParamOpt of no parameter", set(opt, 1), kInvalid);
    is.status("aclrtGetSysParamOpt of no parameter", get(opt, &value), kInvalid);
    is.status("aclrtCtxSetSysParamOpt of no parameter", set_of_context(opt, 1), kInvalid);
    is.status("aclrtCtxGetSysParamOpt of no parameter", get_of_context(opt, &value), kInvalid);
  }
  for (const auto opt :
       {ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL, ACL_OPT_STRONG_CONSISTENCY}) {
    is.status("aclrtGetSysParamOpt without an output", get(opt, nullptr), kInvalid);
    is.status("aclrtGetSysParamOpt", get(opt, &of_process), ACL_SUCCESS);
    is.status("aclrtCtxGetSysParamOpt", get_of_context(opt, &of_context), ACL_SUCCESS);
    is.status("aclrtSetSysParamOpt", set(opt, of_process + 2 + opt), ACL_SUCCESS);
    is.status("aclrtCtxGetSysParamOpt", get_of_context(opt, &value), ACL_SUCCESS);
    is.that("a parameter of the process is not the context's", value == of_context);
    is.status("aclrtCtxSetSysParamOpt", set_of_context(opt, of_context - 1), ACL_SUCCESS);
    is.status("aclrtGetSysParamOpt", get(opt, &value), ACL_SUCCESS);
    is.that("aclrtGetSysParamOpt gives what was set", value == of_process + 2 + opt);
    is.status("aclrtCtxGetSysParamOpt", get_of_context(opt, &value), ACL_SUCCESS);
    is.that("aclrtCtxGetSysParamOpt gives what was set", value == of_context - 1);
    is.status("aclrtSetSysParamOpt", set(opt, of_process), ACL_SUCCESS);
    is.status("aclrtCtxSetSysParamOpt", set_of_context(opt, of_context), ACL_SUCCESS);
  }
}

}  // namespace

std::string ask_device(const Library& library) {
  Answers is;
  ask_devices(is, library);
  ask_version(is, library);
  ask_contexts(is, library);
  ask_parameters(is, library);
  return is.first();
}

}  // namespace gradproof::props
