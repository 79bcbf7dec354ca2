// Rules that hold for every operator alike, each from both sides: null to rank, view to alias.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

class CommonRules : public testing::TestWithParam<Op> {
 protected:
  Op op() const { return GetParam(); }
  CallSpec call() const { return valid(op()); }
  int tensor_count() const { return static_cast<int>(call().tensors.size()); }
  bool is_output(const std::string& name) const {
    return name == "gradInput" || name == "out" || name == "outputOut" || name == "indicesOut" ||
           (name == "indices" && call().tensors[0].name == "self");
  }
  bool is_mask(const TensorSpec& t) const { return t.dtype == ACL_INT8; }
};

INSTANTIATE_TEST_SUITE_P(Operators, CommonRules, testing::ValuesIn(kOps),
                         [](const auto& row) { return std::string(api_name(row.param) + 5); });

TEST_P(CommonRules, ValidCallHandsOutAnExecutor) { expect_valid(call(), "as it is"); }

TEST_P(CommonRules, NullArgument) {
  for (int i = 0; i < tensor_count(); ++i) {
    CallSpec c = call();
    c.tensors[i].null = true;
    expect_refused(c, "null-argument", c.tensors[i].name, "null tensor");
  }
  for (std::size_t i = 0; i < call().arrays.size(); ++i) {
    CallSpec c = call();
    c.arrays[i].null = true;
    expect_refused(c, "null-argument", c.arrays[i].name, "null array");
  }
  CallSpec c = call();
  c.null_workspace_size = true;
  expect_refused(c, "null-argument", "workspaceSize", "null workspaceSize");
  c = call();
  c.null_executor = true;
  expect_refused(c, "null-argument", "executor", "null executor");
}

TEST_P(CommonRules, NullPrecedesEveryOtherRule) {
  CallSpec c = call();
  c.null_executor = true;
  for (TensorSpec& t : c.tensors) {
    t.dtype = ACL_STRING;
    t.shape = {-1};
    t.offset = -1;
  }
  expect_refused(c, "null-argument", "executor", "null and nonsense");
}

TEST_P(CommonRules, Dtype) {
  for (int i = 0; i < tensor_count(); ++i) {
    for (int number : {-1, 9, 12, 13, 33, 77, INT32_MIN, INT32_MAX}) {
      CallSpec c = call();
      c.tensors[i].dtype = static_cast<aclDataType>(number);
      expect_refused(c, "dtype", c.tensors[i].name, "dtype " + std::to_string(number));
    }
    if (i == 0) continue;
    CallSpec c = call();
    c.tensors[i].dtype = ACL_FLOAT16;
    expect_refused(c, "dtype", c.tensors[i].name, "one tensor in FLOAT16");
  }
}

TEST_P(CommonRules, Format) {
  for (int number : {-1, 3, 4, 12, 29, 32, 33, 77, INT32_MIN, INT32_MAX}) {
    CallSpec c = call();
    c.of_format(static_cast<aclFormat>(number));
    expect_refused(c, "format", c.tensors[0].name, "format " + std::to_string(number));
  }
  const aclFormat other = upsamples(op()) ? ACL_FORMAT_NHWC : ACL_FORMAT_NCHW;
  for (int i = 1; i < tensor_count(); ++i) {
    CallSpec c = call();
    c.tensors[i].format = other;
    expect_refused(c, "format", c.tensors[i].name, "one tensor of another format");
  }
}

TEST_P(CommonRules, Rank) {
  for (int i = 0; i < tensor_count(); ++i) {
    for (std::size_t rank : {0, 1, 2, 6, 9, 64}) {
      CallSpec c = call();
      c.tensors[i].shape.assign(rank, 1);
      expect_refused(c, "rank", c.tensors[i].name, "rank " + std::to_string(rank));
    }
    CallSpec c = call();
    c.tensors[i].shape.erase(c.tensors[i].shape.begin());
    // The first tensor sets the rank: the next one differs then.
    const bool one_rank = upsamples(op());
    expect_refused(c, "rank", c.tensors[i == 0 && !one_rank ? 1 : i].name, "one axis less");
  }
}

TEST_P(CommonRules, NegativeOrHugeExtents) {
  for (int i = 0; i < tensor_count(); ++i) {
    for (std::size_t axis = 0; axis < call().tensors[i].shape.size(); ++axis) {
      for (std::int64_t extent : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
        CallSpec c = call();
        c.tensors[i].shape[axis] = extent;
        expect_refused(c, "dim-value", c.tensors[i].name, "extent " + std::to_string(extent));
      }
    }
  }
}

TEST_P(CommonRules, ViewFitsItsStorage) {
  for (int i = 0; i < tensor_count(); ++i) {
    const TensorSpec t = call().tensors[i];
    const auto edited = [&](auto edit) {
      CallSpec c = call();
      c.tensors[i].strides = dense(t.shape);
      edit(c.tensors[i]);
      return c;
    };
    std::int64_t count = 1;
    for (std::int64_t e : t.shape) count *= e;
    for (std::int64_t offset : {std::int64_t{-1}, INT64_MIN, std::int64_t{1}, INT64_MAX}) {
      expect_refused(edited([&](TensorSpec& s) { s.offset = offset; }), "view", t.name,
                     "offset " + std::to_string(offset));
    }
    for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
      for (std::int64_t stride : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
        expect_refused(edited([&](TensorSpec& s) { s.strides[axis] = stride; }), "view", t.name,
                       "stride " + std::to_string(stride));
      }
    }
    expect_refused(edited([&](TensorSpec& s) { s.storage = {count - 1}; }), "view", t.name,
                   "short");
    expect_refused(edited([&](TensorSpec& s) { s.storage = {0}; }), "view", t.name, "no storage");
    expect_refused(edited([&](TensorSpec& s) {
                     s.storage = {-1, -count};
                   }),
                   "view", t.name, "negative storage");
    expect_refused(edited([&](TensorSpec& s) {
                     s.storage = {INT64_MAX, 2};
                   }),
                   "view", t.name, "huge storage");
    expect_valid(edited([&](TensorSpec& s) { s.storage = {count}; }), "flat storage");
    expect_valid(edited([&](TensorSpec& s) { s.storage = {count + 5}, s.offset = 5; }), "offset");
    expect_valid(edited([&](TensorSpec& s) { s.storage = {(INT64_MAX - 15) / 16}, s.offset = 5; }),
                 "much storage");
    if (is_mask(t)) {
      expect_refused(edited([&](TensorSpec& s) { s.storage = {2 * count}, s.strides[0] *= 2; }),
                     "view", t.name, "mask with gaps");
      expect_refused(edited([&](TensorSpec& s) {
                       std::swap(s.strides[0], s.strides[1]);
                       s.storage = {9 * count};
                     }),
                     "view", t.name, "transposed mask");
      continue;
    }
    expect_valid(edited([&](TensorSpec& s) { s.storage = {2 * count}, s.strides[0] *= 2; }),
                 "gaps");
    if (!is_output(t.name)) {
      expect_valid(
          edited([&](TensorSpec& s) { s.strides.assign(s.strides.size(), 0), s.storage = {1}; }),
          "broadcast");
    }
  }
}

TEST_P(CommonRules, OutputsNeverOverlapThemselves) {
  for (int i = 0; i < tensor_count(); ++i) {
    const TensorSpec t = call().tensors[i];
    if (!is_output(t.name) || is_mask(t)) continue;
    const std::size_t rank = t.shape.size();
    for (std::size_t axis = 0; axis < rank; ++axis) {
      CallSpec c = call();
      c.tensors[i].strides = dense(t.shape);
      c.tensors[i].strides[axis] = 0;
      expect_refused(c, "output-overlap", t.name, "zero stride");
    }
    CallSpec c = call();
    c.tensors[i].strides = dense(t.shape);
    c.tensors[i].strides[rank - 2] = t.shape[rank - 1] - 1;  // the reach of the last axis
    expect_refused(c, "output-overlap", t.name, "rows one element short");

    c = call();  // axes in the reverse order in memory
    Shape reversed(rank, 1);
    for (std::size_t axis = 1; axis < rank; ++axis) {
      reversed[axis] = reversed[axis - 1] * t.shape[axis - 1];
    }
    c.tensors[i].strides = reversed;
    expect_valid(c, "reversed axes");
  }
}

TEST_P(CommonRules, OutputsDoNotMeetWhatIsReadOrWritten) {
  // Addresses are compared, never followed.
  auto* const base = reinterpret_cast<char*>(std::uintptr_t{1} << 40);
  for (int w = 0; w < tensor_count(); ++w) {
    if (!is_output(call().tensors[w].name)) continue;
    for (int r = 0; r < w; ++r) {
      CallSpec c = call();
      TensorSpec &written = c.tensors[w], &read = c.tensors[r];
      const bool described = read.name == "self" && c.tensors[0].name != "self";
      written.data = read.data = base;
      if (described) {
        expect_valid(c, "self may share gradInput's memory");
        continue;
      }
      expect_refused(c, "alias", written.name, "same start as " + read.name);
      std::int64_t bytes = read.dtype == ACL_INT8 ? 1 : 4;
      for (std::int64_t e : read.shape) bytes *= e;
      written.data = base + bytes - 1;
      expect_refused(c, "alias", written.name, "starts at the last byte of " + read.name);
      written.data = base + bytes;
      expect_valid(c, "starts after " + read.name);
      written.data = nullptr;
      expect_valid(c, "no data");
      // At the end of the address space nothing wraps around.
      read.data = reinterpret_cast<void*>(UINTPTR_MAX - 3);
      written.data = reinterpret_cast<void*>(std::uintptr_t{64});
      expect_valid(c, "end of the address space");
    }
  }
}

TEST(Handles, StaleAndForeignHandlesAreRefused) {
  const Shape shape = {1, 1, 2, 2, 2};
  const auto make = [&](aclDataType dtype) {
    return aclCreateTensor(shape.data(), shape.size(), dtype, nullptr, 0, ACL_FORMAT_ND,
                           shape.data(), shape.size(), nullptr);
  };
  aclTensor* live = make(ACL_FLOAT);
  aclTensor* positions = make(ACL_INT32);
  aclTensor* stale = make(ACL_FLOAT);
  ASSERT_EQ(aclDestroyTensor(stale), ACLNN_SUCCESS);
  char foreign[64] = {};
  for (aclTensor* bad : {stale, reinterpret_cast<aclTensor*>(foreign)}) {
    std::uint64_t workspace = 1;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(live, bad, positions, live, &workspace,
                                                             &executor),
              ACLNN_ERR_PARAM_INVALID);
    EXPECT_EQ(recent_message(),
              "aclnnAdaptiveMaxPool3dBackward: handle: self is not a live aclTensor");
    EXPECT_EQ(workspace, 1u);
    EXPECT_EQ(executor, nullptr);
    EXPECT_EQ(aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(live, bad, nullptr, live, &workspace,
                                                             &executor),
              ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(
        recent_message(),
        "aclnnAdaptiveMaxPool3dBackward: handle: self is not a live aclTensor; null-argument: "
        "indices is a null pointer");
  }
  aclDestroyTensor(live);
  aclDestroyTensor(positions);
}

// As in a call whose argument `indices` was forgotten: what follows it is one place too early.
TEST(Handles, TheFirstOfAnotherKindIsNamed) {
  const Shape shape = {1, 1, 2, 2, 2}, numbers = {1, 1, 1};
  aclTensor* live = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0,
                                    ACL_FORMAT_ND, shape.data(), shape.size(), nullptr);
  aclIntArray* three = aclCreateIntArray(numbers.data(), numbers.size());
  std::uint64_t workspace = 1;
  aclOpExecutor* executor = nullptr;
  for (const bool ceil_mode : {false, true}) {
    EXPECT_EQ(aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
                  live, live, reinterpret_cast<aclTensor*>(three), three, three, three,
                  ceil_mode ? reinterpret_cast<aclIntArray*>(1) : nullptr, true,
                  reinterpret_cast<aclTensor*>(&workspace), &workspace, &executor),
              ceil_mode ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(
        recent_message(),
        std::string("aclnnMaxPool3dWithArgmaxBackward: handle: indices is an aclIntArray, must "
                    "be an aclTensor") +
            (ceil_mode ? "" : "; null-argument: dilation is a null pointer"));
  }
  // A null before it is the first mistake.
  EXPECT_EQ(aclnnReplicationPad2dBackwardGetWorkspaceSize(
                nullptr, live, reinterpret_cast<aclIntArray*>(live), live, &workspace, &executor),
            ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(recent_message(),
            "aclnnReplicationPad2dBackward: null-argument: gradOutput is a null pointer");
  EXPECT_EQ(workspace, 1u);
  EXPECT_EQ(executor, nullptr);
  aclDestroyIntArray(three);
  aclDestroyTensor(live);
}

TEST_P(CommonRules, Phase2AfterAFailedPhase1SaysWhy) {
  CallSpec wrong = call();
  for (TensorSpec& t : wrong.tensors) t.dtype = ACL_STRING;
  const Phase1 failed = get_workspace_size(wrong);
  ASSERT_NE(failed.status, ACLNN_SUCCESS);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);  // another failure between them
  EXPECT_EQ(run(op(), nullptr, 0, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(recent_message(),
            std::string(api_name(op())) +
                ": executor is null; phase 1 failed on this thread: " + failed.message);
  std::thread([&] {  // which had no phase 1
    EXPECT_EQ(run(op(), nullptr, 0, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(recent_message(), std::string(api_name(op())) + ": executor is null");
  })
      .join();
  expect_valid(call(), "as it is");
  EXPECT_EQ(run(op(), nullptr, 0, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(recent_message(), std::string(api_name(op())) + ": executor is null");
}

TEST(Handles, StaleArraysAreRefused) {
  const Shape shape = {1, 2, 2}, none = {0, 0, 0, 0};
  aclTensor* live = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0,
                                    ACL_FORMAT_ND, shape.data(), shape.size(), nullptr);
  aclIntArray* stale = aclCreateIntArray(none.data(), none.size());
  ASSERT_EQ(aclDestroyIntArray(stale), ACLNN_SUCCESS);
  std::uint64_t workspace = 1;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(
      aclnnReplicationPad2dBackwardGetWorkspaceSize(live, live, stale, live, &workspace, &executor),
      ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(recent_message(),
            "aclnnReplicationPad2dBackward: handle: padding is not a live aclIntArray");
  EXPECT_EQ(workspace, 1u);
  EXPECT_EQ(executor, nullptr);
  aclDestroyTensor(live);
}

}  // namespace
}  // namespace gradproof::test
