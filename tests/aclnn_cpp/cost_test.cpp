// The C++ layer costs no more than the C API: both forms of a call are stepped through, one machine
// instruction after the other, on a C API that does nothing. So only the forms' own instructions
// count, and their number is the same on every run.
#include <csignal>
#include <cstdint>

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "forms.h"

extern "C" {
// Handles that are not null are all that the forms need.
aclTensor* aclCreateTensor(const int64_t*, uint64_t, aclDataType, const int64_t*, int64_t,
                           aclFormat, const int64_t*, uint64_t, void*) {
  return reinterpret_cast<aclTensor*>(1);
}
aclIntArray* aclCreateIntArray(const int64_t*, uint64_t) {
  return reinterpret_cast<aclIntArray*>(1);
}
aclnnStatus aclDestroyTensor(const aclTensor*) { return 0; }
aclnnStatus aclDestroyIntArray(const aclIntArray*) { return 0; }
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor*) { return 0; }
aclnnStatus aclnnReplicationPad2dBackwardGetWorkspaceSize(const aclTensor*, const aclTensor*,
                                                          const aclIntArray*, aclTensor*,
                                                          uint64_t* workspace_size,
                                                          aclOpExecutor** executor) {
  *workspace_size = 0;
  *executor = reinterpret_cast<aclOpExecutor*>(1);
  return 0;
}
aclnnStatus aclnnReplicationPad2dBackward(void*, uint64_t, aclOpExecutor*, aclrtStream) {
  return 0;
}
aclError aclrtSynchronizeStream(aclrtStream) { return 0; }
aclError aclrtDestroyStream(aclrtStream) { return 0; }
aclError aclrtMalloc(void**, size_t, aclrtMemMallocPolicy) { return 0; }
aclError aclrtFree(void*) { return 0; }
const char* aclGetRecentErrMsg(void) { return nullptr; }
}

namespace {

/// Instructions between two stops of a child that calls `form`; -1 where tracing is not permitted.
long instructions(bool (*form)()) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    (void)form();  // the linker's work of the first call is not the form's
    raise(SIGSTOP);
    const bool good = form();
    raise(SIGUSR1);
    _exit(good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return -1;
  long count = 0;
  for (;; ++count) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return -1;
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) break;
  }
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "a form did not answer true";
  return count;
}

TEST(AclnnCppCost, TestsPointersAndNoMore) {
  const long c = instructions(c_form);
  const long cpp = instructions(cpp_form);
  if (c < 0 || cpp < 0) GTEST_SKIP() << "this machine lets no process trace another";
  RecordProperty("c", static_cast<int>(c));
  RecordProperty("cpp", static_cast<int>(cpp));
  // What is left is a test of a pointer or two for each of the 12 calls into the C API: the error
  // that is not there, the owner that may own nothing. A call proper takes thousands.
  EXPECT_LE(cpp, c + 80) << "instructions: C form " << c << ", C++ form " << cpp;
}

}  // namespace
