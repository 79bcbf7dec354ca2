// gradproof/kernels.h: every operator names its kernels, and every executor the one that it runs.
#include <gtest/gtest.h>

#include <set>

#include "gradproof/kernels.h"
#include "tests/ops/call_spec.h"

namespace gradproof::test {
namespace {

std::set<std::string> kernels(Op op) {
  std::set<std::string> names;
  while (const char* name = gradproof_kernel(api_name(op), names.size())) names.insert(name);
  return names;
}

class KernelNames : public testing::TestWithParam<Op> {};

TEST_P(KernelNames, AnExecutorRunsOneOfThem) {
  const std::set<std::string> names = kernels(GetParam());
  ASSERT_FALSE(names.empty());
  const Phase1 planned = get_workspace_size(valid(GetParam()));
  ASSERT_EQ(planned.status, 0) << planned.message;
  const char* kernel = gradproof_executor_kernel(planned.executor);
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(names.count(kernel), 1u) << kernel;
  ASSERT_EQ(aclDestroyAclOpExecutor(planned.executor), 0);
  EXPECT_EQ(gradproof_executor_kernel(planned.executor), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Operators, KernelNames, testing::ValuesIn(kOps),
                         [](const auto& about) { return std::string(api_name(about.param)); });

TEST(KernelsOf, NothingElse) {
  EXPECT_EQ(gradproof_kernel(nullptr, 0), nullptr);
  EXPECT_EQ(gradproof_kernel("aclnnMaxPool", 0), nullptr);
  EXPECT_EQ(gradproof_executor_kernel(nullptr), nullptr);
}

std::string chosen(Op op) {
  const Phase1 planned = get_workspace_size(valid(op));
  EXPECT_EQ(planned.status, 0) << planned.message;
  const std::string kernel = gradproof_executor_kernel(planned.executor);
  EXPECT_EQ(aclDestroyAclOpExecutor(planned.executor), 0);
  return kernel;
}

TEST_P(KernelNames, OneThatIsLeftOutIsNotChosen) {
  const std::string api = api_name(GetParam()), before = chosen(GetParam());
  ASSERT_EQ(gradproof_leave_out_kernel(before.c_str()), ACL_SUCCESS);
  const std::string without = chosen(GetParam());
  ASSERT_EQ(gradproof_leave_out_kernel(nullptr), ACL_SUCCESS);
  std::string last;
  for (std::size_t i = 0; const char* name = gradproof_kernel(api.c_str(), i); ++i) last = name;
  EXPECT_EQ(without == before, before == last) << before << ", " << without;
  EXPECT_EQ(chosen(GetParam()), before);
}

TEST(KernelsOf, OnlyAKernelCanBeLeftOut) {
  EXPECT_EQ(gradproof_leave_out_kernel("magic"), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("'magic'"), std::string::npos);
}

}  // namespace
}  // namespace gradproof::test
