// Every row of the table of differences: the call as the documents judge it, and as CANN does.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "gradproof/config.h"
#include "tests/ops/operator_rules.h"

namespace gradproof::test {
namespace {

constexpr aclnnStatus kOk = 0, kNull = 161001, kInvalid = 161002, kInner = 561103;

/// A call that the conformances judge differently.
struct Judged {
  Op op;
  const char* product;
  const char* what;
  std::function<void(CallSpec&)> edit;
  aclnnStatus documented, cann;
  aclnnStatus later = kOk;  ///< CANN's answer in phase 2
};

constexpr Op kArgmax = Op::max_pool3d_with_argmax_backward,
             kMask = Op::max_pool2d_with_mask_backward, kUp = Op::upsample_bilinear2d_backward,
             kPad = Op::replication_pad2d_backward, kAdaptive = Op::adaptive_max_pool3d_backward;
constexpr char kA2[] = "Ascend910B", kA1[] = "Ascend910", kInference[] = "Ascend310P";

auto format(aclFormat value) {
  return [=](CallSpec& c) { c.of_format(value); };
}
auto format(const char* name, aclFormat value) {
  return [=](CallSpec& c) {
    c.of_format(ACL_FORMAT_NCHW);
    c.tensor(name).format = value;
  };
}
auto rank_low(aclFormat value) {
  return [=](CallSpec& c) {
    drop_batch(c);
    c.of_format(value);
  };
}
void storage_too_small(CallSpec& c) { c.tensors.front().storage = {3}; }
void strided_outside(CallSpec& c) {
  TensorSpec& t = c.tensors.back();
  t.strides = dense(t.shape);
  t.strides.front() += 1;
}
void backwards(CallSpec& c) {
  TensorSpec& t = c.tensors.front();
  t.strides = dense(t.shape);
  t.strides.back() = -1;
  t.offset = t.shape.back() - 1;
}
void overlapping_output(CallSpec& c) {
  TensorSpec& t = c.tensors.back();
  t.strides = dense(t.shape);
  t.strides.front() = 0;
}
void aliased(CallSpec& c) {
  static std::array<char, 1 << 16> memory;
  c.tensors.front().data = c.tensors.back().data = memory.data();
}
void unscaled(CallSpec& c) {
  c.tensor("gradOut").shape = {2, 3, 4, 5};
  c.array("outputSize").values = {4, 5};
}
auto no_samples(CallSpec& c) {
  set_axis(c, 0, 0);
  c.array("inputSize").values[0] = 0;
}
auto one_by_one(aclFormat value) {
  return [=](CallSpec& c) {
    c.of_format(value);
    c.array("kernelSize").values = c.array("stride").values = {1, 1};
    c.array("padding").values = {0, 0};
    c.tensor("gradOutput").shape = {2, 3, 9, 11};
    c.tensor("indices").shape = {2, 3, 1, 256};
  };
}

const std::vector<Judged>& rows() {
  static const std::vector<Judged> all = [] {
    std::vector<Judged> list = {
        {kArgmax, kA2, "indices of another format",
         [](CallSpec& c) {
           c.of_format(ACL_FORMAT_NCDHW);
           c.tensor("indices").format = ACL_FORMAT_ND;
         },
         kInvalid, kOk},
        {kArgmax, kA2, "rank 5, NCHW", format(ACL_FORMAT_NCHW), kInvalid, kInner},
        {kArgmax, kA2, "rank 4, NCDHW", rank_low(ACL_FORMAT_NCDHW), kInvalid, kInner},
        {kArgmax, kA2, "rank 5, NDHWC", format(ACL_FORMAT_NDHWC), kInvalid, kOk},
        {kArgmax, kA2, "rank 4, NHWC", rank_low(ACL_FORMAT_NHWC), kInvalid, kOk},
        {kArgmax, kA2, "HWCN", format(ACL_FORMAT_HWCN), kInvalid, kOk},
        {kArgmax, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kInner},
        {kArgmax, kA2, "mixed formats",
         [](CallSpec& c) {
           c.of_format(ACL_FORMAT_NCDHW);
           c.tensor("self").format = ACL_FORMAT_ND;
         },
         kInvalid, kInner},
        {kArgmax, kA2, "self of another rank",
         [](CallSpec& c) { c.tensor("self").shape.erase(c.tensor("self").shape.begin()); },
         kInvalid, kInner},
        {kArgmax, kA2, "empty", [](CallSpec& c) { set_axis(c, 1, 0); }, kInvalid, kOk},
        {kArgmax, kA2, "negative extent", extent("self", 1, -1), kInvalid, kInvalid},
        {kArgmax, kA2, "dilation 2",
         [](CallSpec& c) {
           c.array("dilation").values = {2};
           c.tensor("gradOutput").shape = c.tensor("indices").shape = {2, 3, 4, 3, 5};
         },
         kInvalid, kOk},
        {kArgmax, kA2, "dilation 0", array("dilation", {0}), kInvalid, kInvalid},
        {kArgmax, kA2, "wrong extent", extent("gradOutput", 3, 4), kInvalid, kInvalid},
        {kArgmax, kA2, "wrong extents",
         [](CallSpec& c) { c.tensor("gradOutput").shape[3] = c.tensor("indices").shape[3] = 4; },
         kInvalid, kOk, kInner},
        {kArgmax, kA2, "other channels",
         [](CallSpec& c) { c.tensor("gradOutput").shape[1] = c.tensor("indices").shape[1] = 4; },
         kInvalid, kOk, kInner},

        {kAdaptive, kA2, "NDHWC", format(ACL_FORMAT_NDHWC), kInvalid, kOk},
        {kAdaptive, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kOk},
        {kAdaptive, kA2, "NCHW, rank 5", format(ACL_FORMAT_NCHW), kInvalid, kInner},
        {kAdaptive, kA2, "NCDHW, rank 4", rank_low(ACL_FORMAT_NCDHW), kInvalid, kInner},
        {kAdaptive, kA2, "indices of another format",
         [](CallSpec& c) {
           c.of_format(ACL_FORMAT_NCDHW);
           c.tensor("indices").format = ACL_FORMAT_ND;
         },
         kInvalid, kInvalid},
        {kAdaptive, kA2, "empty self alone",
         [](CallSpec& c) { c.tensor("self").shape[2] = c.tensor("gradInput").shape[2] = 0; },
         kInvalid, kOk},
        {kAdaptive, kA2, "empty gradOutput alone",
         [](CallSpec& c) { c.tensor("gradOutput").shape[2] = c.tensor("indices").shape[2] = 0; },
         kOk, kOk},
        {kAdaptive, kA2, "other channels, divisible",
         [](CallSpec& c) {
           c.tensor("gradOutput").shape = c.tensor("indices").shape = {2, 4, 7, 3, 1};
         },
         kInvalid, kOk, kInner},
        {kAdaptive, kA2, "other channels",
         [](CallSpec& c) { c.tensor("gradOutput").shape[1] = c.tensor("indices").shape[1] = 4; },
         kInvalid, kInvalid},

        {kMask, kA2, "mask ND beside NCHW", format("indices", ACL_FORMAT_ND), kInvalid, kOk},
        {kMask, kA2, "rank 3, NCHW", rank_low(ACL_FORMAT_NCHW), kOk, kInner},
        {kMask, kA2, "rank 3, NCL", rank_low(ACL_FORMAT_NCL), kOk, kOk},
        {kMask, kA2, "rank 4, NCL", format(ACL_FORMAT_NCL), kOk, kInner},
        {kMask, kA2, "rank 4, ND", format(ACL_FORMAT_ND), kOk, kOk},
        {kMask, kA1, "rank 4, ND, training", format(ACL_FORMAT_ND), kOk, kInner},
        {kMask, kA1, "rank 4, NCHW, training", format(ACL_FORMAT_NCHW), kOk, kOk},
        {kMask, kA2, "rank 4, ND, 1 x 1", one_by_one(ACL_FORMAT_ND), kOk, kInner},
        {kMask, kA2, "rank 4, NCHW, 1 x 1", one_by_one(ACL_FORMAT_NCHW), kOk, kOk},
        {kMask, kA2, "NHWC", format(ACL_FORMAT_NHWC), kInvalid, kOk},
        {kMask, kA1, "NHWC, training", format(ACL_FORMAT_NHWC), kInvalid, kInner},
        {kMask, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kOk},
        {kMask, kA2, "NCDHW", format(ACL_FORMAT_NCDHW), kInvalid, kInner},
        {kMask, kA2, "private", format(ACL_FORMAT_NC1HWC0), kInvalid, kInner},
        {kMask, kA2, "kernelSize without values", array("kernelSize", {}), kInvalid, kNull},
        {kMask, kA2, "kernelSize of three", array("kernelSize", {3, 4, 5}), kInvalid, kNull},
        {kMask, kA2, "stride of three", array("stride", {3, 2, 1}), kInvalid, kInvalid},
        {kMask, kA2, "mask of another shape", extent("indices", 2, 5), kInvalid, kOk},
        {kMask, kA2, "mask of other channels", extent("indices", 1, 1), kInvalid, kOk},
        {kMask, kA2, "strided mask",
         [](CallSpec& c) {
           c.tensor("indices").strides = dense({2, 3, 12, 200});
           c.tensor("indices").storage = {2, 3, 12, 200};
         },
         kInvalid, kOk},

        {kUp, kInference, "same extents, INT32",
         [](CallSpec& c) {
           unscaled(c);
           c.of_type(ACL_DOUBLE);
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, any format",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").format = ACL_FORMAT_NHWC;
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, out of another rank",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").shape = {2, 3};
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, out of another shape",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").shape = {2, 3, 4, 6};
         },
         kInvalid, kOk},
        {kUp, kA2, "same extents, DOUBLE, A2",
         [](CallSpec& c) {
           unscaled(c);
           c.of_type(ACL_DOUBLE);
         },
         kInvalid, kInvalid},
        {kUp, kA2, "ND", format(ACL_FORMAT_ND), kInvalid, kOk},
        {Op::upsample_bilinear2d, kA2, "ND", format(ACL_FORMAT_ND), kInvalid, kOk},
        {kUp, kA2, "no samples", no_samples, kInvalid, kOk},
        {kUp, kA2, "no rows",
         [](CallSpec& c) {
           set_axis(c, 2, 0);
           c.array("inputSize").values[2] = 0;
         },
         kInvalid, kInvalid},
        {kUp, kA2, "NaN scale", [](CallSpec& c) { c.scale_h = std::nan(""); }, kInvalid, kOk},
        {kUp, kA1, "infinite scale", [](CallSpec& c) { c.scale_w = HUGE_VAL; }, kInvalid, kOk},
        {kUp, kA2, "an extent of 2^31",
         [](CallSpec& c) {
           set_axis(c, 0, std::int64_t{1} << 31);
           c.array("inputSize").values[0] = std::int64_t{1} << 31;
         },
         kOk, kInvalid},

        {kPad, kA2, "BF16, small padding", [](CallSpec& c) { c.of_type(ACL_BF16); }, kInvalid, kOk},
        {kPad, kA2, "BF16, large padding",
         [](CallSpec& c) {
           c.of_type(ACL_BF16);
           c.array("padding").values[0] = 8;
         },
         kInvalid, kInvalid},
        {kPad, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kInner},
        {kPad, kA2, "cropped to nothing",
         [](CallSpec& c) {
           c.array("padding").values = {-2, -3, 0, 0};
           c.tensor("gradOutput").shape = {2, 3, 4, 0};
         },
         kInvalid, kOk},
        {kPad, kA2, "padding of the extent",
         [](CallSpec& c) {
           c.array("padding").values = {5, 0, 0, 0};
           c.tensor("gradOutput").shape = {2, 3, 4, 10};
         },
         kInvalid, kOk},
        {kPad, kA2, "other channels", extent("gradOutput", 1, 4), kInvalid, kInner},
    };
    for (const Op op : {kArgmax, kMask, kUp, kPad, kAdaptive}) {
      const auto with_format = [=](void (*edit)(CallSpec&)) {
        return [=](CallSpec& c) {
          if (op == kMask) c.of_format(ACL_FORMAT_NCHW);
          edit(c);
        };
      };
      list.insert(
          list.end(),
          {{op, kA2, "view beyond its storage", with_format(storage_too_small), kInvalid, kOk},
           {op, kA2, "strided view outside", with_format(strided_outside), kInvalid, kInner},
           {op, kA2, "negative stride", with_format(backwards), kInvalid, kOk},
           {op, kA2, "output overlaps itself", with_format(overlapping_output), kInvalid, kOk},
           {op, kA2, "output shares memory", with_format(aliased), kInvalid, kOk}});
    }
    for (std::size_t i = 0, count = list.size(); i < count; ++i) {
      if (list[i].op != kUp) continue;
      list.push_back(list[i]);
      list.back().op = Op::upsample_bilinear2d_backward_first;
    }
    return list;
  }();
  return all;
}

TEST(Conformance, EachDifferenceIsJudgedAsStated) {
  for (const char* product : {kA1, kInference, kA2}) {
    const AsProduct as(product);
    for (const Judged& row : rows()) {
      if (std::string(row.product) != product) continue;
      SCOPED_TRACE(std::string(api_name(row.op)) + " on " + product + ": " + row.what);
      CallSpec call = valid(row.op);
      row.edit(call);

      ASSERT_EQ(gradproof_set_conformance("documented"), ACL_SUCCESS);
      const Phase1 documented = probe(call);
      EXPECT_EQ(documented.status, row.documented) << documented.message;
      const bool taken = documented.status != kOk && row.cann == kOk;
      EXPECT_EQ(documented.message.find("; CANN accepts this call") != std::string::npos, taken)
          << documented.message;

      ASSERT_EQ(gradproof_set_conformance("cann"), ACL_SUCCESS);
      const Phase1 cann = get_workspace_size(call);
      EXPECT_EQ(cann.status, row.cann) << cann.message;
      if (row.later != kOk) {
        EXPECT_EQ(run(row.op, nullptr, 0, cann.executor, nullptr), row.later) << recent_message();
      }
      if (cann.executor) aclDestroyAclOpExecutor(cann.executor);
    }
  }
}

TEST(Conformance, ChannelsOfRank3AreRefusedAfterTheSizeWasWritten) {
  const AsProduct as(kA2, "cann");
  CallSpec call = valid(kPad);
  drop_batch(call);
  set_axis(call, 0, 0);
  const Phase1 got = probe(call);
  EXPECT_EQ(got.status, kInvalid);
  EXPECT_TRUE(got.touched);
  EXPECT_NE(got.message.find("; the documents accept this call"), std::string::npos) << got.message;
}

TEST(Conformance, AFailedPhase2EndsItsExecutor) {
  for (const bool cann : {false, true}) {
    const AsProduct as(kA2, cann ? "cann" : "documented");
    const Phase1 once = get_workspace_size(valid(kPad)), often = get_workspace_size(valid(kPad));
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(often.executor), kOk);
    EXPECT_EQ(run(kPad, nullptr, 0, once.executor, nullptr), kNull);  // no data
    EXPECT_EQ(run(kPad, nullptr, 0, once.executor, nullptr), cann ? kInvalid : kNull);
    EXPECT_EQ(run(kPad, nullptr, 0, often.executor, nullptr), kNull);
    EXPECT_EQ(run(kPad, nullptr, 0, often.executor, nullptr), kNull);
    EXPECT_EQ(aclDestroyAclOpExecutor(often.executor), kOk);
    EXPECT_EQ(aclDestroyAclOpExecutor(once.executor), kOk);
    EXPECT_EQ(aclDestroyAclOpExecutor(once.executor), cann ? kOk : kInvalid);
    EXPECT_EQ(aclDestroyTensor(nullptr), cann ? kOk : kNull);
    EXPECT_EQ(aclDestroyIntArray(nullptr), cann ? kOk : kNull);
  }
}

TEST(Conformance, AddressesAreSetAsCannDoes) {
  const std::int64_t shape[] = {2};
  aclTensor* const tensor =
      aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr);
  for (const bool cann : {false, true}) {
    const AsProduct as(kA2, cann ? "cann" : "documented");
    const Phase1 call = get_workspace_size(valid(kPad));
    EXPECT_EQ(aclSetInputTensorAddr(call.executor, 7, tensor, nullptr), cann ? kOk : kInvalid);
    EXPECT_NE(aclSetInputTensorAddr(nullptr, 0, nullptr, nullptr), kOk);
    EXPECT_EQ(recent_message().find("tensor is null") != std::string::npos, cann);
    EXPECT_EQ(aclDestroyAclOpExecutor(call.executor), kOk);
  }
  EXPECT_EQ(aclDestroyTensor(tensor), kOk);
}

TEST(Conformance, ConfigurationFilesHaveAResolvedName) {
  const int file = memfd_create("configuration", 0);
  ASSERT_EQ(write(file, "{}", 2), 2);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  setenv("GRADPROOF_CONFORMANCE", "cann", 1);
  EXPECT_EQ(aclInit(path.c_str()), ACL_ERROR_INVALID_FILE);
  unsetenv("GRADPROOF_CONFORMANCE");
  close(file);
}

TEST(Conformance, IsReadAndChosenByName) {
  EXPECT_STREQ(gradproof_conformance(), "documented");
  EXPECT_EQ(gradproof_set_conformance("cann"), ACL_SUCCESS);
  EXPECT_STREQ(gradproof_conformance(), "cann");
  EXPECT_EQ(gradproof_set_conformance("other"), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(recent_message().find("other, not documented or cann"), std::string::npos);
  EXPECT_EQ(gradproof_set_conformance(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(gradproof_conformance(), "cann");
  EXPECT_EQ(gradproof_set_conformance("documented"), ACL_SUCCESS);
}

TEST(Conformance, ADeferredRefusalSaysWhen) {
  CallSpec call = valid(kArgmax);
  call.tensor("gradOutput").shape[3] = call.tensor("indices").shape[3] = 4;
  const std::string message = probe(call).message;
  EXPECT_NE(message.find("; CANN accepts this call in phase 1 and answers 561103 in phase 2"),
            std::string::npos)
      << message;
}

TEST(Conformance, WhatTheOtherRefusesIsNotedOncePerPlace) {
  setenv("GRADPROOF_LOG", "info", 1);
  setenv("GRADPROOF_CONFORMANCE", "cann", 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  CallSpec call = valid(kUp);
  call.of_format(ACL_FORMAT_ND);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(probe(call).status, kOk);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  unsetenv("GRADPROOF_LOG");
  unsetenv("GRADPROOF_CONFORMANCE");
  const std::size_t first =
      said.find("the documents refuse this: aclnnUpsampleBilinear2dBackwardV2: format");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("the documents refuse this", first + 1), std::string::npos) << said;
}

}  // namespace
}  // namespace gradproof::test
