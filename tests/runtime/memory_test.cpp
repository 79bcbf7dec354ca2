// Allocation, copies and fills, and their bounds.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "gradproof/config.h"
#include "gradproof/statistics.h"
#include "tests/runtime/expect_error.h"

namespace gradproof::test {
namespace {

/// A block of device memory for the time of a test.
class Block {
 public:
  explicit Block(std::size_t size) {
    EXPECT_EQ(aclrtMalloc(&start_, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  ~Block() { EXPECT_EQ(aclrtFree(start_), ACL_SUCCESS); }
  unsigned char* get() const { return static_cast<unsigned char*>(start_); }

 private:
  void* start_ = nullptr;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

/// The system gives this process no more than so many bytes beyond what it has.
class LittleMemory {
 public:
  explicit LittleMemory(std::size_t more) {
    getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit little = before_;
    little.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
    EXPECT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_{};
};

TEST(Memory, IsAlignedAndCounted) {
  std::size_t total = 0;
  std::size_t before = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), ACL_SUCCESS);
  EXPECT_LE(before, total);
  {
    const Block small(1);
    const Block odd(100001);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.get()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(odd.get()) % 64, 0u);
    std::memset(odd.get(), 1, 100001);
    std::size_t during = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &during, &total), ACL_SUCCESS);
    EXPECT_EQ(before - during, 100002u);
  }
  std::size_t after = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_DDR_MEM, &after, &total), ACL_SUCCESS);
  EXPECT_EQ(after, before);
}

TEST(Memory, MemInfoRefusesNonsense) {
  std::size_t n = 5;
  EXPECT_ERROR(aclrtGetMemInfo(static_cast<aclrtMemAttr>(99), &n, &n), ACL_ERROR_INVALID_PARAM,
               "attr is 99");
  EXPECT_ERROR(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &n), ACL_ERROR_INVALID_PARAM, "free is null");
  EXPECT_ERROR(aclrtGetMemInfo(ACL_HBM_MEM, &n, nullptr), ACL_ERROR_INVALID_PARAM, "total is null");
  EXPECT_EQ(n, 5u);
}

TEST(Memory, RefusesWhatItCannotAllocate) {
  void* p = &p;
  EXPECT_ERROR(aclrtMalloc(&p, 0, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_ERROR_INVALID_PARAM,
               "size is 0");
  EXPECT_ERROR(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_ERROR_INVALID_PARAM,
               "devPtr is null");
  EXPECT_ERROR(aclrtMallocHost(nullptr, 8), ACL_ERROR_INVALID_PARAM, "hostPtr is null");
  EXPECT_ERROR(aclrtMallocHost(&p, 0), ACL_ERROR_INVALID_PARAM, "size is 0");
  EXPECT_ERROR(aclrtMalloc(&p, 8, static_cast<aclrtMemMallocPolicy>(8)), ACL_ERROR_INVALID_PARAM,
               "policy is 0x8");
  EXPECT_ERROR(aclrtMalloc(&p, 8, static_cast<aclrtMemMallocPolicy>(-1)), ACL_ERROR_INVALID_PARAM,
               "policy");
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {most, most - 63, most / 2, std::size_t{1} << 50}) {
    EXPECT_ERROR(aclrtMalloc(&p, size, ACL_MEM_MALLOC_HUGE_ONLY), ACL_ERROR_BAD_ALLOC,
                 "requested, but only");
    EXPECT_ERROR(aclrtMallocHost(&p, size), ACL_ERROR_BAD_ALLOC, "requested, but only");
  }
  EXPECT_EQ(p, &p);
}

TEST(Memory, SaysWhenTheSystemRefuses) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need address space of their own";
  constexpr std::size_t kSize = std::size_t{256} << 20;
  void* p = &p;
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), ACL_SUCCESS);
  {
    const LittleMemory limit(kSize / 4);
    void* const given = mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (given != MAP_FAILED) {
      munmap(given, kSize);
      GTEST_SKIP() << "this system gives more memory than RLIMIT_AS allows, as qemu does";
    }
    EXPECT_ERROR(aclrtMalloc(&p, kSize, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_BAD_ALLOC,
                 "aclrtMalloc: the system cannot provide 268435456 bytes");
    EXPECT_ERROR(aclrtMallocHost(&p, kSize), ACL_ERROR_BAD_ALLOC,
                 "aclrtMallocHost: the system cannot provide 268435456 bytes");
  }
  EXPECT_EQ(p, &p);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), ACL_SUCCESS);
  EXPECT_EQ(after, before) << "what was not given is not counted";
  const Block possible(kSize);
}

TEST(Memory, PolicyMayCarryFlags) {
  void* p = nullptr;
  const auto policy =
      static_cast<aclrtMemMallocPolicy>(ACL_MEM_MALLOC_NORMAL_ONLY | ACL_MEM_TYPE_HIGH_BAND_WIDTH);
  ASSERT_EQ(aclrtMalloc(&p, 8, policy), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(p), ACL_SUCCESS);
}

TEST(Memory, FreeTakesOnlyStartsOfItsOwnLiveBlocks) {
  void* device = nullptr;
  void* host = nullptr;
  int local = 0;
  ASSERT_EQ(aclrtMalloc(&device, 128, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 128), ACL_SUCCESS);
  EXPECT_ERROR(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM, "devPtr is null");
  EXPECT_ERROR(aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM, "hostPtr is null");
  EXPECT_ERROR(aclrtFree(&local), ACL_ERROR_INVALID_PARAM, "not the start of a live block");
  EXPECT_ERROR(aclrtFree(static_cast<char*>(device) + 64), ACL_ERROR_INVALID_PARAM,
               "not the start");
  EXPECT_ERROR(aclrtFree(host), ACL_ERROR_INVALID_PARAM, "aclrtMalloc");
  EXPECT_ERROR(aclrtFreeHost(device), ACL_ERROR_INVALID_PARAM, "aclrtMallocHost");
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  EXPECT_ERROR(aclrtFree(device), ACL_ERROR_INVALID_PARAM, "already freed");
  EXPECT_ERROR(aclrtFreeHost(host), ACL_ERROR_INVALID_PARAM, "already freed");
}

TEST(Memcpy, CopiesAtOnceAndOverlapping) {
  const Block block(16);
  std::vector<unsigned char> numbers(16);
  std::iota(numbers.begin(), numbers.end(), static_cast<unsigned char>(0));
  ASSERT_EQ(aclrtMemcpy(block.get(), 16, numbers.data(), 16, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(block.get() + 1, 15, block.get(), 15, ACL_MEMCPY_DEVICE_TO_DEVICE),
            ACL_SUCCESS);
  std::vector<unsigned char> back(16);
  ASSERT_EQ(aclrtMemcpy(back.data(), 16, block.get(), 16, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(back[0], 0);
  EXPECT_EQ(back[1], 0);
  EXPECT_EQ(back[15], 14);
}

#ifndef __SANITIZE_ADDRESS__  // whose freed memory is to be told from live memory
TEST(Memory, LargeBlocksComeAgainUntilTheDeviceIsReset) {
  constexpr std::size_t kSize = std::size_t{64} << 20;
  void* first = nullptr;
  ASSERT_EQ(aclrtMalloc(&first, kSize, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(first, kSize, 1, kSize), ACL_SUCCESS);
  const auto faults = [] {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_minflt;
  };
  const auto round = [&] {
    void* block = nullptr;
    EXPECT_EQ(aclrtMalloc(&block, kSize - 1000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemset(block, kSize - 1000, 2, kSize - 1000), ACL_SUCCESS);
    EXPECT_ERROR(aclrtMemset(block, kSize, 2, kSize), ACL_ERROR_INVALID_PARAM, "bytes left");
    EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
    return block;
  };
  ASSERT_EQ(aclrtFree(first), ACL_SUCCESS);
  const long before = faults();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(round(), first);
  EXPECT_LT(faults() - before, 1000) << "a new block of 64 MiB has 16384 pages";
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  const long reset = faults();
  round();
  EXPECT_GT(faults() - reset, 20) << "the system had it back";
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Memory, KeptBlocksAreBounded) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  const auto kept = [] {
    gradproofStatistics counts{};
    EXPECT_EQ(gradproof_get_statistics(&counts, sizeof counts), ACL_SUCCESS);
    return counts.kept_bytes;
  };
  const auto allocate_and_free = [](int count, std::size_t bytes) {
    std::vector<void*> blocks(static_cast<std::size_t>(count));
    for (void*& block : blocks) {
      ASSERT_EQ(aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    }
    for (void* block : blocks) ASSERT_EQ(aclrtFree(block), ACL_SUCCESS);
  };
  allocate_and_free(1, kMiB - 64);
  EXPECT_EQ(kept(), 0u);
  allocate_and_free(17, kMiB);
  EXPECT_EQ(kept(), 16 * kMiB);
  allocate_and_free(3, 100 * kMiB);
  EXPECT_GT(kept(), 100 * kMiB);
  EXPECT_LE(kept(), 256 * kMiB);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(kept(), 0u);
  ASSERT_EQ(gradproof_set_option("strict", "1"), ACL_SUCCESS);
  allocate_and_free(1, kMiB);
  EXPECT_EQ(kept(), 0u) << "strict mode keeps none";
  ASSERT_EQ(gradproof_set_option("strict", nullptr), ACL_SUCCESS);
}
#endif

TEST(Memcpy, ChecksBoundsAndKind) {
  const Block block(16);
  std::vector<unsigned char> host(64);
  unsigned char* const p = block.get();
  const auto copy = [](void* to, std::size_t capacity, const void* from, std::size_t count,
                       int kind = ACL_MEMCPY_DEFAULT) {
    return aclrtMemcpy(to, capacity, from, count, static_cast<aclrtMemcpyKind>(kind));
  };
  EXPECT_EQ(copy(p, 16, host.data(), 16), ACL_SUCCESS);
  EXPECT_ERROR(copy(p, 15, host.data(), 16), ACL_ERROR_INVALID_PARAM, "above destMax 15");
  EXPECT_ERROR(copy(p, 64, host.data(), 17), ACL_ERROR_INVALID_PARAM, "dst has 16 bytes left");
  EXPECT_ERROR(copy(p + 9, 64, host.data(), 8), ACL_ERROR_INVALID_PARAM, "dst has 7 bytes left");
  EXPECT_ERROR(copy(host.data(), 64, p + 15, 2), ACL_ERROR_INVALID_PARAM, "src has 1 bytes left");
  EXPECT_ERROR(copy(nullptr, 8, host.data(), 8), ACL_ERROR_INVALID_PARAM, "dst is null");
  EXPECT_ERROR(copy(p, 8, nullptr, 8), ACL_ERROR_INVALID_PARAM, "src is null");
  EXPECT_ERROR(copy(p, 8, host.data(), 8, 8), ACL_ERROR_INVALID_PARAM, "kind is 8");
  EXPECT_ERROR(copy(p, 8, host.data(), 8, -1), ACL_ERROR_INVALID_PARAM, "kind is -1");
  EXPECT_EQ(copy(nullptr, 0, nullptr, 0), ACL_SUCCESS);
}

TEST(Memset, SetsBytesWithinBounds) {
  const Block block(16);
  EXPECT_EQ(aclrtMemset(block.get(), 16, 0, 16), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(block.get() + 4, 12, 0x1FF, 3), ACL_SUCCESS);  // the low byte counts
  EXPECT_EQ(block.get()[3], 0);
  EXPECT_EQ(block.get()[4], 0xFF);
  EXPECT_EQ(block.get()[7], 0);
  EXPECT_ERROR(aclrtMemset(block.get(), 8, 0, 9), ACL_ERROR_INVALID_PARAM, "above maxCount 8");
  EXPECT_ERROR(aclrtMemset(block.get() + 8, 99, 0, 9), ACL_ERROR_INVALID_PARAM, "8 bytes left");
  EXPECT_ERROR(aclrtMemset(nullptr, 8, 0, 8), ACL_ERROR_INVALID_PARAM, "devPtr is null");
}

TEST(MemoryAsync, RunsOnItsStream) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  const Block block(8);
  std::vector<unsigned char> host(8, 1);
  EXPECT_EQ(aclrtMemsetAsync(block.get(), 8, 3, 8, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(block.get(), 8, host.data(), 4, ACL_MEMCPY_HOST_TO_DEVICE, stream),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 0, 0, 0, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(block.get()[3], 1);
  EXPECT_EQ(block.get()[4], 3);
  EXPECT_ERROR(aclrtMemsetAsync(block.get(), 8, 0, 9, stream), ACL_ERROR_INVALID_PARAM, "maxCount");
  EXPECT_ERROR(aclrtMemcpyAsync(block.get(), 99, host.data(), 9, ACL_MEMCPY_HOST_TO_DEVICE, stream),
               ACL_ERROR_INVALID_PARAM, "8 bytes left");
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_ERROR(aclrtMemsetAsync(block.get(), 8, 0, 8, stream), ACL_ERROR_INVALID_RESOURCE_HANDLE,
               "aclrtMemsetAsync: stream");
  EXPECT_ERROR(aclrtMemcpyAsync(block.get(), 8, host.data(), 8, ACL_MEMCPY_DEFAULT, stream),
               ACL_ERROR_INVALID_RESOURCE_HANDLE, "aclrtMemcpyAsync: stream");
}

}  // namespace
}  // namespace gradproof::test
