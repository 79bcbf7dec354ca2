// Prints what the library's promises about processes cost: no test, figures for
// docs/results/process.md. Each line is a name, a tab, and a number. tests/process/figures.sh runs
// the program for several builds of the library in turn and prints the medians.
//
// A call is an operator on planes of 128 x 128, on one stream. "Left alone": nobody waits for the
// stream; this thread watches the result's memory. Processor time is of all threads, without what
// this thread spends on watching.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/process/scenario.h"

namespace {

using Clock = std::chrono::steady_clock;

enum class Manner { synchronised, left_alone, no_call };

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double used_us(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

void print(const std::string& name, double value) {
  std::printf("%s\t%.1f\n", name.c_str(), value);
  std::fflush(stdout);
}

/// The time in 50 and in 99 of 100 calls.
void print_times(const std::string& name, std::vector<double>& us) {
  std::sort(us.begin(), us.end());
  print(name + ", p50, us", us[us.size() / 2]);
  print(name + ", p99, us", us[us.size() * 99 / 100]);
}

/// Waits without sleeping until the element is written; the microseconds since `begin`.
double watch(float* element, Clock::time_point begin) {
  const std::atomic_ref<float> seen(*element);
  while (seen.load(std::memory_order_relaxed) < 0) {
  }
  return us_since(begin);
}

void measure(int planes, int calls_per_second, int calls, Manner manner) {
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  gradproof::test::PadCall call(planes);
  float *const first = call.result() + 1, *const last = call.result() + planes * 128 * 128 - 2;
  std::vector<double> starts, ends;
  double watching = 0;
  const double before = used_us(CLOCK_PROCESS_CPUTIME_ID);
  auto next = Clock::now();
  for (int i = 0; i < calls; ++i) {
    std::this_thread::sleep_until(next += std::chrono::nanoseconds(1000000000 / calls_per_second));
    if (manner == Manner::no_call) continue;
    *first = *last = -1;
    const auto begin = Clock::now();
    REQUIRE(call.launch(stream) == 0);
    if (manner == Manner::left_alone) {
      const double own = used_us(CLOCK_THREAD_CPUTIME_ID);
      starts.push_back(watch(first, begin));
      ends.push_back(watch(last, begin));
      watching += used_us(CLOCK_THREAD_CPUTIME_ID) - own;
    } else {
      REQUIRE(aclrtSynchronizeStream(stream) == 0);
      ends.push_back(us_since(begin));
    }
  }
  REQUIRE(aclrtSynchronizeStream(stream) == 0);
  const double used = (used_us(CLOCK_PROCESS_CPUTIME_ID) - before - watching) / calls;
  const std::string rate =
      std::to_string(planes) + " planes, " + std::to_string(calls_per_second) + " calls/s, ";
  const std::string name = rate + (manner == Manner::synchronised ? "synchronised"
                                   : manner == Manner::left_alone ? "left alone"
                                                                  : "loop without a call");
  if (!starts.empty()) print_times(name + ", starts", starts);
  if (!ends.empty()) print_times(name + ", ends", ends);
  print(name + ", processor time each, us", used);
  REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// Streams that have worked once and are left alone, and streams with a small call every 5 ms.
void measure_many_streams() {
  constexpr int kStreams = 32;
  constexpr double kSeconds = 2;
  std::vector<aclrtStream> streams(kStreams);
  unsigned char memory[64];
  const auto call_all = [&] {
    for (aclrtStream stream : streams) {
      REQUIRE(aclrtMemsetAsync(memory, 64, 1, 64, stream) == 0);
      REQUIRE(aclrtSynchronizeStream(stream) == 0);
    }
  };
  for (aclrtStream& stream : streams) REQUIRE(aclrtCreateStream(&stream) == 0);
  call_all();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  double before = used_us(CLOCK_PROCESS_CPUTIME_ID);
  std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
  print("32 streams without work, processor time, us/s",
        (used_us(CLOCK_PROCESS_CPUTIME_ID) - before) / kSeconds);
  before = used_us(CLOCK_PROCESS_CPUTIME_ID);
  auto next = Clock::now();
  for (int i = 0; i < static_cast<int>(kSeconds * 200); ++i) {
    std::this_thread::sleep_until(next += std::chrono::milliseconds(5));
    call_all();
  }
  print("32 streams, each a memset of 64 bytes every 5 ms, processor time, % of a core",
        (used_us(CLOCK_PROCESS_CPUTIME_ID) - before) / kSeconds * 1e-4);
  for (aclrtStream stream : streams) REQUIRE(aclrtDestroyStream(stream) == 0);
}

double heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

double resident_bytes() {
  double pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Bytes that each of `count` things takes, made by `make(i)`.
template <class Make>
void measure_bytes(const std::string& what, std::size_t count, Make&& make) {
  const double heap = heap_bytes(), resident = resident_bytes();
  for (std::size_t i = 0; i < count; ++i) make(i);
  const auto all = static_cast<double>(count);
  print(what + ", bytes of the heap", (heap_bytes() - heap) / all);
  print(what + ", bytes resident", (resident_bytes() - resident) / all);
}

void measure_memory() {
  constexpr std::size_t kLaunches = 8000;
  std::vector<aclrtStream> streams(500);
  std::vector<aclTensor*> tensors(100000);
  const std::int64_t shape[]{2, 3};
  measure_bytes("a stream", streams.size(),
                [&](std::size_t i) { REQUIRE(aclrtCreateStream(&streams[i]) == 0); });
  measure_bytes("a tensor of rank 2", tensors.size(), [&](std::size_t i) {
    tensors[i] = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
  });
  gradproof::test::PadCall slow(256), small(1);
  for (int i = 0; i < 200; ++i) REQUIRE(slow.launch(streams[0]) == 0);
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateEvent(&event) == 0 && aclrtRecordEvent(event, streams[0]) == 0);
  REQUIRE(aclrtStreamWaitEvent(streams[1], event) == 0);
  measure_bytes("a launch that waits", kLaunches,
                [&](std::size_t) { REQUIRE(small.launch(streams[1]) == 0); });
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  REQUIRE(aclrtQueryEventStatus(event, &recorded) == 0);
  REQUIRE(recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY);  // they all wait still
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
    for (int i = 0; i < 10; ++i) {
      if (!again) REQUIRE(aclrtResetDevice(0) == 0);  // gives the system what was kept
      const auto begin = Clock::now();
      void* block = nullptr;
      REQUIRE(aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
      REQUIRE(aclrtMemset(block, kBytes, 1, kBytes) == 0 && aclrtFree(block) == 0);
      ms.push_back(us_since(begin) * 1e-3);
    }
    std::sort(ms.begin(), ms.end());
    print(std::string("64 MiB allocated, set and freed, ") + (again ? "again" : "new") + ", ms",
          ms[ms.size() / 2]);
  }
}

}  // namespace

int main() {
  struct Load {
    int calls_per_second, calls;
  };
  constexpr Load kLoads[] = {{1, 4}, {100, 200}, {200, 400}, {10000, 10000}};
  for (const auto& [rate, calls] : kLoads) {
    for (const Manner manner : {Manner::synchronised, Manner::left_alone, Manner::no_call})
      measure(1, rate, calls, manner);
  }
  for (const Manner manner : {Manner::synchronised, Manner::left_alone})
    measure(8, 200, 400, manner);
  measure_many_streams();
  measure_memory();
  measure_large_blocks();
}
