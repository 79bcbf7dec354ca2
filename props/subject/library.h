// An implementation under test: shared libraries loaded at run time, met only through the C API.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "ref/call.h"

namespace gradproof::props {

/// The runtime functions that the suite needs, as the library exports them.
struct Api {
  decltype(&::aclInit) init;
  decltype(&::aclFinalize) finalize;
  decltype(&::aclrtSetDevice) set_device;
  decltype(&::aclrtResetDevice) reset_device;
  decltype(&::aclrtCreateStream) create_stream;
  decltype(&::aclrtDestroyStream) destroy_stream;
  decltype(&::aclrtSynchronizeStream) synchronize_stream;
  decltype(&::aclrtMalloc) malloc;
  decltype(&::aclrtFree) free;
  decltype(&::aclrtMemcpy) memcpy;
  decltype(&::aclrtGetSocName) get_soc_name;
  decltype(&::aclGetRecentErrMsg) recent_error;
  decltype(&::aclCreateTensor) create_tensor;
  decltype(&::aclDestroyTensor) destroy_tensor;
  decltype(&::aclCreateIntArray) create_int_array;
  decltype(&::aclDestroyIntArray) destroy_int_array;
  decltype(&::aclSetAclOpExecutorRepeatable) set_repeatable;
  decltype(&::aclDestroyAclOpExecutor) destroy_executor;
  decltype(&::aclSetTensorAddr) set_tensor_address;
};

/// The two symbols of one operator; null where the library does not have them.
struct EntryPoints {
  void* get_workspace_size = nullptr;
  void* run = nullptr;
};

class Library {
 public:
  /// Loads the files in order, symbols looked up in all of them. Throws InputError that names the
  /// file, or the runtime function that none of them has.
  explicit Library(std::span<const std::string> paths);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Api& api() const { return api_; }
  EntryPoints entry(ref::Operator op) const;
  /// Operators of which both symbols are there.
  std::vector<ref::Operator> operators() const;

 private:
  void* symbol(const char* name) const;

  std::vector<void*> handles_;
  Api api_{};
};

}  // namespace gradproof::props
