// Whole calls of the pools on small numbers worked out by hand; executors that are used again.
#include <gtest/gtest.h>

#include <vector>

#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

constexpr float kOld = -77;  ///< what memory holds before a call

/// gradOutput [1,1,1,2,2] at positions of a [1,1,1,2,3] plane.
CallSpec pool3d(Floats& gradient, std::vector<std::int32_t>& positions, Floats& result) {
  CallSpec c = valid(Op::adaptive_max_pool3d_backward);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 2, 2};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 2, 3};
  give(c, "gradOutput", gradient);
  give(c, "indices", positions);
  give(c, "gradInput", result);
  return c;
}

TEST(Results, AdaptiveMaxPool3dBackwardAddsEqualPositions) {
  Floats gradient = {1, 2, 4, 8}, result(6, kOld);
  std::vector<std::int32_t> positions = {5, 0, 5, 2};
  expect_done(pool3d(gradient, positions, result));
  EXPECT_EQ(result, (Floats{2, 0, 8, 0, 0, 5}));
}

TEST(Results, StridedOffsetViewsLeaveGapsAlone) {
  // gradOutput transposed, gradInput with a gap of one element, both after an offset.
  Floats gradient = {0, 1, 4, 2, 8}, result(14, kOld);
  std::vector<std::int32_t> positions = {5, 0, 5, 2};
  CallSpec c = pool3d(gradient, positions, result);
  c.tensor("gradOutput").strides = {9, 9, 9, 1, 2};
  c.tensor("gradOutput").strides[0] = c.tensor("gradOutput").strides[1] = INT64_MAX;  // of extent 1
  c.tensor("gradOutput").offset = 1;
  c.tensor("gradInput").strides = {0, 0, 0, 6, 2};
  c.tensor("gradInput").offset = 2;
  expect_done(c);
  const float o = kOld;
  EXPECT_EQ(result, (Floats{o, o, 2, o, 0, o, 8, o, 0, o, 0, o, 5, o}));
}

TEST(Results, BroadcastGradient) {
  Floats gradient = {3}, result(6, kOld);
  std::vector<std::int32_t> positions = {5, 0, 5, 2};
  CallSpec c = pool3d(gradient, positions, result);
  c.tensor("gradOutput").strides = {0, 0, 0, 0, 0};
  expect_done(c);
  EXPECT_EQ(result, (Floats{3, 0, 3, 0, 0, 6}));
}

TEST(Results, EmptyGradientOverAnInputWritesZeros) {
  Floats result(6, kOld);
  CallSpec c = valid(Op::adaptive_max_pool3d_backward);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 0, 2};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 2, 3};
  give(c, "gradInput", result);
  expect_done(c);
  EXPECT_EQ(result, Floats(6, 0));
}

TEST(Results, EmptyCallsDoNothingAndNeedNoData) {
  for (Op op : {Op::max_pool2d_with_mask_backward, Op::replication_pad2d_backward,
                Op::adaptive_max_pool3d_backward, Op::max_pool2d_with_mask, Op::replication_pad2d,
                Op::adaptive_max_pool3d}) {
    CallSpec c = valid(op);
    for (TensorSpec& t : c.tensors) t.shape[0] = 0;
    expect_done(c);
  }
}

TEST(Results, BadIndexFailsTheSynchronisation) {
  for (std::int32_t bad : {6, -1, INT32_MIN, INT32_MAX}) {
    Floats gradient = {1, 2, 4, 8}, result(6, kOld);
    std::vector<std::int32_t> positions = {5, 0, bad, bad};
    CallSpec c = pool3d(gradient, positions, result);
    Performed done = perform(c);
    EXPECT_EQ(done.phase1, ACLNN_SUCCESS);
    EXPECT_EQ(done.phase2, ACLNN_SUCCESS);
    EXPECT_EQ(done.sync, ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    const std::string expected =
        "aclnnAdaptiveMaxPool3dBackward: index-value: indices at row-major position 2 is " +
        std::to_string(bad) + ", must be at least 0 and less than 6";
    EXPECT_NE(done.message.find(expected), std::string::npos) << done.message;

    positions = {5, 0, 5, 2};
    expect_done(c);  // the stream stays usable
  }
}

TEST(Results, MaxPool3dBothWays) {
  // One plane of 3×4, windows of 2×2 in steps of 1×2: {1,7,5,3} {2,0,9,4} | {5,3,8,2} {9,4,1,6}.
  Floats self = {1, 7, 2, 0, 5, 3, 9, 4, 8, 2, 1, 6}, result(4, kOld), gradient = {1, 2, 4, 8};
  std::vector<std::int32_t> positions(4, -9);
  CallSpec f = valid(Op::max_pool3d_with_argmax);
  f.tensor("self").shape = {1, 1, 1, 3, 4};
  f.tensor("out").shape = f.tensor("indices").shape = {1, 1, 1, 2, 2};
  f.array("kernelSize").values = {1, 2, 2};
  f.array("stride").values = {1, 1, 2};
  f.array("padding").values = {0};
  give(f, "self", self);
  give(f, "out", result);
  give(f, "indices", positions);
  expect_done(f);
  EXPECT_EQ(result, (Floats{7, 9, 8, 9}));
  EXPECT_EQ(positions, (std::vector<std::int32_t>{1, 6, 8, 6}));

  Floats input(12, kOld);
  CallSpec b = valid(Op::max_pool3d_with_argmax_backward);
  b.arrays = f.arrays;
  b.tensor("self").shape = b.tensor("gradInput").shape = {1, 1, 1, 3, 4};
  b.tensor("gradOutput").shape = b.tensor("indices").shape = {1, 1, 1, 2, 2};
  give(b, "gradOutput", gradient);
  give(b, "indices", positions);
  give(b, "gradInput", input);
  expect_done(b);
  EXPECT_EQ(input, (Floats{0, 1, 0, 0, 0, 0, 10, 0, 4, 0, 0, 0}));
}

TEST(Results, AdaptiveMaxPool3dForward) {
  // Windows of 5 positions into 3: [0,2) [1,4) [3,5).
  Floats self = {4, 1, 3, 2, 5}, result(3, kOld);
  std::vector<std::int32_t> positions(3, -9);
  CallSpec c = valid(Op::adaptive_max_pool3d);
  c.tensor("self").shape = {1, 1, 1, 1, 5};
  c.tensor("outputOut").shape = c.tensor("indicesOut").shape = {1, 1, 1, 1, 3};
  c.array("outputSize").values = {1, 1, 3};
  give(c, "self", self);
  give(c, "outputOut", result);
  give(c, "indicesOut", positions);
  expect_done(c);
  EXPECT_EQ(result, (Floats{4, 3, 5}));
  EXPECT_EQ(positions, (std::vector<std::int32_t>{0, 2, 4}));
}

CallSpec document_pool(Floats& gradient, std::vector<std::int8_t>& mask, Floats& result) {
  CallSpec c = sample_of_mask_pool();
  give(c, "gradOutput", gradient);
  give(c, "indices", mask);
  give(c, "gradInput", result);
  return c;
}

TEST(Results, MaxPool2dWithMaskBackwardDocumentSample) {
  Floats gradient = {0.4757f, 0.1726f}, result(12, kOld);
  std::vector<std::int8_t> mask(256, 0);
  std::fill_n(mask.begin(), 32, std::int8_t{-1});
  expect_done(document_pool(gradient, mask, result));
  EXPECT_EQ(result, (Floats{0.4757f, 0, 0, 0, 0, 0, 0.1726f, 0, 0, 0, 0, 0}));
}

TEST(Results, MaxPool2dWithMaskBackwardReadsTheMaskAtAnOffset) {
  Floats gradient = {1, 2}, result(12, kOld);
  std::vector<std::int8_t> mask(259, 0);
  // Kernel position 3 (one row down, one to the right) of output position 1, channel 0.
  mask[3 + 2 * (3 * 32 + 1)] = 1;
  CallSpec c = document_pool(gradient, mask, result);
  c.tensor("indices").offset = 3;
  expect_done(c);
  Floats expected(12, 0);
  expected[3 * 3 + 1] = 2;
  EXPECT_EQ(result, expected);
}

TEST(Results, MaxPool2dWithMaskForward) {
  Floats self = {1, 5, 0, 5, 2, 0, 3, 4, 0, 9, 4, 0}, result(2, kOld);
  std::vector<std::int8_t> mask(256, 33);
  CallSpec c = valid(Op::max_pool2d_with_mask);
  c.tensor("self").shape = {1, 1, 4, 3};
  c.tensor("out").shape = {1, 1, 2, 1};
  c.tensor("indices").shape = {1, 1, 4, 64};
  c.array("kernelSize").values = c.array("stride").values = {2, 2};
  c.array("padding").values = {0, 0};
  give(c, "self", self);
  give(c, "out", result);
  give(c, "indices", mask);
  expect_done(c);
  EXPECT_EQ(result, (Floats{5, 9}));
  std::vector<std::int8_t> expected(256, 0);
  expected[2 * (1 * 32 + 0)] = 1;  // the first 5, at kernel position 1, output position 0
  expected[2 * (2 * 32 + 1)] = 1;  // the 9, at kernel position 2, output position 1
  EXPECT_EQ(mask, expected);
}

TEST(Results, Ascend910PoolsFloatInHalfPrecision) {
  Floats gradient = {2049, 0.1f}, result(12, kOld);
  std::vector<std::int8_t> mask(256, 0);
  std::fill_n(mask.begin(), 32, std::int8_t{-1});
  {
    const AsProduct product("Ascend910");
    expect_done(document_pool(gradient, mask, result));
  }
  EXPECT_EQ(result[0], 2048);
  EXPECT_EQ(result[6], aclFloat16ToFloat(aclFloatToFloat16(0.1f)));
  {
    const AsProduct product("Ascend910B");
    expect_done(document_pool(gradient, mask, result));
  }
  EXPECT_EQ(result[0], 2049);
}

TEST(Results, RepeatableExecutorRunsOnNewAddresses) {
  Floats gradient = {1, 2, 4, 8}, other = {10, 20, 40, 80}, result(6, kOld), elsewhere(6, kOld);
  std::vector<std::int32_t> positions = {5, 0, 5, 2};
  CallSpec c = pool3d(gradient, positions, result);
  const Phase1 first = get_workspace_size(c);
  ASSERT_EQ(first.status, ACLNN_SUCCESS) << first.message;
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(first.executor), ACLNN_SUCCESS);
  std::vector<std::byte> workspace(first.workspace + 64);
  void* scratch = workspace.data();
  std::size_t room = workspace.size();
  ASSERT_NE(std::align(64, first.workspace, scratch, room), nullptr);
  const auto go = [&] {
    ASSERT_EQ(run(c.op, scratch, first.workspace, first.executor, nullptr), ACLNN_SUCCESS)
        << recent_message();
    ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << recent_message();
  };
  go();
  EXPECT_EQ(result, (Floats{2, 0, 8, 0, 0, 5}));
  result.assign(6, kOld);
  go();
  EXPECT_EQ(result, (Floats{2, 0, 8, 0, 0, 5}));

  const Shape pooled = {1, 1, 1, 2, 2}, volume = {1, 1, 1, 2, 3};
  aclTensor* new_gradient = aclCreateTensor(pooled.data(), 5, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                                            pooled.data(), 5, other.data());
  aclTensor* new_input = aclCreateTensor(volume.data(), 5, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                                         volume.data(), 5, elsewhere.data());
  EXPECT_EQ(aclSetTensorAddr(first.executor, 0, new_gradient, other.data()), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetOutputTensorAddr(first.executor, 0, new_input, elsewhere.data()), ACLNN_SUCCESS);
  go();
  EXPECT_EQ(elsewhere, (Floats{20, 0, 80, 0, 0, 50}));
  EXPECT_EQ(aclDestroyTensor(new_gradient), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(new_input), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(first.executor), ACLNN_SUCCESS);
}

TEST(Results, Phase2RefusesAnotherOperatorsExecutor) {
  Floats gradient = {1, 2, 4, 8}, result(6, kOld);
  std::vector<std::int32_t> positions = {5, 0, 5, 2};
  const CallSpec c = pool3d(gradient, positions, result);
  const Phase1 first = get_workspace_size(c);
  ASSERT_EQ(first.status, ACLNN_SUCCESS) << first.message;
  std::vector<std::byte> workspace(first.workspace + 1);  // never touched
  for (Op op : kOps) {
    if (op == c.op) continue;
    EXPECT_EQ(run(op, workspace.data(), first.workspace, first.executor, nullptr),
              ACLNN_ERR_PARAM_INVALID)
        << api_name(op);
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(first.executor), ACLNN_SUCCESS);
}

}  // namespace
}  // namespace gradproof::test
