// Executors: phase 2's misuse table, consumption, repetition, addresses.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "acl/acl.h"
#include "gradproof/config.h"
#include "opt/runtime/executor.h"
#include "opt/runtime/tensor.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"
#include "tests/runtime/gate.h"

namespace gradproof::test {
namespace {

/// A call in the manner of a gradient: gradOutput read, self described, indices read, gradInput
/// written; it leaves the binding of its latest run in `seen`.
class ExecutorTest : public ::testing::Test {
 protected:
  std::shared_ptr<PlannedCall> gradient(std::uint64_t workspace = 0) {
    auto call = call_of([this](const Binding& binding) {
      const std::lock_guard lock(mutex_);
      seen_ = binding;
      ++runs_;
      return Status();
    });
    call->workspace_bytes = workspace;
    call->operand_count = 4;
    call->operands = {{{"gradOutput", Access::read, false, &memory_[0]},
                       {"self", Access::described, false, nullptr},
                       {"indices", Access::read, false, &memory_[1]},
                       {"gradInput", Access::written, false, &memory_[2]}}};
    return call;
  }
  int sync() { return aclrtSynchronizeStream(nullptr); }

  std::byte memory_[8]{};
  std::mutex mutex_;  ///< of the two: streams run calls at once
  Binding seen_;
  int runs_ = 0;
};

TEST_F(ExecutorTest, HandsOutSizeAndExecutor) {
  std::uint64_t bytes = 99;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(hand_out(gradient(48), &bytes, &executor), ACLNN_SUCCESS);
  EXPECT_EQ(bytes, 48u);
  ASSERT_NE(executor, nullptr);
  EXPECT_EQ(launch(kApi, memory_, 48, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(seen_.data[0], &memory_[0]);
  EXPECT_EQ(seen_.data[1], nullptr);
  EXPECT_EQ(seen_.data[3], &memory_[2]);
  EXPECT_EQ(seen_.workspace, memory_);
}

TEST_F(ExecutorTest, IsConsumedByItsFirstRun) {
  aclOpExecutor* executor = executor_of(gradient());
  ASSERT_EQ(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "aclnnFake: executor");
  EXPECT_ERROR(aclDestroyAclOpExecutor(executor), ACLNN_ERR_PARAM_INVALID, "consumed");
  EXPECT_ERROR(aclSetAclOpExecutorRepeatable(executor), ACLNN_ERR_PARAM_INVALID, "consumed");
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(runs_, 1);
}

TEST_F(ExecutorTest, SaysThatInCannAFailedPhase2ConsumesIt) {
  ASSERT_EQ(gradproof_set_conformance("cann"), ACL_SUCCESS);
  aclOpExecutor* executor = executor_of(gradient(64));
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_NULLPTR, "workspace");
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "consumed by its phase 2 (in the conformance cann also by a phase 2 that failed)");
  ASSERT_EQ(gradproof_set_option("conformance", nullptr), ACL_SUCCESS);
}

/// One workspace for two streams; `busy` holds the first stream's work up.
class SharedWorkspace : public ExecutorTest {
 protected:
  void SetUp() override {
    for (aclrtStream& stream : streams_) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    auto call = call_of([this](const Binding&) {
      busy_.wait();
      return Status();
    });
    call->api = "aclnnBusy";
    call->workspace_bytes = 64;
    ASSERT_EQ(launch("aclnnBusy", room_, 64, executor_of(std::move(call)), streams_[0]), 0);
  }
  void TearDown() override {
    busy_.open();
    for (const aclrtStream stream : streams_) EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }

  Gate busy_;
  aclrtStream streams_[2]{};
  std::byte room_[256]{};
};

TEST_F(SharedWorkspace, ThatIsInUseOnAnotherStreamIsRefused) {
  aclOpExecutor* executor = executor_of(gradient(32));
  for (const int at : {0, 32, 63}) {
    EXPECT_ERROR(launch(kApi, room_ + at, 32, executor, streams_[1]), ACLNN_ERR_PARAM_INVALID,
                 "is in use by aclnnBusy on stream ");
  }
  EXPECT_ERROR(launch(kApi, room_, 32, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "aclnnFake: workspace (32 bytes at ");
  // Beside it, on the same stream, and when the work is done, it is free.
  EXPECT_EQ(launch(kApi, room_ + 64, 32, executor, streams_[1]), ACLNN_SUCCESS);
  EXPECT_EQ(launch(kApi, room_, 32, executor_of(gradient(32)), streams_[0]), ACLNN_SUCCESS);
  busy_.open();
  EXPECT_EQ(aclrtSynchronizeStream(streams_[0]), ACL_SUCCESS);
  EXPECT_EQ(launch(kApi, room_, 32, executor_of(gradient(32)), streams_[1]), ACLNN_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(streams_[1]), ACL_SUCCESS);
}

TEST_F(SharedWorkspace, IsAcceptedWhereAnEventOrdersTheCalls) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, streams_[0]), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(streams_[1], event), ACL_SUCCESS);
  EXPECT_EQ(launch(kApi, room_, 32, executor_of(gradient(32)), streams_[1]), ACLNN_SUCCESS);
  busy_.open();
  EXPECT_EQ(aclrtSynchronizeStream(streams_[1]), ACL_SUCCESS);
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(ExecutorTest, WorkspaceInAnOperandIsRefused) {
  auto call = gradient(4);
  for (const std::size_t i : {0u, 2u, 3u}) call->operands[i].end = 1;  // bytes 0, 1 and 2
  aclOpExecutor* executor = executor_of(std::move(call));
  EXPECT_ERROR(launch(kApi, &memory_[0], 4, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "overlaps the data of gradOutput");
  EXPECT_ERROR(launch(kApi, &memory_[1], 4, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "overlaps the data of indices");
  EXPECT_ERROR(launch(kApi, &memory_[2], 4, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "overlaps the data of gradInput");
  EXPECT_EQ(launch(kApi, &memory_[3], 4, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
}

TEST_F(ExecutorTest, NewAddressesMayNotLetTheResultMeetItsInputs) {
  auto call = gradient();
  for (const std::size_t i : {0u, 2u, 3u}) call->operands[i].end = 2;
  call->operands[2].data = &memory_[2];
  call->operands[3].data = &memory_[4];
  aclOpExecutor* executor = executor_of(std::move(call));
  const std::int64_t shape[]{2};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, shape, 1, memory_);
  ASSERT_EQ(aclSetOutputTensorAddr(executor, 0, tensor, &memory_[3]), ACLNN_SUCCESS);
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "gradInput overlaps the data of indices");
  ASSERT_EQ(aclSetOutputTensorAddr(executor, 0, tensor, &memory_[1]), ACLNN_SUCCESS);
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "gradInput overlaps the data of gradOutput");
  ASSERT_EQ(aclSetOutputTensorAddr(executor, 0, tensor, &memory_[6]), ACLNN_SUCCESS);
  EXPECT_EQ(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(ExecutorTest, MisuseInTheContractsOrderAndWithoutConsuming) {
  aclrtStream dead = nullptr;
  ASSERT_EQ(aclrtCreateStream(&dead), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(dead), ACL_SUCCESS);
  aclOpExecutor* executor = executor_of(gradient(16));
  const char* other = "aclnnOther";

  EXPECT_ERROR(launch(kApi, memory_, 16, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
               "executor is null");
  EXPECT_ERROR(launch(kApi, memory_, 16, reinterpret_cast<aclOpExecutor*>(memory_), dead),
               ACLNN_ERR_PARAM_INVALID, "not an aclOpExecutor");
  EXPECT_ERROR(launch(other, nullptr, 0, executor, dead), ACLNN_ERR_PARAM_NULLPTR,
               "workspace is null");
  EXPECT_ERROR(launch(other, memory_, 15, executor, dead), ACLNN_ERR_PARAM_INVALID,
               "workspaceSize is 15");
  EXPECT_ERROR(launch(other, memory_, 16, executor, dead), ACLNN_ERR_PARAM_INVALID,
               "executor belongs to aclnnFake");
  EXPECT_ERROR(launch(kApi, memory_, 16, executor, dead), ACLNN_ERR_RUNTIME_ERROR, "stream");
  EXPECT_ERROR(launch(kApi, memory_, 16, executor, memory_), ACLNN_ERR_RUNTIME_ERROR,
               "not an aclrtStream");
  EXPECT_EQ(launch(kApi, memory_, 17, executor, nullptr), ACLNN_SUCCESS);  // more is fine
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(runs_, 1);
}

TEST_F(ExecutorTest, NullDataOfWhatIsReadOrWritten) {
  for (const std::size_t i : {0u, 2u, 3u}) {
    auto call = gradient(16);
    call->operands[i].data = nullptr;
    const char* name = call->operands[i].name;
    aclOpExecutor* executor = executor_of(std::move(call));
    // Null comes before the too small workspace.
    EXPECT_ERROR(launch(kApi, memory_, 0, executor, nullptr), ACLNN_ERR_PARAM_NULLPTR, name);
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  }
  auto empty = gradient();
  for (Operand& operand : empty->operands) operand = {operand.name, operand.access, true, nullptr};
  EXPECT_EQ(launch(kApi, nullptr, 0, executor_of(std::move(empty)), nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
}

TEST_F(ExecutorTest, RepeatableRunsUntilDestroyed) {
  aclOpExecutor* executor = executor_of(gradient());
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_SUCCESS);
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);  // in flight
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(runs_, 3);
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_INVALID, "executor");
  EXPECT_ERROR(aclDestroyAclOpExecutor(executor), ACLNN_ERR_PARAM_INVALID, "destroyed");
}

TEST_F(ExecutorTest, PlanGoesWithItsLastUse) {
  const auto alive = std::make_shared<int>(1);
  aclOpExecutor* executor = executor_of(call_of([alive](const Binding&) { return Status(); }));
  EXPECT_EQ(alive.use_count(), 2);
  ASSERT_EQ(launch(kApi, nullptr, 0, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(alive.use_count(), 1);
  executor = executor_of(call_of([alive](const Binding&) { return Status(); }));
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  EXPECT_EQ(alive.use_count(), 1);
}

class AddressTest : public ExecutorTest {
 protected:
  void SetUp() override {
    const std::int64_t one = 1;
    tensor_ = aclCreateTensor(&one, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &one, 1, nullptr);
    executor_ = executor_of(gradient());
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor_), ACLNN_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclDestroyTensor(tensor_), ACLNN_SUCCESS);
    EXPECT_EQ(aclDestroyAclOpExecutor(executor_), ACLNN_SUCCESS);
  }
  Binding run() {
    EXPECT_EQ(launch(kApi, nullptr, 0, executor_, nullptr), ACLNN_SUCCESS);
    EXPECT_EQ(sync(), ACL_SUCCESS);
    return seen_;
  }

  aclTensor* tensor_ = nullptr;
  aclOpExecutor* executor_ = nullptr;
};

TEST_F(AddressTest, IndexCountsParametersInputsOrOutputs) {
  EXPECT_EQ(aclSetTensorAddr(executor_, 2, tensor_, &memory_[4]), ACLNN_SUCCESS);
  EXPECT_EQ(run().data[2], &memory_[4]);
  EXPECT_EQ(find(tensor_).beside().data, &memory_[4]);  // the tensor follows, as in CANN
  EXPECT_EQ(aclSetTensorAddr(executor_, 3, tensor_, &memory_[5]), ACLNN_SUCCESS);
  EXPECT_EQ(run().data[3], &memory_[5]);
  EXPECT_EQ(aclSetInputTensorAddr(executor_, 0, tensor_, &memory_[6]), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetInputTensorAddr(executor_, 2, tensor_, &memory_[7]), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetOutputTensorAddr(executor_, 0, tensor_, &memory_[1]), ACLNN_SUCCESS);
  const Binding bound = run();
  EXPECT_EQ(bound.data[0], &memory_[6]);
  EXPECT_EQ(bound.data[2], &memory_[7]);
  EXPECT_EQ(bound.data[3], &memory_[1]);
}

TEST_F(AddressTest, EnqueuedWorkKeepsItsAddresses) {
  Gate gate;
  ASSERT_EQ(run_on(nullptr,
                   [&](const Binding&) {
                     gate.wait();
                     return Status();
                   }),
            ACLNN_SUCCESS);
  ASSERT_EQ(launch(kApi, nullptr, 0, executor_, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetTensorAddr(executor_, 0, tensor_, &memory_[4]), ACLNN_SUCCESS);
  gate.open();
  EXPECT_EQ(sync(), ACL_SUCCESS);
  EXPECT_EQ(seen_.data[0], &memory_[0]);
  EXPECT_EQ(run().data[0], &memory_[4]);
}

TEST_F(AddressTest, NullAddressIsPhaseTwosToRefuse) {
  EXPECT_EQ(aclSetTensorAddr(executor_, 0, tensor_, nullptr), ACLNN_SUCCESS);
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor_, nullptr), ACLNN_ERR_PARAM_NULLPTR, "gradOutput");
  EXPECT_EQ(aclSetTensorAddr(executor_, 0, tensor_, &memory_[0]), ACLNN_SUCCESS);
  run();
}

TEST_F(AddressTest, RefusesBadIndexesAndHandles) {
  EXPECT_ERROR(aclSetTensorAddr(executor_, 4, tensor_, memory_), ACLNN_ERR_PARAM_INVALID,
               "index is 4");
  EXPECT_ERROR(aclSetInputTensorAddr(executor_, 3, tensor_, memory_), ACLNN_ERR_PARAM_INVALID,
               "aclSetInputTensorAddr: index is 3");
  EXPECT_ERROR(aclSetOutputTensorAddr(executor_, 1, tensor_, memory_), ACLNN_ERR_PARAM_INVALID,
               "index is 1");
  EXPECT_ERROR(aclSetTensorAddr(executor_, ~std::size_t{0}, tensor_, memory_),
               ACLNN_ERR_PARAM_INVALID, "index");
  EXPECT_ERROR(aclSetTensorAddr(nullptr, 0, tensor_, memory_), ACLNN_ERR_INNER_NULLPTR,
               "executor is null");
  EXPECT_ERROR(aclSetTensorAddr(executor_, 0, nullptr, memory_), ACLNN_ERR_INNER_NULLPTR,
               "tensor is null");
  EXPECT_ERROR(aclSetTensorAddr(reinterpret_cast<aclOpExecutor*>(tensor_), 0, tensor_, memory_),
               ACLNN_ERR_PARAM_INVALID, "is an aclTensor");
  EXPECT_ERROR(aclSetTensorAddr(executor_, 0, reinterpret_cast<aclTensor*>(executor_), memory_),
               ACLNN_ERR_PARAM_INVALID, "is an aclOpExecutor");
  EXPECT_ERROR(aclSetAclOpExecutorRepeatable(nullptr), ACLNN_ERR_INNER_NULLPTR, "executor is null");
  EXPECT_ERROR(aclDestroyAclOpExecutor(nullptr), ACLNN_ERR_INNER_NULLPTR, "executor is null");
  EXPECT_EQ(run().data[0], &memory_[0]);  // nothing of it changed an address
}

}  // namespace
}  // namespace gradproof::test
