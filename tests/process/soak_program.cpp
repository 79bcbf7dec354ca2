// Everything at once, for long: threads that make, use and end streams, events, memory, descriptors
// and executors while the device is reset, the library is initialised and ended, options change,
// children are forked, other processes exit inside calls and unload the library. Each result is
// checked; in four rests the process is looked at: nothing may be left, and nothing may have grown
// since the first. Usage:
//   soak_program SECONDS PROCESS_PROGRAM DLOPEN_PROGRAM LIBRARY
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gradproof/config.h"
#include "gradproof/statistics.h"
#include "tests/process/scenario.h"

namespace gradproof::test {
namespace {

using Clock = std::chrono::steady_clock;
using Random = std::minstd_rand;

constexpr int kWorkers = 4, kRests = 4, kSecondsOfAChild = 60;
constinit std::atomic<std::uint64_t> done[5];

void calls(Random& random) {
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  PadCall call(random() % 4 == 0 ? 16 : 1);
  for (int i = 0; i < 5; ++i) {
    call.clear();
    REQUIRE(call.launch(stream) == 0);
    if (i == 4) break;  // its end does the last one
    REQUIRE(aclrtSynchronizeStream(stream) == 0);
    REQUIRE(call.done());
  }
  REQUIRE(aclrtDestroyStream(stream) == 0);
  REQUIRE(call.done());
}

/// On the default stream, which resets of the other threads end.
void resets(Random& random) {
  std::vector<unsigned char> memory(random() % 2 == 0 ? kSlowBytes : 4096);
  for (int i = 0; i < 20; ++i) {
    const auto value = static_cast<unsigned char>(random());
    REQUIRE(aclrtSetDevice(0) == 0);
    REQUIRE(aclrtMemsetAsync(memory.data(), memory.size(), value, memory.size(), nullptr) == 0);
    REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
    REQUIRE(memory.front() == value && memory.back() == value);
    REQUIRE(aclrtResetDevice(0) == 0);
  }
}

void memory(Random& random) {
  const std::size_t bytes = std::size_t{1} << (6 + random() % 19);
  void *device = nullptr, *host = nullptr;
  REQUIRE(aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(aclrtMallocHost(&host, bytes) == 0);
  REQUIRE(aclrtMemset(device, bytes, 7, bytes) == 0);
  REQUIRE(aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST) == 0);
  REQUIRE(static_cast<unsigned char*>(host)[bytes - 1] == 7);
  REQUIRE(aclrtFree(device) == 0 && aclrtFreeHost(host) == 0);
}

/// A stream waits for another one's work, and its queue is long.
void events(Random&) {
  constexpr int kTasks = 3000;
  aclrtStream first = nullptr, second = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&first) == 0 && aclrtCreateStream(&second) == 0);
  REQUIRE(aclrtCreateEvent(&event) == 0);
  std::vector<unsigned char> seen(kTasks), copy(kTasks), large(std::size_t{4} << 20);
  REQUIRE(aclrtMemsetAsync(large.data(), large.size(), 1, large.size(), first) == 0);
  for (unsigned char& byte : seen) REQUIRE(aclrtMemsetAsync(&byte, 1, 1, 1, first) == 0);
  REQUIRE(aclrtRecordEvent(event, first) == 0 && aclrtStreamWaitEvent(second, event) == 0);
  REQUIRE(aclrtMemcpyAsync(copy.data(), kTasks, seen.data(), kTasks, ACL_MEMCPY_DEFAULT, second) ==
          0);
  REQUIRE(aclrtDestroyEvent(event) == 0);
  REQUIRE(aclrtDestroyStream(second) == 0);
  REQUIRE(copy == std::vector<unsigned char>(kTasks, 1));
  REQUIRE(aclrtDestroyStream(first) == 0);
}

void handles(Random& random) {
  const std::int64_t shape[]{2, 3};
  std::array<aclTensor*, 200> tensors{};
  for (aclTensor*& tensor : tensors) {
    tensor = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
    REQUIRE(tensor != nullptr);
  }
  std::shuffle(tensors.begin(), tensors.end(), random);
  for (aclTensor* tensor : tensors) REQUIRE(aclDestroyTensor(tensor) == 0);
}

constexpr void (*kActions[])(Random&) = {calls, resets, memory, events, handles};

void work(unsigned seed, Clock::time_point end) {
  Random random(seed);
  while (Clock::now() < end) {
    const std::size_t action = random() / 7 % std::size(kActions);
    kActions[action](random);
    ++done[action];
  }
}

void ends_well(int child, const char* what) {
  const std::string outcome = outcome_of(child, kSecondsOfAChild);
  if (outcome != "exit 0") std::fprintf(stderr, "%s: %s\n", what, outcome.c_str());
  REQUIRE(outcome == "exit 0");
}

void forked(bool computes) {
  const int child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (computes) {
      PadCall call;
      REQUIRE(call.launch(nullptr) == 0);
      REQUIRE(aclrtSynchronizeStream(nullptr) == 0 && call.done());
    }
    std::exit(0);
  }
  ends_well(child, computes ? "a child that computes" : "a child that exits");
}

/// Another program, with its arguments and a null behind them.
void program(const char* const* words) {
  const int child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    execv(words[0], const_cast<char* const*>(words));
    _exit(127);
  }
  ends_well(child, words[1]);
}

struct Process {
  std::size_t threads = 0, files = 0, allocated = 0, resident = 0;
};

std::size_t entries(const char* folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// The process at rest. Nothing waits, and no block is left.
Process at_rest() {
  REQUIRE(aclrtSynchronizeDevice() == 0 && aclrtResetDevice(0) == 0);
  gradproofStatistics now{};
  REQUIRE(gradproof_get_statistics(&now, sizeof now) == 0);
  REQUIRE(now.waiting == 0 && now.enqueued == now.completed && now.failed == 0 && now.refused == 0);
  REQUIRE(now.streams <= 1 && now.device_bytes == 0 && now.host_bytes == 0 && now.kept_bytes == 0);
  malloc_trim(0);
  Process process;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> process.resident;
  process.resident *= static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const struct mallinfo2 heap = mallinfo2();
  process.allocated = heap.uordblks + heap.hblkhd;
  process.threads = entries("/proc/self/task");
  process.files = entries("/proc/self/fd");
  std::printf(
      "at rest: %zu threads, %zu files, %zu KiB allocated, %zu KiB resident; %llu tasks so far\n",
      process.threads, process.files, process.allocated / 1024, process.resident / 1024,
      static_cast<unsigned long long>(now.completed));
  std::fflush(stdout);
  return process;
}

}  // namespace
}  // namespace gradproof::test

int main(int argc, char** argv) {
  using namespace gradproof::test;
  REQUIRE(argc == 5);
  mallopt(M_MMAP_THRESHOLD,
          1 << 18);  // freed blocks go back at once, so that what is resident tells
  const char* const exits[] = {argv[2], "child_that_exits_inside_calls", nullptr};
  const char* const unloads[] = {argv[3], argv[4], "20", nullptr};
  const auto rest =
      std::chrono::milliseconds(static_cast<long>(std::atof(argv[1]) * 1000 / kRests));
  std::uint64_t children = 0, programs = 0, lives = 0;
  Process first, last;
  for (unsigned r = 0; r < kRests; ++r) {
    const auto end = Clock::now() + rest;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kWorkers; ++t) threads.emplace_back(work, 1 + r * kWorkers + t, end);
    for (unsigned i = 0; Clock::now() < end; ++i) {
      forked(i % 2 == 0);
      ++children;
      REQUIRE(aclInit(nullptr) == 0);
      REQUIRE(gradproof_set_option("threads", i % 3 == 0 ? "1" : nullptr) == 0);
      REQUIRE(aclFinalize() == 0);
      ++lives;
      if (i % 8 == 0) {
        program(i % 16 == 0 ? exits : unloads);
        ++programs;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::thread& thread : threads) thread.join();
    last = at_rest();
    if (r == 0) first = last;
  }
  std::printf(
      "calls %llu, resets %llu, memory %llu, events %llu, handles %llu; forks %llu, programs %llu, "
      "lives %llu\n",
      static_cast<unsigned long long>(done[0]), static_cast<unsigned long long>(done[1]),
      static_cast<unsigned long long>(done[2]), static_cast<unsigned long long>(done[3]),
      static_cast<unsigned long long>(done[4]), static_cast<unsigned long long>(children),
      static_cast<unsigned long long>(programs), static_cast<unsigned long long>(lives));
  // oneTBB starts one more worker where one that it wants is just falling asleep, and keeps it.
  // Threads of streams that were left would be thousands.
  REQUIRE(last.threads <= first.threads + 4 * std::thread::hardware_concurrency());
  REQUIRE(last.files == first.files);
  REQUIRE(last.allocated <= first.allocated + (std::size_t{1} << 20));
  REQUIRE(last.resident <= first.resident + (std::size_t{32} << 20));
}
