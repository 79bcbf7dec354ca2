// Prints what the library's promises about processes cost: no test, figures for docs/results. For
// each rate of calls (an operator on one plane of 128 x 128) on one stream, either synchronised at
// once or left alone: microseconds from the call until the work is done, and processor time a call.
// Then memory of streams, tensors and tasks that wait, and the time of large blocks. Usage:
// process_figures [STREAMS]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <malloc.h>
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
    std::this_thread::sleep_until(
        next += std::chrono::nanoseconds(static_cast<long>(1e9 / calls_per_second)));
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
  std::printf(
      "%7.0f calls/s, %2d streams, %s: done after %.1f us (p50), %.1f us (p99); %.1f us of "
      "processor a call\n",
      calls_per_second, streams, synchronised ? "synchronised" : "left alone  ",
      late[late.size() / 2], late[late.size() * 99 / 100], std::max(0.0, used));
  for (aclrtStream stream : all) REQUIRE(aclrtDestroyStream(stream) == 0);
}

std::size_t allocated() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// Bytes of the heap that each of `count` things takes, made by `make(i)`.
template <class Make>
void measure_bytes(const char* what, std::size_t count, Make&& make) {
  const std::size_t before = allocated();
  for (std::size_t i = 0; i < count; ++i) make(i);
  std::printf("%s: %zu bytes each\n", what, (allocated() - before) / count);
}

void measure_memory() {
  std::vector<aclrtStream> streams(500);
  std::vector<aclTensor*> tensors(100000);
  const std::int64_t shape[]{2, 3};
  measure_bytes("streams (and a thread's stack)", streams.size(),
                [&](std::size_t i) { REQUIRE(aclrtCreateStream(&streams[i]) == 0); });
  measure_bytes("tensors", tensors.size(), [&](std::size_t i) {
    tensors[i] = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
  });
  gradproof::test::PadCall slow(256), small(1);
  for (int i = 0; i < 100; ++i) REQUIRE(slow.launch(streams[0]) == 0);
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateEvent(&event) == 0 && aclrtRecordEvent(event, streams[0]) == 0);
  REQUIRE(aclrtStreamWaitEvent(streams[1], event) == 0);
  measure_bytes("launches that wait", 8000,
                [&](std::size_t) { REQUIRE(small.launch(streams[1]) == 0); });
  REQUIRE(aclrtSynchronizeDevice() == 0);
  for (aclrtStream stream : streams) REQUIRE(aclrtDestroyStream(stream) == 0);
  for (aclTensor* tensor : tensors) REQUIRE(aclDestroyTensor(tensor) == 0);
  REQUIRE(aclrtDestroyEvent(event) == 0);
}

/// aclrtMalloc, aclrtMemset and aclrtFree of 64 MiB: memory that is new, and memory that comes
/// again.
void measure_large_blocks() {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  for (const bool again : {false, true}) {
    std::vector<double> ms;
    for (int i = 0; i < 20; ++i) {
      if (!again) REQUIRE(aclrtResetDevice(0) == 0);  // gives the system what was kept
      const auto begin = Clock::now();
      void* block = nullptr;
      REQUIRE(aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
      REQUIRE(aclrtMemset(block, kBytes, 1, kBytes) == 0 && aclrtFree(block) == 0);
      ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::sort(ms.begin(), ms.end());
    std::printf("64 MiB allocated, set and freed, %s: %.1f ms (median)\n",
                again ? "again" : "new  ", ms[ms.size() / 2]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int streams = argc > 1 ? std::atoi(argv[1]) : 1;
  for (const bool synchronised : {true, false}) {
    measure(20, 60, synchronised, streams);
    measure(200, 600, synchronised, streams);
    measure(5000, 10000, synchronised, streams);
  }
  measure_memory();
  measure_large_blocks();
}
