// Streams: order, asynchrony, errors, time limits, ends.
#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"
#include "tests/runtime/gate.h"

namespace gradproof::test {
namespace {

class StreamTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS); }
  void TearDown() override {
    if (stream_ != nullptr) {
      EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    }
  }
  aclrtStreamStatus query() {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
    return status;
  }

  aclrtStream stream_ = nullptr;
};

TEST_F(StreamTest, RunsInOrderThroughManyTasks) {
  std::vector<int> seen;
  for (int i = 0; i < 1000; ++i) {  // more than the queue's first size
    ASSERT_EQ(run_on(stream_,
                     [&seen, i](const Binding&) {
                       seen.push_back(i);
                       return Status();
                     }),
              ACLNN_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST_F(StreamTest, WorkIsNotDoneWhenTheCallReturns) {
  Gate gate;
  std::atomic<bool> done{false};
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     gate.wait();
                     done = true;
                     return Status();
                   }),
            ACLNN_SUCCESS);
  EXPECT_FALSE(done);
  EXPECT_EQ(query(), ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_TRUE(done);
  EXPECT_EQ(query(), ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(StreamTest, WorkIsDoneWithoutAnybodyWaiting) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> done{false};
  std::atomic<bool> on_caller{false};
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     on_caller = std::this_thread::get_id() == caller;
                     done = true;
                     return Status();
                   }),
            ACLNN_SUCCESS);
  while (!done) std::this_thread::yield();
  EXPECT_FALSE(on_caller);
}

TEST_F(StreamTest, WakesUpAfterALongRest) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::atomic<bool> done{false};
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     done = true;
                     return Status();
                   }),
            ACLNN_SUCCESS);
  while (!done) std::this_thread::yield();
}

TEST_F(StreamTest, StreamsDoNotHoldEachOtherUp) {
  Gate gate;
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&other, 0, ACL_STREAM_FAST_LAUNCH), ACL_SUCCESS);
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     gate.wait();
                     return Status();
                   }),
            ACLNN_SUCCESS);
  bool done = false;
  ASSERT_EQ(run_on(other,
                   [&](const Binding&) {
                     done = true;
                     return Status();
                   }),
            ACLNN_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_TRUE(done);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_F(StreamTest, FirstErrorIsReportedOnceAndTheStreamGoesOn) {
  bool later = false;
  ASSERT_EQ(run_on(stream_, [](const Binding&) { return Status(507035, "first bad index"); }), 0);
  ASSERT_EQ(run_on(stream_, [](const Binding&) { return Status(507035, "second"); }), 0);
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     later = true;
                     return Status();
                   }),
            0);
  EXPECT_ERROR(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
               "first bad index");
  EXPECT_TRUE(later);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(StreamTest, QueryDoesNotTakeTheError) {
  ASSERT_EQ(run_on(stream_, [](const Binding&) { return Status(507035, "kept"); }), 0);
  while (query() != ACL_STREAM_STATUS_COMPLETE) std::this_thread::yield();
  EXPECT_ERROR(aclrtSynchronizeStreamWithTimeout(stream_, 1000), 507035, "kept");
}

TEST_F(StreamTest, DeviceSynchronisationCoversEveryStream) {
  std::atomic<int> done{0};
  const auto body = [&](const Binding&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    // Both may run at the same time.
    const bool first = ++done == 1;
    return first ? Status(507035, "one of them") : Status();
  };
  ASSERT_EQ(run_on(nullptr, body), 0);
  ASSERT_EQ(run_on(stream_, body), 0);
  EXPECT_ERROR(aclrtSynchronizeDevice(), 507035, "one of them");
  EXPECT_EQ(done, 2);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(StreamTest, TimeLimit) {
  Gate gate;
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     gate.wait();
                     return Status();
                   }),
            0);
  EXPECT_ERROR(aclrtSynchronizeStreamWithTimeout(stream_, 0), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
               "not done after 0 ms");
  EXPECT_ERROR(aclrtSynchronizeStreamWithTimeout(stream_, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
               "5 ms");
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 60000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, -1), ACL_SUCCESS);
  EXPECT_ERROR(aclrtSynchronizeStreamWithTimeout(stream_, -2), ACL_ERROR_INVALID_PARAM,
               "timeout is -2");
}

/// With time to spare the caller does the work himself; waking a thread would cost more than it.
TEST_F(StreamTest, WorkThatIsShortBesideTheTimeIsDoneByTheCaller) {
  const auto by_caller = [&](std::uint64_t work, int timeout) {
    std::thread::id where;
    auto call = call_of([&](const Binding&) {
      where = std::this_thread::get_id();
      return Status();
    });
    call->work = work;
    // The stream's own thread must not take it first: it sleeps once it found nothing to do.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(launch(kApi, nullptr, 0, executor_of(std::move(call)), stream_), 0);
    if (aclrtSynchronizeStreamWithTimeout(stream_, timeout) != ACL_SUCCESS) {
      EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    }
    return where == std::this_thread::get_id();
  };
  int here = 0;
  // Launches wake the stream's thread, which is first now and then, on an idle machine mostly.
  for (int i = 0; i < 1000 && here == 0; ++i) here += by_caller(100 << 20, 60000);
  EXPECT_GT(here, 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(by_caller(std::numeric_limits<std::uint64_t>::max(), 60000))
        << "of unknown length";
    EXPECT_FALSE(by_caller(std::uint64_t{1} << 40, 60000)) << "too long";
  }
}

/// Whoever launches and synchronises in turn does the work in the launch, unless it is long; the
/// stream's thread does that of a launch that nobody synchronises with.
TEST_F(StreamTest, WorkIsDoneInTheLaunchWhileEachIsSynchronisedAtOnce) {
  const std::thread::id caller = std::this_thread::get_id();
  struct Done {
    std::atomic<bool> at_all{false}, by_caller{false};
  };
  const auto in_launch = [&](std::uint64_t work, Done& done) {
    auto call = call_of([&](const Binding&) {
      done.by_caller = std::this_thread::get_id() == caller;
      done.at_all = true;
      return Status();
    });
    call->work = work;
    EXPECT_EQ(launch(kApi, nullptr, 0, executor_of(std::move(call)), stream_), 0);
    return done.by_caller.load();
  };
  const auto loop = [&](std::uint64_t work, int timeout) {
    for (int i = 0; i < 10000; ++i) {  // another process may delay a synchronisation
      Done done;
      const bool now = in_launch(work, done);
      EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, timeout), ACL_SUCCESS);
      if (now) return true;
    }
    return false;
  };
  EXPECT_TRUE(loop(1 << 20, -1));
  Done first, second, third;
  (void)in_launch(1 << 20, first);
  EXPECT_FALSE(in_launch(1 << 20, second)) << "nobody synchronised with the first";
  while (!second.at_all) std::this_thread::yield();
  EXPECT_FALSE(second.by_caller);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);

  EXPECT_TRUE(loop(1 << 20, 60000));
  EXPECT_FALSE(in_launch(16 << 20, third)) << "too long";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  for (int i = 0; i < 10; ++i) {
    Done done;
    EXPECT_FALSE(in_launch(1 << 20, done) && i > 0) << "synchronised late";
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  }
}

/// A limit holds although the work waits for another stream's.
TEST_F(StreamTest, TimeLimitWhileWaitingForAnEvent) {
  Gate gate;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(run_on(nullptr,
                   [&](const Binding&) {
                     gate.wait();
                     return Status();
                   }),
            0);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, event), ACL_SUCCESS);
  EXPECT_ERROR(aclrtSynchronizeStreamWithTimeout(stream_, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
               "5 ms");
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 60000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(StreamTest, DestroyingFinishesTheWork) {
  std::atomic<int> done{0};
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(run_on(stream_,
                     [&](const Binding&) {
                       std::this_thread::sleep_for(std::chrono::microseconds(20));
                       ++done;
                       return Status();
                     }),
              0);
  }
  EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(done, 100);
  stream_ = nullptr;
}

TEST_F(StreamTest, DestroyingReportsWhatNobodyHeard) {
  ASSERT_EQ(run_on(stream_, [](const Binding&) { return Status(507035, "unheard"); }), 0);
  EXPECT_ERROR(aclrtDestroyStream(stream_), 507035, "unheard");
  EXPECT_ERROR(aclrtDestroyStream(stream_), ACL_ERROR_INVALID_RESOURCE_HANDLE, "destroyed");
  stream_ = nullptr;
}

TEST_F(StreamTest, NullIsTheDefaultStream) {
  bool done = false;
  ASSERT_EQ(run_on(nullptr,
                   [&](const Binding&) {
                     done = true;
                     return Status();
                   }),
            0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_TRUE(done);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_ERROR(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM, "stream is null");
}

TEST_F(StreamTest, HandlesAreChecked) {
  int local = 0;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_ERROR(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM, "stream is null");
  EXPECT_ERROR(aclrtSynchronizeStream(&local), ACL_ERROR_INVALID_RESOURCE_HANDLE, "aclrtStream");
  EXPECT_ERROR(aclrtSynchronizeStreamWithTimeout(&local, 1), ACL_ERROR_INVALID_RESOURCE_HANDLE,
               "aclrtSynchronizeStreamWithTimeout: stream");
  EXPECT_ERROR(aclrtStreamQuery(&local, &status), ACL_ERROR_INVALID_RESOURCE_HANDLE, "stream");
  EXPECT_ERROR(aclrtStreamQuery(stream_, nullptr), ACL_ERROR_INVALID_PARAM, "status is null");
  EXPECT_ERROR(aclrtDestroyStream(&local), ACL_ERROR_INVALID_RESOURCE_HANDLE, "not an aclrtStream");
  EXPECT_EQ(status, ACL_STREAM_STATUS_RESERVED);
}

TEST_F(StreamTest, WorkRunsInTheDefaultFloatingPointMode) {
  volatile float one = 1;
  volatile float three = 3;
  const float nearest = one / three;
  float result = 0;
  ASSERT_EQ(run_on(stream_,
                   [&](const Binding&) {
                     result = one / three;
                     return Status();
                   }),
            0);
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);  // the caller's mode is his
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(result, nearest);
}

}  // namespace
}  // namespace gradproof::test
