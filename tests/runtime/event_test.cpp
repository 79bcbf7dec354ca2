// Events: recording, waiting across streams, querying, time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "acl/acl.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"
#include "tests/runtime/gate.h"

namespace gradproof::test {
namespace {

class EventTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtCreateStream(&first_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&second_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event_), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtDestroyStream(first_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(second_), ACL_SUCCESS);
    if (event_ != nullptr) {
      EXPECT_EQ(aclrtDestroyEvent(event_), ACL_SUCCESS);
    }
  }
  aclrtEventRecordedStatus status() {
    aclrtEventRecordedStatus s{};
    EXPECT_EQ(aclrtQueryEventStatus(event_, &s), ACL_SUCCESS);
    return s;
  }
  void block(aclrtStream stream) {
    ASSERT_EQ(run_on(stream,
                     [this](const Binding&) {
                       gate_.wait();
                       return Status();
                     }),
              ACLNN_SUCCESS);
  }
  void set(aclrtStream stream, std::atomic<bool>& flag) {
    ASSERT_EQ(run_on(stream,
                     [&](const Binding&) {
                       flag = true;
                       return Status();
                     }),
              ACLNN_SUCCESS);
  }

  aclrtStream first_ = nullptr;
  aclrtStream second_ = nullptr;
  aclrtEvent event_ = nullptr;
  Gate gate_;
};

TEST_F(EventTest, CompletesWhenItsStreamGetsThere) {
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  block(first_);
  ASSERT_EQ(aclrtRecordEvent(event_, first_), ACL_SUCCESS);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  aclrtEventStatus older = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEvent(event_, &older), ACL_SUCCESS);
  EXPECT_EQ(older, ACL_EVENT_STATUS_NOT_READY);
  gate_.open();
  EXPECT_EQ(aclrtSynchronizeEvent(event_), ACL_SUCCESS);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtQueryEvent(event_, &older), ACL_SUCCESS);
  EXPECT_EQ(older, ACL_EVENT_STATUS_COMPLETE);
}

TEST_F(EventTest, HoldsAnotherStreamAndNotItsCaller) {
  std::atomic<bool> before{false};
  std::atomic<bool> after{false};
  block(first_);
  set(first_, before);
  ASSERT_EQ(aclrtRecordEvent(event_, first_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(second_, event_), ACL_SUCCESS);
  ASSERT_EQ(run_on(second_,
                   [&](const Binding&) {
                     after = before.load();
                     return Status();
                   }),
            ACLNN_SUCCESS);
  std::thread opener([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    gate_.open();
  });
  // The caller does the second stream's work, and waits in it for the first's thread.
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
  EXPECT_TRUE(after);
  opener.join();
}

TEST_F(EventTest, WaitsKeepTheRecordThatTheyWereGiven) {
  block(first_);
  ASSERT_EQ(aclrtRecordEvent(event_, first_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(second_, event_), ACL_SUCCESS);
  std::atomic<bool> passed{false};
  set(second_, passed);
  ASSERT_EQ(aclrtRecordEvent(event_, nullptr), ACL_SUCCESS);  // done at once, elsewhere
  ASSERT_EQ(aclrtSynchronizeEvent(event_), ACL_SUCCESS);
  EXPECT_FALSE(passed);
  gate_.open();
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
  EXPECT_TRUE(passed);
}

TEST_F(EventTest, MayBeDestroyedWhileStreamsUseIt) {
  block(first_);
  ASSERT_EQ(aclrtRecordEvent(event_, first_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(second_, event_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event_), ACL_SUCCESS);
  EXPECT_ERROR(aclrtDestroyEvent(event_), ACL_ERROR_INVALID_RESOURCE_HANDLE, "destroyed");
  event_ = nullptr;
  gate_.open();
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
}

TEST_F(EventTest, StreamsMayWaitForEachOtherInTurn) {
  for (int i = 0; i < 200; ++i) {
    aclrtStream from = i % 2 == 0 ? first_ : second_;
    aclrtStream to = i % 2 == 0 ? second_ : first_;
    ASSERT_EQ(aclrtRecordEvent(event_, from), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(to, event_), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStream(first_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
}

TEST_F(EventTest, MeasuresTime) {
  aclrtEvent end = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  float ms = -1;
  ASSERT_EQ(aclrtRecordEvent(event_, first_), ACL_SUCCESS);
  EXPECT_ERROR(aclrtEventElapsedTime(&ms, event_, end), ACL_ERROR_INVALID_PARAM, "never recorded");
  ASSERT_EQ(run_on(first_,
                   [](const Binding&) {
                     std::this_thread::sleep_for(std::chrono::milliseconds(5));
                     return Status();
                   }),
            0);
  block(first_);
  ASSERT_EQ(aclrtRecordEvent(end, first_), ACL_SUCCESS);
  EXPECT_ERROR(aclrtEventElapsedTime(&ms, event_, end), ACL_ERROR_INVALID_PARAM, "not complete");
  EXPECT_EQ(ms, -1);
  gate_.open();
  ASSERT_EQ(aclrtSynchronizeStream(first_), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event_, end), ACL_SUCCESS);
  EXPECT_GE(ms, 5);
  EXPECT_LT(ms, 60000);
  float backwards = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&backwards, end, event_), ACL_SUCCESS);
  EXPECT_EQ(backwards, -ms);
  EXPECT_ERROR(aclrtEventElapsedTime(nullptr, event_, end), ACL_ERROR_INVALID_PARAM, "ms is null");
  EXPECT_EQ(aclrtDestroyEvent(end), ACL_SUCCESS);
}

TEST_F(EventTest, NeverRecordedCannotBeAwaited) {
  EXPECT_ERROR(aclrtStreamWaitEvent(first_, event_), ACL_ERROR_INVALID_PARAM, "never recorded");
  EXPECT_ERROR(aclrtSynchronizeEvent(event_), ACL_ERROR_INVALID_PARAM, "never recorded");
}

TEST_F(EventTest, FlagsOfPublicClientsAreTaken) {
  for (const std::uint32_t flag : {0x0u, 0x4u, 0xEu, 0xFu, 0x10u, 0x20u}) {
    aclrtEvent made = nullptr;
    ASSERT_EQ(aclrtCreateEventWithFlag(&made, flag), ACL_SUCCESS) << flag;
    EXPECT_EQ(aclrtDestroyEvent(made), ACL_SUCCESS) << flag;
  }
}

TEST_F(EventTest, HandlesAndArgumentsAreChecked) {
  aclrtEventRecordedStatus s{};
  aclrtEventStatus older{};
  float ms = 0;
  aclrtEvent none = nullptr;
  EXPECT_ERROR(aclrtCreateEvent(nullptr), ACL_ERROR_INVALID_PARAM, "event is null");
  EXPECT_ERROR(aclrtCreateEventWithFlag(&none, ACL_EVENT_IPC), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               "events cannot be shared between processes");
  EXPECT_ERROR(aclrtCreateEventWithFlag(&none, 0x80), ACL_ERROR_INVALID_PARAM, "flag is 0x80");
  EXPECT_ERROR(aclrtRecordEvent(first_, first_), ACL_ERROR_INVALID_RESOURCE_HANDLE,
               "is an aclrtStream, not an aclrtEvent");
  EXPECT_ERROR(aclrtRecordEvent(nullptr, first_), ACL_ERROR_INVALID_PARAM, "event is null");
  EXPECT_ERROR(aclrtRecordEvent(event_, event_), ACL_ERROR_INVALID_RESOURCE_HANDLE,
               "is an aclrtEvent, not an aclrtStream");
  // That record failed, so there is still none.
  EXPECT_ERROR(aclrtStreamWaitEvent(first_, event_), ACL_ERROR_INVALID_PARAM, "never recorded");
  ASSERT_EQ(aclrtRecordEvent(event_, first_), ACL_SUCCESS);
  EXPECT_ERROR(aclrtStreamWaitEvent(event_, event_), ACL_ERROR_INVALID_RESOURCE_HANDLE, "stream");
  EXPECT_ERROR(aclrtStreamWaitEvent(first_, nullptr), ACL_ERROR_INVALID_PARAM, "event is null");
  EXPECT_ERROR(aclrtQueryEventStatus(event_, nullptr), ACL_ERROR_INVALID_PARAM, "status is null");
  EXPECT_ERROR(aclrtQueryEventStatus(nullptr, &s), ACL_ERROR_INVALID_PARAM, "event is null");
  EXPECT_ERROR(aclrtQueryEvent(first_, &older), ACL_ERROR_INVALID_RESOURCE_HANDLE, "event");
  EXPECT_ERROR(aclrtSynchronizeEvent(nullptr), ACL_ERROR_INVALID_PARAM, "event is null");
  EXPECT_ERROR(aclrtEventElapsedTime(&ms, nullptr, event_), ACL_ERROR_INVALID_PARAM, "null");
  EXPECT_ERROR(aclrtDestroyEvent(nullptr), ACL_ERROR_INVALID_PARAM, "event is null");
}

}  // namespace
}  // namespace gradproof::test
