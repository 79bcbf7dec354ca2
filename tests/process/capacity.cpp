// Limits: queues that are full, and very many handles.
#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <malloc.h>
#include <unistd.h>

#include "gradproof/config.h"
#include "gradproof/statistics.h"
#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

namespace gradproof::test {
namespace {

std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t allocated_bytes() {
  const struct mallinfo2 heap = mallinfo2();  // sanitizers count nothing here
  return heap.uordblks + heap.hblkhd;
}

/// Processor time of this thread.
double own_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// A creation among `count` live tensors costs what one among few does, in new slots and in slots
/// of tensors that were destroyed. Two things could make it dearer: a larger table, to which the
/// handles are copied, which is a block of megabytes; and a search for a free slot, which the mean
/// time shows. The longest time is only told: a machine that stands still counts as the thread's.
void create_quickly(std::size_t count) {
  constexpr std::size_t kLargest = std::size_t{256} << 10;
  constexpr double kMeanMs = 0.1;
  const std::int64_t shape[]{2, 3};
  std::vector<aclTensor*> tensors(count);
  std::size_t largest = 0, held = allocated_bytes();
  double longest = 0, total = 0;
  const auto create = [&](aclTensor*& tensor) {
    const double begin = own_ms();
    tensor = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
    const double took = own_ms() - begin;
    REQUIRE(tensor != nullptr);
    longest = std::max(longest, took);
    total += took;
    const std::size_t holds = allocated_bytes();
    if (holds > held) largest = std::max(largest, holds - held);
    held = holds;
  };
  const auto judge = [&](std::size_t creations) {
    const double mean = total / static_cast<double>(creations);
    std::fprintf(stderr,
                 "%zu creations: the longest %.2f ms, the mean %.2f us; %zu bytes at most\n",
                 creations, longest, 1e3 * mean, largest);
    REQUIRE(largest < kLargest);
    REQUIRE(mean < kMeanMs);
    largest = 0;
    longest = total = 0;
  };
  const std::size_t before = resident_bytes();
  for (aclTensor*& tensor : tensors) create(tensor);
  const std::size_t each = (resident_bytes() - before) / count;
  std::fprintf(stderr, "%zu bytes each\n", each);
  REQUIRE(allocated_bytes() == 0 || each < 300);
  judge(count);
  for (std::size_t i = 0; i < count; i += 10) {
    REQUIRE(aclDestroyTensor(tensors[i]) == 0);
    held = allocated_bytes();
    create(tensors[i]);
  }
  judge((count + 9) / 10);
  for (aclTensor* tensor : tensors) REQUIRE(aclDestroyTensor(tensor) == 0);
}

}  // namespace

/// The queue behind an event that comes later takes 65,536 tasks and refuses the next; what it took
/// is done, and so is what is enqueued afterwards. The queue's memory is given back.
void full_queues_refuse() {
  constexpr int kLimit = 65536;
  aclrtStream slow = nullptr, stream = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&slow) == 0 && aclrtCreateStream(&stream) == 0);
  REQUIRE(aclrtCreateEvent(&event) == 0);
  PadCall call(256), refused(1);
  // Long enough for a busy machine to fill the queue meanwhile.
  for (int i = 0; i < 2500; ++i) REQUIRE(call.launch(slow) == 0);
  REQUIRE(aclrtRecordEvent(event, slow) == 0);
  REQUIRE(aclrtStreamWaitEvent(stream, event) == 0);
  std::vector<unsigned char> seen(kLimit + 1);
  const std::size_t before = resident_bytes(), heap_before = allocated_bytes();
  std::size_t heap_full = 0;
  int taken = 0, answer = 0;
  while (taken <= kLimit) {
    if (taken == kLimit - 1) heap_full = allocated_bytes();
    answer = aclrtMemsetAsync(&seen[static_cast<std::size_t>(taken)], 1, 1, 1, stream);
    if (answer == 0) {
      ++taken;
    } else if (taken == kLimit - 1 && answer == ACL_ERROR_RT_QUEUE_FULL) {
      usleep(1000);  // the wait for the event is in the queue still, and its turn comes
    } else {
      break;
    }
  }
  std::fprintf(stderr, "%d tasks, %zu bytes each\n", taken,
               (resident_bytes() - before) / static_cast<std::size_t>(taken));
  REQUIRE(answer == ACL_ERROR_RT_QUEUE_FULL);
  REQUIRE(taken == kLimit);
  REQUIRE(std::string(aclGetRecentErrMsg()).find("queue is full") != std::string::npos);
  REQUIRE(refused.launch(stream) == ACLNN_ERR_RUNTIME_ERROR);
  REQUIRE(std::string(aclGetRecentErrMsg()).find("queue is full") != std::string::npos);
  REQUIRE(aclrtSynchronizeStream(stream) == 0);
  REQUIRE(heap_full == 0 || heap_full > heap_before + (std::size_t{2} << 20));
  REQUIRE(allocated_bytes() < heap_before + (std::size_t{1} << 20));
  REQUIRE(std::count(seen.begin(), seen.end(), 1) == taken);
  REQUIRE(refused.launch(stream) == 0);
  REQUIRE(aclrtSynchronizeStream(stream) == 0 && refused.done());
  REQUIRE(aclrtDestroyStream(stream) == 0 && aclrtDestroyStream(slow) == 0);
  REQUIRE(aclrtDestroyEvent(event) == 0);
}

void creations_stay_quick() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  create_quickly(1000000);  // each takes several times the memory
#else
  create_quickly(2000000);
#endif
}

/// By hand: takes 3 GiB.
void creations_among_ten_million() { create_quickly(10000000); }

/// control_group.sh has made a group of 64 MiB and half a processor.
void child_in_a_control_group() {
  constexpr std::size_t kLimit = std::size_t{64} << 20;
  std::size_t left = 0, total = 0;
  void* block = nullptr;
  REQUIRE(aclrtGetMemInfo(ACL_HBM_MEM, &left, &total) == 0);
  REQUIRE(total == kLimit && left == kLimit);
  REQUIRE(std::string(gradproof_option("threads")) == "1");
  REQUIRE(aclrtMalloc(&block, kLimit + 1, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_ERROR_BAD_ALLOC);
  REQUIRE(std::string(aclGetRecentErrMsg()).find("requested, but only 67108864") !=
          std::string::npos);
  REQUIRE(aclrtMalloc(&block, kLimit / 2, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(aclrtFree(block) == 0);
  // The freed block is kept for another of its size, but not beside one for which it leaves no
  // room.
  gradproofStatistics counts{};
  REQUIRE(gradproof_get_statistics(&counts, sizeof counts) == 0);
#ifndef __SANITIZE_ADDRESS__  // which must see that freed memory is used, so that nothing is kept
  REQUIRE(counts.kept_bytes > 0);
#endif
  REQUIRE(aclrtMalloc(&block, kLimit / 4 * 3, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(gradproof_get_statistics(&counts, sizeof counts) == 0);
  REQUIRE(counts.device_bytes + counts.kept_bytes <= kLimit);
  REQUIRE(aclrtFree(block) == 0);
}

}  // namespace gradproof::test
