// The table of differences: each call as the documents judge it, and as CANN does.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "gradproof/config.h"
#include "tests/ops/conformance_rows.h"

namespace gradproof::test {
namespace {

TEST(Conformance, EachDifferenceIsJudgedAsStated) {
  for (const char* product : {kA1, kInference, kA2}) {
    const AsProduct as(product);
    for (const Judged& row : rows()) {
      if (std::string(row.product) != product) continue;
      SCOPED_TRACE(std::string(api_name(row.op)) + " on " + product + ": " + row.what);
      const CallSpec call = call_of(row);
      ASSERT_EQ(gradproof_set_conformance("documented"), ACL_SUCCESS);
      const Phase1 documented = probe(call);
      EXPECT_EQ(documented.status, row.documented) << documented.message;
      const bool taken = documented.status != kOk && row.cann == kOk;
      EXPECT_EQ(documented.message.find("; accepted by CANN") != std::string::npos, taken)
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
  EXPECT_EQ(gradproof_set_option("conformance", nullptr), ACL_SUCCESS);
}

TEST(Conformance, ChannelsOfRank3AreRefusedAfterTheSizeWasWritten) {
  const AsProduct as(kA2, "cann");
  CallSpec call = valid(kPad);
  drop_batch(call);
  set_axis(call, 0, 0);
  const Phase1 got = probe(call);
  EXPECT_EQ(got.status, kInvalid);
  EXPECT_TRUE(got.touched);
  EXPECT_NE(got.message.find("; accepted by the documents"), std::string::npos) << got.message;
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
  EXPECT_NE(recent_message().find("must be documented or cann"), std::string::npos);
  EXPECT_EQ(gradproof_set_conformance(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(gradproof_conformance(), "cann");
  EXPECT_EQ(gradproof_set_option("conformance", nullptr), ACL_SUCCESS);
  EXPECT_STREQ(gradproof_conformance(), "documented");
}

TEST(Conformance, ADeferredRefusalSaysWhen) {
  CallSpec call = valid(kArgmax);
  call.tensor("gradOutput").shape[3] = call.tensor("indices").shape[3] = 4;
  const std::string message = probe(call).message;
  EXPECT_NE(message.find("; accepted by CANN in phase 1, refused in phase 2 with 561103"),
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
      said.find("refused by the documents: aclnnUpsampleBilinear2dBackwardV2: format");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("refused by the documents", first + 1), std::string::npos) << said;
}

}  // namespace
}  // namespace gradproof::test
