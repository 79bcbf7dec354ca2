// What streams cost that have nothing to do, and when work starts that nobody waits for.
#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

namespace gradproof::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of_processor() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// How often threads of this process went to sleep.
long switches() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_nvcsw;
}

}  // namespace

/// 32 streams, each with a call every 5 ms, synchronised at once or left alone: threads wake for
/// the calls and not in between. Counts of switches tell, whatever else the machine does.
void idle_streams_cost_nothing() {
  constexpr int kStreams = 32, kRounds = 100;
  std::vector<aclrtStream> streams(kStreams);
  for (aclrtStream& stream : streams) REQUIRE(aclrtCreateStream(&stream) == 0);
  std::vector<unsigned char> memory(kSlowBytes);
  std::deque<PadCall> calls;  // too long to be done inside the launch
  for (int i = 0; i < kStreams; ++i) calls.emplace_back(2);
  const auto synchronised = [&](aclrtStream stream, PadCall&) {
    REQUIRE(aclrtMemsetAsync(memory.data(), kSlowBytes, 1, kSlowBytes, stream) == 0);
    REQUIRE(aclrtSynchronizeStream(stream) == 0);
  };
  const auto left_alone = [](aclrtStream stream, PadCall& call) {
    REQUIRE(call.launch(stream) == 0);
  };
  const auto expect_few = [&](const char* what, const auto& visit) {
    const auto round = [&] {
      for (std::size_t i = 0; i < kStreams; ++i) visit(streams[i], calls[i]);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    round();
    const long before = switches();
    const double processor = seconds_of_processor();
    for (int i = 0; i < kRounds; ++i) round();
    const double per_call = static_cast<double>(switches() - before) / (kStreams * kRounds);
    std::fprintf(stderr, "a call that is %s: %.2f switches, %.1f us of processor time\n", what,
                 per_call, (seconds_of_processor() - processor) * 1e6 / (kStreams * kRounds));
    REQUIRE(per_call <= 4);  // naps of 0.1 ms for 2 ms were 20
  };
  expect_few("synchronised", synchronised);
  expect_few("left alone", left_alone);
  for (aclrtStream stream : streams) REQUIRE(aclrtSynchronizeStream(stream) == 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the threads have gone to sleep
  const long at_rest = switches();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  REQUIRE(switches() - at_rest <= 10);  // this thread's own among them
  for (aclrtStream stream : streams) REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// Work that nobody waits for starts when it is enqueued; the median, since the machine may be
/// busy.
void work_starts_at_once() {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0 && aclrtCreateEvent(&event) == 0);
  std::vector<double> late;
  for (int i = 0; i < 200; ++i) {
    PadCall call(2);  // too long to be done inside the launch
    call.clear();
    const auto begin = Clock::now();
    REQUIRE(call.launch(stream) == 0);
    volatile float* const last = call.result() + 1;
    while (*last < 0 && Clock::now() - begin < std::chrono::seconds(5)) {
    }
    late.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    REQUIRE(aclrtSynchronizeStream(stream) == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::sort(late.begin(), late.end());
  std::fprintf(stderr, "first result after %.0f us (median), %.0f us (99 %%)\n", late[100],
               late[198]);
  REQUIRE(late[100] < 100);  // naps of 0.17 ms were 130, waking takes 30
  REQUIRE(late[198] < 5e6);
  // Queries alone see it end, even in the middle of a tight loop.
  PadCall call(2);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(call.launch(stream) == 0);
    REQUIRE(aclrtSynchronizeStream(stream) == 0);
  }
  REQUIRE(call.launch(stream) == 0);
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  const auto give_up = Clock::now() + std::chrono::seconds(10);
  while (status != ACL_STREAM_STATUS_COMPLETE && Clock::now() < give_up) {
    REQUIRE(aclrtStreamQuery(stream, &status) == 0);
  }
  REQUIRE(status == ACL_STREAM_STATUS_COMPLETE);
  REQUIRE(aclrtDestroyEvent(event) == 0 && aclrtDestroyStream(stream) == 0);
}

/// A program that launches and synchronises in turn does the work itself: the stream's thread is
/// not woken, and does not wake by itself. One of many rounds shows it, whatever delays the others.
void tight_loops_wake_nobody() {
  constexpr int kRounds = 20, kCalls = 5000;
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  PadCall call(2);  // too long to be done inside any launch
  long fewest = kCalls;
  double shortest = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const long before = switches();
    const auto begin = Clock::now();
    for (int i = 0; i < kCalls; ++i) {
      REQUIRE(call.launch(stream) == 0);
      REQUIRE(aclrtSynchronizeStream(stream) == 0);
    }
    const std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    shortest = std::min(shortest, time.count() / kCalls);
    fewest = std::min(fewest, switches() - before);
  }
  std::fprintf(stderr, "%d calls: %ld switches; a call: %.1f us (least of %d rounds)\n", kCalls,
               fewest, shortest, kRounds);
  REQUIRE(fewest <= kCalls / 500);
  REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// Work that is done sooner than a thread wakes up is done inside the call that enqueues it, where
/// nothing is before it: no thread is woken. Otherwise it waits for its turn.
void quick_work_wakes_nobody() {
  constexpr int kRounds = 200;
  aclrtStream stream = nullptr, slow_stream = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0 && aclrtCreateStream(&slow_stream) == 0);
  REQUIRE(aclrtCreateEvent(&event) == 0);
  PadCall call(1), slow(256);
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the threads have gone to sleep
  const long before = switches();
  for (int i = 0; i < kRounds; ++i) {
    call.clear();
    REQUIRE(call.launch(stream) == 0 && call.done());
    unsigned char byte = 0;
    REQUIRE(aclrtMemsetAsync(&byte, 1, 1, 1, stream) == 0 && byte == 1);
  }
  REQUIRE(switches() - before <= kRounds / 4);
  REQUIRE(aclrtStreamQuery(stream, &status) == 0 && status == ACL_STREAM_STATUS_COMPLETE);

  for (int i = 0; i < 20; ++i) REQUIRE(slow.launch(slow_stream) == 0);
  REQUIRE(aclrtRecordEvent(event, slow_stream) == 0);
  REQUIRE(aclrtStreamWaitEvent(stream, event) == 0);
  call.clear();
  REQUIRE(call.launch(stream) == 0);
  const bool done = call.done();
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  REQUIRE(aclrtQueryEventStatus(event, &recorded) == 0);
  REQUIRE(recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY && !done);
  REQUIRE(aclrtSynchronizeStream(stream) == 0 && call.done());
  REQUIRE(aclrtDestroyEvent(event) == 0);
  REQUIRE(aclrtDestroyStream(stream) == 0 && aclrtDestroyStream(slow_stream) == 0);
}

}  // namespace gradproof::test
