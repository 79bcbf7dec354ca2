// A kernel of the program's in place of the library's: gradproof/subject.h.
#include <cstdio>
#include <string>
#include <vector>

#include "gradproof/kernels.h"
#include "gradproof/subject.h"
#include "props/services/answers.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr aclError kAnswer = 4711;
constexpr char kWhy[] = "the kernel says why";

/// What the kernel was called with.
struct Kernel {
  aclError answer = ACL_SUCCESS;
  int runs = 0, releases = 0;
  std::vector<void*> wanted;  ///< the tensors' data
  bool data_right = true;

  static aclError run(void* context, void* const* data, char* message, std::size_t room) {
    auto& self = *static_cast<Kernel*>(context);
    ++self.runs;
    self.data_right = self.data_right && std::equal(self.wanted.begin(), self.wanted.end(), data);
    std::snprintf(message, room, "%s", kWhy);
    return self.answer;
  }
  static void release(void* context) { ++static_cast<Kernel*>(context)->releases; }
};

}  // namespace

std::string ask_own_kernel(const Library& library, const Case& c) {
  GRADPROOF_FIND(set_kernel, gradproof_set_kernel);
  GRADPROOF_FIND(destroy, aclDestroyAclOpExecutor);
  GRADPROOF_FIND(kernel_of, gradproof_executor_kernel);
  const Api& api = library.api();
  if (!MadeCall::possible(c)) return "";
  Answers is;
  aclOpExecutor* none = nullptr;
  is.status("gradproof_set_kernel of null", set_kernel(nullptr, Kernel::run, nullptr, nullptr),
            ACLNN_ERR_PARAM_NULLPTR);
  is.status("gradproof_set_kernel of no executor", set_kernel(&none, Kernel::run, nullptr, nullptr),
            ACLNN_ERR_PARAM_NULLPTR);
  MadeCall call(c, library);
  Kernel kernel;
  for (int slot = 0; slot < static_cast<int>(call.call().tensors.size()); ++slot)
    kernel.wanted.push_back(call.address(slot));
  for (const aclError answer : {aclError{ACL_SUCCESS}, kAnswer}) {
    kernel.answer = answer;
    const int runs = kernel.runs, releases = kernel.releases;
    is.status("phase 1", call.plan(), ACLNN_SUCCESS);
    aclOpExecutor* const planned = call.executor();
    is.status("gradproof_set_kernel without a kernel",
              set_kernel(&call.executor(), nullptr, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
    is.status("gradproof_set_kernel",
              set_kernel(&call.executor(), Kernel::run, Kernel::release, &kernel), ACLNN_SUCCESS);
    const char* const name = kernel_of(call.executor());
    is.that("gradproof_executor_kernel calls the program's kernel \"subject\"",
            name != nullptr && std::string(name) == "subject");
    aclOpExecutor* gone = planned;
    is.status("gradproof_set_kernel of an executor that is gone",
              set_kernel(&gone, Kernel::run, Kernel::release, &kernel), ACLNN_ERR_PARAM_INVALID);
    is.status("phase 2 with the program's kernel", call.run(nullptr), ACLNN_SUCCESS);
    is.status("aclrtSynchronizeStream after the program's kernel", api.synchronize_stream(nullptr),
              answer);
    if (answer != ACL_SUCCESS && api.recent_error != nullptr) {
      const char* const message = api.recent_error();
      is.that("the message is the kernel's",
              message != nullptr && std::string(message).find(kWhy) != std::string::npos);
    }
    is.that("the program's kernel runs once, with the tensors' data in order",
            kernel.runs == runs + 1 && kernel.data_right);
    is.that("its context is released once", kernel.releases == releases + 1);
  }
  is.status("phase 1", call.plan(), ACLNN_SUCCESS);
  is.status("gradproof_set_kernel",
            set_kernel(&call.executor(), Kernel::run, Kernel::release, &kernel), ACLNN_SUCCESS);
  is.status("aclDestroyAclOpExecutor", destroy(call.executor()), ACLNN_SUCCESS);
  is.that("the context of a kernel that never ran is released",
          kernel.runs == 2 && kernel.releases == 3);
  return is.first();
}

}  // namespace gradproof::props
