// Looks functions up in libraries by name, in torch_npu's order.
#include "tests/clients/torch_npu/functions.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace client {
namespace {

/// The folder is searched for names; they are then loaded by name alone, along LD_LIBRARY_PATH.
std::vector<void*> handles() {
  std::vector<std::string> names;
  if (const char* home = std::getenv("ASCEND_HOME_PATH")) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(home) + "/lib64")) {
      const std::string name = entry.path().filename();
      if (name.starts_with("libopapi_") && name.ends_with(".so")) names.push_back(name);
    }
  }
  for (const char* name : {"libopapi.so", "libaclnn_ops_infer.so", "libaclnn_ops_train.so",
                           "libaclnn_math.so", "libascendcl.so"})
    names.emplace_back(name);
  std::vector<void*> found;
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_LAZY)) found.push_back(handle);
  }
  return found;
}

}  // namespace

void* find(const char* name) {
  static const std::vector<void*> libraries = handles();
  for (void* library : libraries) {
    if (void* function = dlsym(library, name)) return function;
  }
  return nullptr;
}

void* must_find(const char* name) {
  void* function = find(name);
  if (function != nullptr) return function;
  std::printf("no library has %s\n", name);
  std::_Exit(1);
}

void must_succeed(int status, const char* call) {
  if (status == ACL_SUCCESS) return;
  const char* message = ACL(aclGetRecentErrMsg)();
  std::printf("%s answered %d\n%s\n", call, status, message != nullptr ? message : "no message");
  std::_Exit(1);
}

}  // namespace client
