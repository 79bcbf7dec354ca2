// Prints what calls cost that come now and then: no test, figures for docs/results. For each rate of
// calls (an operator on one plane of 128 x 128) on one stream, either synchronised at once or left alone: microseconds from
// the call until the work is done, and processor time a call. Usage: figures_program [STREAMS]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "tests/process/scenario.h"

namespace {

using Clock = std::chrono::steady_clock;

double processor_us() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto us = [](const timeval& t) {
    return 1e6 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec);
  };
  return us(used.ru_utime) + us(used.ru_stime);
}

void measure(double calls_per_second, int calls, bool synchronised, int streams) {
  std::vector<aclrtStream> all(static_cast<std::size_t>(streams));
  for (aclrtStream& stream : all) REQUIRE(aclrtCreateStream(&stream) == 0);
  gradproof::test::PadCall call(1);
  const std::atomic_ref<float> last(call.result()[128 * 128 - 2]);
  std::vector<double> late;
  double spinning = 0;  // of this thread, which only watches
  const double before = processor_us();
  auto next = Clock::now();
  for (int i = 0; i < calls; ++i) {
    std::this_thread::sleep_until(next += std::chrono::nanoseconds(static_cast<long>(1e9 / calls_per_second)));
    call.clear();
    aclrtStream stream = all[static_cast<std::size_t>(i % streams)];
    const auto begin = Clock::now();
    REQUIRE(call.launch(stream) == 0);
    if (synchronised) {
      REQUIRE(aclrtSynchronizeStream(stream) == 0);
    } else {
      const auto watch = Clock::now();
      while (last.load(std::memory_order_relaxed) < 0) {
      }
      spinning += std::chrono::duration<double, std::micro>(Clock::now() - watch).count();
    }
    late.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    if (!synchronised) REQUIRE(aclrtSynchronizeStream(stream) == 0);  // done but for its last steps
  }
  const double used = (processor_us() - before - spinning) / calls;
  std::sort(late.begin(), late.end());
  std::printf("%7.0f calls/s, %2d streams, %s: done after %.1f us (p50), %.1f us (p99); %.1f us of processor a call\n",
              calls_per_second, streams, synchronised ? "synchronised" : "left alone  ", late[late.size() / 2],
              late[late.size() * 99 / 100], std::max(0.0, used));
  for (aclrtStream stream : all) REQUIRE(aclrtDestroyStream(stream) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  const int streams = argc > 1 ? std::atoi(argv[1]) : 1;
  for (const bool synchronised : {true, false}) {
    measure(20, 60, synchronised, streams);
    measure(200, 600, synchronised, streams);
    measure(5000, 10000, synchronised, streams);
  }
}
