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

}  // namespace
}  // namespace gradproof::test
