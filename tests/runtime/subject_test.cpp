// gradproof/subject.h: numbers of int arrays, and executors that run another's kernel.
#include "gradproof/subject.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "gradproof/descriptors.h"
#include "opt/runtime/executor.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"

namespace gradproof::test {
namespace {

TEST(IntArrayValues, AreCopied) {
  const std::int64_t given[] = {3, -1, 7};
  aclIntArray* const array = aclCreateIntArray(given, 3);
  std::int64_t got[4] = {0, 0, 0, 99};
  EXPECT_EQ(gradproof_int_array_values(array, got, 4), ACLNN_SUCCESS);
  EXPECT_EQ(std::vector<std::int64_t>(got, got + 4), (std::vector<std::int64_t>{3, -1, 7, 99}));
  EXPECT_ERROR(gradproof_int_array_values(array, got, 2), ACLNN_ERR_PARAM_INVALID,
               "count is 2, but the array has 3");
  EXPECT_ERROR(gradproof_int_array_values(array, nullptr, 3), ACLNN_ERR_PARAM_NULLPTR,
               "values is null");
  EXPECT_ERROR(gradproof_int_array_values(nullptr, got, 3), ACLNN_ERR_PARAM_NULLPTR, "array");
  aclDestroyIntArray(array);
  EXPECT_ERROR(gradproof_int_array_values(array, got, 3), ACLNN_ERR_PARAM_INVALID, "array");
  aclIntArray* const empty = aclCreateIntArray(nullptr, 0);
  EXPECT_EQ(gradproof_int_array_values(empty, nullptr, 0), ACLNN_SUCCESS);
  aclDestroyIntArray(empty);
}

/// A kernel's context: what it saw, and what it is to answer.
struct Context {
  std::vector<void*> data;
  int runs = 0, releases = 0;
  aclError answer = ACL_SUCCESS;
};

aclError kernel(void* context, void* const* data, char* message, std::size_t room) {
  auto& c = *static_cast<Context*>(context);
  c.data.assign(data, data + 2);
  ++c.runs;
  std::snprintf(message, room, "answers %d", c.answer);
  return c.answer;
}

void release(void* context) { ++static_cast<Context*>(context)->releases; }

class SetKernelTest : public ::testing::Test {
 protected:
  /// An executor whose own run is a failure of the test, and which wants a workspace.
  aclOpExecutor* executor() {
    auto call = call_of([](const Binding&) {
      ADD_FAILURE() << "the plan's own kernel ran";
      return Status();
    });
    call->workspace_bytes = 64;
    call->operand_count = 2;
    call->operands = {{{"gradOutput", Access::read, false, &memory_[0]},
                       {"gradInput", Access::written, false, &memory_[1]}}};
    return executor_of(std::move(call));
  }
  void SetUp() override { ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS); }
  void TearDown() override { finish(); }
  int sync() { return aclrtSynchronizeStream(stream_); }
  /// Afterwards the stream holds no executor any more.
  void finish() {
    if (stream_ != nullptr) aclrtDestroyStream(stream_);
    stream_ = nullptr;
  }

  std::byte memory_[2]{};
  aclrtStream stream_ = nullptr;
  Context context_;
};

TEST_F(SetKernelTest, RunsInPlaceOfTheOwnOneWithoutWorkspace) {
  aclOpExecutor* handle = executor();
  ASSERT_EQ(gradproof_set_kernel(&handle, kernel, release, &context_), ACLNN_SUCCESS);
  ASSERT_EQ(launch(kApi, nullptr, 0, handle, stream_), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(context_.runs, 1);
  EXPECT_EQ(context_.data, (std::vector<void*>{&memory_[0], &memory_[1]}));
  finish();
  EXPECT_EQ(context_.releases, 1);
  EXPECT_ERROR(launch(kApi, nullptr, 0, handle, nullptr), ACLNN_ERR_PARAM_INVALID, "executor");
}

TEST_F(SetKernelTest, AFailureIsTheSynchronisations) {
  aclOpExecutor* handle = executor();
  context_.answer = ACL_ERROR_FEATURE_UNSUPPORTED;
  ASSERT_EQ(gradproof_set_kernel(&handle, kernel, release, &context_), ACLNN_SUCCESS);
  ASSERT_EQ(launch(kApi, nullptr, 0, handle, stream_), ACLNN_SUCCESS);
  EXPECT_ERROR(sync(), ACL_ERROR_FEATURE_UNSUPPORTED, "aclnnFake: answers 200006");
}

TEST_F(SetKernelTest, RepeatableExecutorsRunAgainAndReleaseAtTheirEnd) {
  aclOpExecutor* handle = executor();
  ASSERT_EQ(gradproof_set_kernel(&handle, kernel, release, &context_), ACLNN_SUCCESS);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(handle), ACLNN_SUCCESS);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(launch(kApi, nullptr, 0, handle, stream_), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(context_.runs, 3);
  EXPECT_EQ(context_.releases, 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(handle), ACLNN_SUCCESS);
  finish();
  EXPECT_EQ(context_.releases, 1);
}

TEST_F(SetKernelTest, WrongArgumentsAreRefusedAndReleaseNothing) {
  aclOpExecutor* handle = executor();
  aclOpExecutor* const before = handle;
  EXPECT_ERROR(gradproof_set_kernel(nullptr, kernel, release, &context_), ACLNN_ERR_PARAM_NULLPTR,
               "executor is null");
  EXPECT_ERROR(gradproof_set_kernel(&handle, nullptr, release, &context_), ACLNN_ERR_PARAM_NULLPTR,
               "kernel is null");
  aclOpExecutor* none = nullptr;
  EXPECT_ERROR(gradproof_set_kernel(&none, kernel, release, &context_), ACLNN_ERR_PARAM_NULLPTR,
               "executor");
  EXPECT_EQ(handle, before);
  ASSERT_EQ(aclDestroyAclOpExecutor(handle), ACLNN_SUCCESS);
  EXPECT_ERROR(gradproof_set_kernel(&handle, kernel, release, &context_), ACLNN_ERR_PARAM_INVALID,
               "executor");
  EXPECT_EQ(context_.releases, 0);
}

}  // namespace
}  // namespace gradproof::test
