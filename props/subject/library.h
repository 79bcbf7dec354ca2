// An implementation under test: shared libraries loaded at run time, met only through the C API.
#pragma once

#include <map>
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
  decltype(&::aclrtGetSocName) get_soc_name;     ///< else the product is taken to be Ascend910B
  decltype(&::aclrtGetMemInfo) get_mem_info;     ///< else leaks of device memory are not seen
  decltype(&::aclGetRecentErrMsg) recent_error;  ///< else messages are not judged
  decltype(&::aclSetAclOpExecutorRepeatable) set_repeatable;  ///< else nothing is run repeatedly
  decltype(&::aclDestroyAclOpExecutor) destroy_executor;  ///< else unused executors stay allocated

  // Of sequences alone: a command that needs one that is not there is left out.
  decltype(&::aclSetTensorAddr) set_tensor_address;
  decltype(&::aclSetInputTensorAddr) set_input_address;
  decltype(&::aclSetOutputTensorAddr) set_output_address;
  decltype(&::aclSetRawTensorAddr) set_raw_address;
  decltype(&::aclrtSynchronizeStreamWithTimeout) synchronize_stream_with_timeout;
  decltype(&::aclrtStreamQuery) stream_query;
  decltype(&::aclrtCreateEvent) create_event;
  decltype(&::aclrtDestroyEvent) destroy_event;
  decltype(&::aclrtRecordEvent) record_event;
  decltype(&::aclrtStreamWaitEvent) stream_wait_event;
  decltype(&::aclrtSynchronizeEvent) synchronize_event;
  decltype(&::aclrtQueryEventStatus) query_event_status;
  decltype(&::aclrtMemsetAsync) memset_async;
  decltype(&::aclrtSynchronizeDevice) synchronize_device;
};

/// The two symbols of one operator; null where the library does not have them.
struct EntryPoints {
  void* get_workspace_size = nullptr;
  void* run = nullptr;
};

/// Which file has what: for people, who may have named another one than they thought.
struct Provision {
  std::string runtime;  ///< the file that defines aclInit; it may be a dependency of a given one
  /// Other files, and how many of the runtime functions that the suite uses each defines.
  std::map<std::string, std::uint64_t> other_runtime;
  std::string conformance;  ///< what gradproof_conformance() says; empty: there is no such function
  struct Provided {
    ref::Operator op;
    std::string file;  ///< that defines both functions' first one
  };
  /// Who answers for everything but the values, as gradproof_validation() says; empty: the library
  /// itself. Of kernels behind a kit (gradproof/subject.hpp) only values are judged.
  std::string validation;
  /// What kernels behind a kit get instead of the caller's tensors, as gradproof_tensors() says;
  /// mostly empty.
  std::string tensors;
  /// Whether kernels behind a kit compute on the caller's memory in this process, as
  /// gradproof_memory() says: its pages can be protected.
  bool host_memory = false;
  bool names_product = false;  ///< it has aclrtGetSocName
  /// Loading it changes how the thread rounds or flushes, as -ffast-math does.
  bool sets_float_mode = false;
  std::vector<Provided> operators;
  /// Operators that no given file defines, but one that they depend on: they are not judged.
  std::vector<Provided> of_dependencies;
};

/// The file that a loaded function is from, for people, and to find files beside it.
std::string file_of(void* function);

/// How long the files of a library stay in memory.
enum class Stay : std::uint8_t {
  for_good,        ///< to the end of the process: threads of their own may outlive aclFinalize
  with_the_object  ///< unless the files themselves ask to stay (-z nodelete)
};

class Library {
 public:
  /// Loads the files in order. Runtime functions are looked up in all of them and what they depend
  /// on. An operator is there only if one of the given files itself defines it: a library that
  /// merely links another implementation must not be judged by that one's results. A filter
  /// (DT_FILTER) defines what the file behind it does. An empty path is the program itself, with an
  /// implementation linked into it, wherever that is defined. Throws InputError that names the
  /// file, or the runtime function that none of them has, or says why a library that starts
  /// something else (pipe/kernels.cpp) could not.
  explicit Library(std::span<const std::string> paths, Stay stay = Stay::for_good);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Api& api() const { return api_; }
  const std::vector<std::string>& paths() const { return paths_; }
  /// Whether one of them is the program itself.
  bool has_whole_program() const { return whole_program_; }
  EntryPoints entry(ref::Operator op) const;
  /// Operators of which both symbols are there.
  std::vector<ref::Operator> operators() const;
  Provision provision() const;
  /// A function of any name; null if it is in none of the files.
  void* symbol(const char* name) const;
  /// A function that a given file defines itself; null if none does.
  void* own_symbol(const char* name) const;

 private:
  void load(const std::string& path);
  /// Why a library without these functions cannot be judged, and what to do.
  /// @param lacks_all  none of those that are needed is there
  std::string what_lacks(const std::vector<std::string>& missing, bool lacks_all) const;
  void start();

  const Stay stay_;
  std::vector<std::string> paths_;
  std::vector<void*> handles_;
  bool whole_program_ = false;  ///< an empty path was given
  bool sets_float_mode_ = false;
  bool (*has_)(const char* stem) =
      nullptr;  ///< says which operators are judged; null: all that are there
  Api api_{};
  std::vector<void*> runtime_;  ///< the functions of api_ that are there
};

}  // namespace gradproof::props
