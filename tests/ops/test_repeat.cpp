// A call like one before: it shares that one's plan, and nothing else.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aclnnop/aclnn_pad2d_backward.h"
#include "gradproof/config.h"
#include "gradproof/kernels.h"
#include "opt/ops/check.h"
#include "opt/ops/repeat.h"
#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

/// A plane of 2 x 3 with a border of 1 on the left.
CallSpec pad(Floats& gradient, Floats& result) {
  CallSpec c = valid(Op::replication_pad2d_backward);
  c.tensor("gradOutput").shape = {1, 2, 4};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 2, 3};
  c.array("padding").values = {1, 0, 0, 0};
  c.tensor("gradOutput").data = gradient.data();
  c.tensor("gradInput").data = result.data();
  return c;
}

TEST(Repeat, TheSameCallOnOtherMemory) {
  Floats first = {1, 2, 3, 4, 5, 6, 7, 8}, second = {8, 7, 6, 5, 4, 3, 2, 1};
  for (int i = 0; i < 3; ++i) {
    Floats a(6), b(6);
    expect_done(pad(first, a));
    expect_done(pad(second, b));
    EXPECT_EQ(a, (Floats{3, 3, 4, 11, 7, 8}));
    EXPECT_EQ(b, (Floats{15, 6, 5, 7, 2, 1}));
  }
}

struct Nothing final : PlannedCall {
  Nothing() { work = 0; }
  Status run(const Binding&) const noexcept override { return {}; }
};

/// Whether a call with the values finds the plan that was kept for it.
bool is_kept(std::span<const ops::ValueArgument> values) {
  const std::int64_t shape[] = {1, 2, 3}, numbers[] = {1, 0, 0, 0};
  float in[6] = {}, out[6] = {};
  const auto tensor = [&](float* data) {
    return aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, data);
  };
  aclTensor *const from = tensor(in), *const to = tensor(out);
  aclIntArray* const array = aclCreateIntArray(numbers, 4);
  ops::TensorArgument tensors[] = {{"in", from}, {"out", to, Access::written}};
  ops::ArrayArgument arrays[] = {{"numbers", array}};
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const ops::Call call{"aclnnNothing", tensors, arrays, values, &size, &executor};
  EXPECT_TRUE(ops::check_handles(call).ok());
  ops::remember(call, std::make_shared<Nothing>());
  aclnnStatus status = -1;
  const bool kept = ops::hand_out_again(call, status);
  if (kept) {
    EXPECT_EQ(status, ACLNN_SUCCESS);
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  }
  for (aclTensor* each : {from, to}) EXPECT_EQ(aclDestroyTensor(each), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyIntArray(array), ACLNN_SUCCESS);
  return kept;
}

TEST(Repeat, APlanIsKept) {
  EXPECT_TRUE(is_kept({}));
  const ops::ValueArgument values[] = {{"flag", true}, {"one", 0.5}, {"another", 2.0}};
  EXPECT_TRUE(is_kept(values));
}

TEST(Repeat, AliasIsJudgedAnew) {
  Floats gradient(8), result(6);
  const CallSpec c = pad(gradient, result);
  expect_done(c);
  CallSpec same = c;
  same.tensor("gradInput").data = gradient.data() + 7;
  expect_refused(same, "alias", "gradInput", "starts at the last element of gradOutput");
  same.tensor("gradInput").data = gradient.data() - 5;
  expect_refused(same, "alias", "gradInput", "ends in gradOutput");
  expect_done(c);
}

TEST(Repeat, AMissingAddressIsPhase2sMatter) {
  Floats gradient(8), result(6);
  CallSpec c = pad(gradient, result);
  expect_done(c);
  c.tensor("gradOutput").data = nullptr;
  const Performed answer = perform(c);
  EXPECT_EQ(answer.phase1, ACLNN_SUCCESS);
  EXPECT_EQ(answer.phase2, ACLNN_ERR_PARAM_NULLPTR);
}

TEST(Repeat, EverythingElseIsPartOfTheCall) {
  Floats gradient(8), result(6);
  const CallSpec c = pad(gradient, result);
  expect_done(c);
  const struct {
    const char* what;
    void (*change)(CallSpec&);
    const char *rule, *argument;
  } changes[] = {
      {"border",
       [](CallSpec& o) {
         o.array("padding").values = {2, 0, 0, 0};
       },
       "shape", "gradOutput"},
      {"shape of as many elements",
       [](CallSpec& o) {
         o.tensor("gradInput").shape = {1, 3, 2};
       },
       "shape", "gradInput"},
      {"type", [](CallSpec& o) { o.tensor("self").dtype = ACL_FLOAT16; }, "dtype", "self"},
      {"view",
       [](CallSpec& o) {
         o.tensor("gradInput").strides = {6, 3, 0};
       },
       "output-overlap", "gradInput"},
      {"format", [](CallSpec& o) { o.tensor("gradInput").format = ACL_FORMAT_NC1HWC0; }, "format",
       "gradInput"},
  };
  for (const auto& [what, change, rule, argument] : changes) {
    CallSpec other = c;
    change(other);
    expect_refused(other, rule, argument, what);
  }
  CallSpec other = c;
  other.null_executor = true;
  EXPECT_EQ(probe(other).status, ACLNN_ERR_PARAM_NULLPTR);
  expect_done(c);
}

TEST(Repeat, ValuesAndTheProductArePartOfTheCall) {
  CallSpec c = valid(Op::upsample_bilinear2d_backward);
  c.scale_h = c.scale_w = 0;
  expect_valid(c, "without scales");
  CallSpec other = c;
  other.scale_h = std::numeric_limits<double>::infinity();
  expect_refused(other, "size-value", "scalesH", "an infinite scale");

  CallSpec adaptive = valid(Op::adaptive_max_pool3d_backward);
  adaptive.of_type(ACL_BF16);
  expect_valid(adaptive, "BF16 on 910B");
  {
    const AsProduct product("Ascend310P");
    expect_refused(adaptive, "platform", "the product", "310P does not have it");
  }
  expect_valid(adaptive, "BF16 on 910B again");
}

TEST(Repeat, TheConformanceIsPartOfTheCall) {
  // CANN drops what an index outside its window names (docs/conformance.md).
  Floats gradient = {1, 2};
  std::vector<std::int32_t> indices = {3, 2};
  const auto result_in = [&](const char* conformance) {
    EXPECT_EQ(gradproof_set_conformance(conformance), ACL_SUCCESS);
    Floats result(4, -77);
    CallSpec c = valid(Op::adaptive_max_pool3d_backward);
    c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 1, 2};
    c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 1, 4};
    c.tensor("gradOutput").data = gradient.data();
    c.tensor("indices").data = indices.data();
    c.tensor("gradInput").data = result.data();
    perform(c);
    return result;
  };
  const Floats documented = result_in("documented"), cann = result_in("cann");
  EXPECT_NE(documented, cann);
  EXPECT_EQ(result_in("documented"), documented);
  EXPECT_EQ(result_in("cann"), cann);
  EXPECT_EQ(gradproof_set_option("conformance", nullptr), ACL_SUCCESS);
}

TEST(Repeat, KernelsThatAreLeftOutArePartOfTheCall) {
  const CallSpec c = valid(Op::replication_pad2d_backward);
  const auto kernel = [&c] {
    const Phase1 planned = get_workspace_size(c);
    const std::string name = gradproof_executor_kernel(planned.executor);
    aclDestroyAclOpExecutor(planned.executor);
    return name;
  };
  const std::string usual = kernel();
  EXPECT_EQ(kernel(), usual);
  ASSERT_EQ(gradproof_leave_out_kernel(usual.c_str()), ACL_SUCCESS);
  EXPECT_NE(kernel(), usual);
  ASSERT_EQ(gradproof_leave_out_kernel(nullptr), ACL_SUCCESS);
  EXPECT_EQ(kernel(), usual);
}

TEST(Repeat, ADescriptorThatWasDestroyedIsRefused) {
  Floats gradient(8), result(6);
  const CallSpec c = pad(gradient, result);
  expect_done(c);
  const std::int64_t wide[] = {1, 2, 4}, narrow[] = {1, 2, 3}, border[] = {1, 0, 0, 0};
  const auto tensor = [](const std::int64_t* dims, Floats& data) {
    return aclCreateTensor(dims, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 3, data.data());
  };
  aclTensor* const from = tensor(wide, gradient);
  aclTensor* const to = tensor(narrow, result);
  aclIntArray* const padding = aclCreateIntArray(border, 4);
  const auto phase1 = [&] {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status =
        aclnnReplicationPad2dBackwardGetWorkspaceSize(from, to, padding, to, &bytes, &executor);
    if (status == ACLNN_SUCCESS) aclDestroyAclOpExecutor(executor);
    return status;
  };
  EXPECT_EQ(phase1(), ACLNN_SUCCESS);
  EXPECT_EQ(phase1(), ACLNN_SUCCESS);
  aclDestroyIntArray(padding);
  EXPECT_EQ(phase1(), ACLNN_ERR_PARAM_INVALID);
  aclDestroyTensor(from);
  aclDestroyTensor(to);
}

TEST(Repeat, ExecutorsOfOnePlanHaveTheirOwnAddresses) {
  Floats gradient = {1, 2, 3, 4, 5, 6, 7, 8}, result(6);
  const CallSpec c = pad(gradient, result);
  expect_done(c);
  const Phase1 again = get_workspace_size(c);
  ASSERT_EQ(again.status, ACLNN_SUCCESS);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(again.executor), ACLNN_SUCCESS);
  Floats elsewhere(6);
  expect_done(pad(gradient, elsewhere));
  result.assign(6, -1);
  std::vector<std::byte> workspace(again.workspace + 64);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(run(c.op, workspace.data(), again.workspace, again.executor, nullptr), ACLNN_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(result, elsewhere);
  EXPECT_EQ(aclDestroyAclOpExecutor(again.executor), ACLNN_SUCCESS);
}

}  // namespace
}  // namespace gradproof::test
