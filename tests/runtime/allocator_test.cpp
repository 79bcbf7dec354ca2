// Blocks from the program's own allocator.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

#include "acl/acl.h"
#include "gradproof/config.h"
#include "opt/runtime/config_source.h"
#include "tests/runtime/expect_error.h"

namespace gradproof::test {
namespace {

/// Counts what it gives and what comes back.
struct Program {
  std::mutex mutex;
  std::map<void*, std::size_t> live[2];
  std::size_t misaligned = 0;
  bool empty = false;
  void* repeat = nullptr;

  gradproofAllocator allocator() {
    return {
        [](std::size_t bytes, std::size_t alignment, gradproofMemory memory, void* user) -> void* {
          auto& self = *static_cast<Program*>(user);
          const std::lock_guard lock(self.mutex);
          if (self.empty) return nullptr;
          if (self.repeat != nullptr) return self.repeat;
          void* start = std::aligned_alloc(alignment, bytes + alignment);
          start = static_cast<char*>(start) + self.misaligned;
          self.live[memory][start] = bytes;
          return start;
        },
        [](void* start, std::size_t bytes, gradproofMemory memory, void* user) {
          auto& self = *static_cast<Program*>(user);
          const std::lock_guard lock(self.mutex);
          EXPECT_EQ(self.live[memory].at(start), bytes);
          self.live[memory].erase(start);
          std::free(static_cast<char*>(start) - self.misaligned);
        },
        this};
  }
};

class AllocatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const gradproofAllocator allocator = program_.allocator();
    ASSERT_EQ(gradproof_set_allocator(&allocator), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(gradproof_set_allocator(nullptr), ACL_SUCCESS);
    EXPECT_TRUE(program_.live[0].empty() && program_.live[1].empty());
  }
  static aclError take(void*& block, std::size_t bytes) {
    return aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  }

  Program program_;
};

TEST_F(AllocatorTest, GivesBothKindsAndGetsThemBackWhateverIsChosenMeanwhile) {
  void *device = nullptr, *host = nullptr, *other = nullptr;
  ASSERT_EQ(take(device, 3 << 20), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 10), ACL_SUCCESS);
  EXPECT_EQ(program_.live[GRADPROOF_MEMORY_DEVICE].count(device), 1u);
  EXPECT_EQ(program_.live[GRADPROOF_MEMORY_HOST].count(host), 1u);
  ASSERT_EQ(gradproof_set_allocator(nullptr), ACL_SUCCESS);
  ASSERT_EQ(take(other, 10), ACL_SUCCESS);
  EXPECT_EQ(program_.live[GRADPROOF_MEMORY_DEVICE].size(), 1u);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
  EXPECT_TRUE(program_.live[GRADPROOF_MEMORY_DEVICE].empty());
}

TEST_F(AllocatorTest, WhatItCannotGiveIsAnError) {
  void *block = nullptr, *first = nullptr;
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(take(first, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetMemInfo(ACL_DDR_MEM, &before, &total), ACL_SUCCESS);
  program_.empty = true;
  EXPECT_ERROR(take(block, 64), ACL_ERROR_BAD_ALLOC,
               "aclrtMalloc: the program's allocator cannot provide 64 bytes");
  program_.empty = false;
  program_.misaligned = 8;
  EXPECT_ERROR(take(block, 64), ACL_ERROR_BAD_ALLOC, "aclrtMalloc");
  program_.misaligned = 0;
  program_.repeat = first;
  EXPECT_ERROR(take(block, 64), ACL_ERROR_BAD_ALLOC, "aclrtMalloc");
  program_.repeat = nullptr;
  EXPECT_EQ(block, nullptr);
  ASSERT_EQ(aclrtGetMemInfo(ACL_DDR_MEM, &after, &total), ACL_SUCCESS);
  EXPECT_EQ(before, after);
  EXPECT_EQ(aclrtFree(first), ACL_SUCCESS);
}

TEST_F(AllocatorTest, StrictModeMakesDeviceMemoryItself) {
  ASSERT_EQ(gradproof_set_option("strict", "1"), ACL_SUCCESS);
  void *device = nullptr, *host = nullptr;
  ASSERT_EQ(take(device, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  EXPECT_TRUE(program_.live[GRADPROOF_MEMORY_DEVICE].empty());
  EXPECT_EQ(program_.live[GRADPROOF_MEMORY_HOST].count(host), 1u);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  ASSERT_EQ(gradproof_set_option("strict", nullptr), ACL_SUCCESS);
  forget_config();
}

TEST(Allocator, NeedsBothFunctions) {
  gradproofAllocator allocator = Program().allocator();
  allocator.release = nullptr;
  EXPECT_ERROR(gradproof_set_allocator(&allocator), ACL_ERROR_INVALID_PARAM,
               "gradproof_set_allocator: release is null");
  allocator.allocate = nullptr;
  EXPECT_ERROR(gradproof_set_allocator(&allocator), ACL_ERROR_INVALID_PARAM, "allocate is null");
}

}  // namespace
}  // namespace gradproof::test
