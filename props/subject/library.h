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

/// The runtime functions that the suite uses, as the library exports them. The first group must be
/// there; any of the second may be null, and what it is needed for is then left out.
struct Api {
  decltype(&::aclInit) init;
  decltype(&::aclFinalize) finalize;
  decltype(&::aclrtSetDevice) set_device;
  decltype(&::aclrtCreateStream) create_stream;
  decltype(&::aclrtDestroyStream) destroy_stream;
  decltype(&::aclrtSynchronizeStream) synchronize_stream;
  decltype(&::aclrtMalloc) malloc;
  decltype(&::aclrtFree) free;
  decltype(&::aclrtMemcpy) memcpy;
  decltype(&::aclCreateTensor) create_tensor;
  decltype(&::aclDestroyTensor) destroy_tensor;
  decltype(&::aclCreateIntArray) create_int_array;
  decltype(&::aclDestroyIntArray) destroy_int_array;

  decltype(&::aclrtResetDevice) reset_device;
  decltype(&::aclrtGetSocName) get_soc_name;    ///< else the product is taken to be Ascend910B
  decltype(&::aclGetRecentErrMsg) recent_error;  ///< else messages are not judged
  decltype(&::aclSetAclOpExecutorRepeatable) set_repeatable;  ///< else nothing is run repeatedly
  decltype(&::aclDestroyAclOpExecutor) destroy_executor;  ///< else unused executors stay allocated
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
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Api& api() const { return api_; }
  EntryPoints entry(ref::Operator op) const;
  /// Operators of which both symbols are there.
  std::vector<ref::Operator> operators() const;

 private:
  void* symbol(const char* name) const;
  void load(const std::string& path);


  std::vector<std::string> paths_;
  std::vector<void*> handles_;
  Api api_{};
};

}  // namespace gradproof::props
