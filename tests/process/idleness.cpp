// What streams cost that have nothing to do, and when work starts that nobody waits for.
#include <algorithm>
#include <chrono>
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

long switches() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_nvcsw;
}

}  // namespace

/// 32 streams, each with a call every 5 ms, synchronised at once: threads wake for the calls and not
/// in between. Counts of switches tell, whatever else the machine does.
void idle_streams_cost_nothing() {
  constexpr int kStreams = 32, kRounds = 100;
  std::vector<aclrtStream> streams(kStreams);
  for (aclrtStream& stream : streams) REQUIRE(aclrtCreateStream(&stream) == 0);
  unsigned char memory[64];
  const auto round = [&] {
    for (aclrtStream stream : streams) {
      REQUIRE(aclrtMemsetAsync(memory, 64, 1, 64, stream) == 0);
      REQUIRE(aclrtSynchronizeStream(stream) == 0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  round();
  const long before = switches();
  const double processor = seconds_of_processor();
  for (int i = 0; i < kRounds; ++i) round();
  const long per_call = (switches() - before) / (kStreams * kRounds);
  std::fprintf(stderr, "a call: %ld switches, %.1f us of processor time\n", per_call,
               (seconds_of_processor() - processor) * 1e6 / (kStreams * kRounds));
  REQUIRE(per_call <= 4);  // naps of 0.1 ms for 2 ms were 20
  const long at_rest = switches();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  REQUIRE(switches() - at_rest <= 10);  // this thread's own among them
  for (aclrtStream stream : streams) REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// Work that nobody waits for starts when it is enqueued, not at the end of a nap; the median, since
/// the machine may be busy.
void work_starts_at_once() {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0 && aclrtCreateEvent(&event) == 0);
  std::vector<double> late;
  for (int i = 0; i < 200; ++i) {
    PadCall call(1);
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
  std::fprintf(stderr, "first result after %.0f us (median), %.0f us (99 %%)\n", late[100], late[198]);
  // A query wakes the thread even in the middle of a tight loop.
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(aclrtMemsetAsync(&late[0], 8, 0, 8, stream) == 0);
    REQUIRE(aclrtSynchronizeStream(stream) == 0);
  }
  REQUIRE(aclrtMemsetAsync(&late[0], 8, 0, 8, stream) == 0);
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  const auto give_up = Clock::now() + std::chrono::seconds(10);
  while (status != ACL_STREAM_STATUS_COMPLETE && Clock::now() < give_up) {
    REQUIRE(aclrtStreamQuery(stream, &status) == 0);
  }
  REQUIRE(status == ACL_STREAM_STATUS_COMPLETE);
  REQUIRE(aclrtDestroyEvent(event) == 0 && aclrtDestroyStream(stream) == 0);
}

}  // namespace gradproof::test
