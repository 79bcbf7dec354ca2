// Strict mode's memory from inside: red zones, the quarantine's size, and the workspace.
#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "opt/base/device_access.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/guarded_memory.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"

namespace gradproof::test {
namespace {

std::byte* allocate(std::size_t size) { return static_cast<std::byte*>(guarded_allocate(size)); }

TEST(Strict, ReturnsTheProgramsHandlerOfFaults) {
  struct sigaction own {
  }, now{};
  own.sa_handler = [](int) { std::_Exit(3); };
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGSEGV, &own, &before), 0);
  for (int round = 0; round < 2; ++round) {
    setenv("GRADPROOF_STRICT", "1", 1);
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    unsetenv("GRADPROOF_STRICT");
    sigaction(SIGSEGV, nullptr, &now);
    EXPECT_NE(now.sa_handler, own.sa_handler);
    ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
    sigaction(SIGSEGV, nullptr, &now);
    EXPECT_EQ(now.sa_handler, own.sa_handler);
  }
  // One that the program has set since stays.
  setenv("GRADPROOF_STRICT", "1", 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  unsetenv("GRADPROOF_STRICT");
  struct sigaction later {};
  later.sa_handler = [](int) { std::_Exit(4); };
  ASSERT_EQ(sigaction(SIGSEGV, &later, nullptr), 0);
  ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  sigaction(SIGSEGV, nullptr, &now);
  EXPECT_EQ(now.sa_handler, later.sa_handler);
  sigaction(SIGSEGV, &before, nullptr);
}

TEST(GuardedMemory, IsAlignedAndFilled) {
  for (const std::size_t size : {1u, 63u, 4096u, 100001u}) {
    std::byte* const block = allocate(size);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(block[i], std::byte{0xA5});
    EXPECT_EQ(damage(block, size), 0);
    std::memset(block, 0, size);
    EXPECT_EQ(damage(block, size), 0) << "the block itself is its owner's";
    guarded_free(block, size);
  }
}

TEST(GuardedMemory, EachByteOfARedZoneCounts) {
  const std::ptrdiff_t size = 40;
  std::byte* const block = allocate(size);
  ASSERT_NE(block, nullptr);
  for (std::ptrdiff_t at = -128; at < size + 128; ++at) {
    if (at >= 0 && at < size) continue;
    block[at] = std::byte{0};
    EXPECT_EQ(damage(block, size), at);
    EXPECT_EQ(damage(block, size), 0) << "told twice";
  }
  guarded_free(block, size);
}

TEST(GuardedMemory, IsOutOfReachUntilAThousandOthersFollowed) {
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 1025; ++i) blocks.push_back(allocate(8));
  EXPECT_FALSE(in_quarantine(blocks.front()));
  for (int i = 0; i < 1024; ++i) guarded_free(blocks[static_cast<std::size_t>(i)], 8);
  EXPECT_TRUE(in_quarantine(blocks.front()) && in_quarantine(blocks.front() + 7));
  EXPECT_FALSE(in_quarantine(blocks.back()));
  guarded_free(blocks.back(), 8);
  EXPECT_FALSE(in_quarantine(blocks.front()));
  EXPECT_TRUE(in_quarantine(blocks[1]) && in_quarantine(blocks.back()));
}

TEST(GuardedMemory, IsOutOfReachUntil256MiBFollowed) {
  constexpr std::size_t size = 100 << 20;
  std::byte* const first = allocate(size);
  guarded_free(first, size);
  std::byte* const second = allocate(size);
  guarded_free(second, size);
  EXPECT_TRUE(in_quarantine(first) && in_quarantine(second));
  std::byte* const third = allocate(size);
  guarded_free(third, size);
  EXPECT_FALSE(in_quarantine(first));
  EXPECT_TRUE(in_quarantine(second) && in_quarantine(third));
}

TEST(Strict, EachSynchronisationTellsOfAnOverrunOnce) {
  setenv("GRADPROOF_STRICT", "1", 1);
  forget_config();
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  unsetenv("GRADPROOF_STRICT");
  void* block = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtMalloc(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  const std::function<int()> kWays[] = {
      [] { return aclrtSynchronizeDevice(); },
      [] { return aclrtResetDevice(0); },
      [] { return aclrtSynchronizeStream(nullptr); },
      [&] { return aclrtSynchronizeEvent(event); },
  };
  for (const auto& synchronise : kWays) {
    for (const std::ptrdiff_t at : {-1, 32}) {
      {
        const DeviceAccess as_a_kernel;
        static_cast<std::byte*>(block)[at] = std::byte{1};
      }
      EXPECT_ERROR(synchronise(), ACL_ERROR_FAILURE,
                   "byte " + std::to_string(at) + " of the 32-byte block");
      EXPECT_EQ(synchronise(), ACL_SUCCESS) << "told twice";
    }
  }
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST(Strict, TheWorkspaceLiesInDeviceMemory) {
  setenv("GRADPROOF_STRICT", "1", 1);
  forget_config();
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  auto call = call_of([](const Binding& binding) {
    std::memset(binding.workspace, 0, 32);
    return Status();
  });
  call->workspace_bytes = 32;
  aclOpExecutor* const executor = executor_of(std::move(call));
  void* block = nullptr;
  ASSERT_EQ(aclrtMalloc(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::vector<std::byte> host(32);
  EXPECT_ERROR(launch(kApi, host.data(), 32, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
               "strict: workspace (");
  EXPECT_ERROR(launch(kApi, static_cast<std::byte*>(block) + 1, 32, executor, nullptr),
               ACLNN_ERR_PARAM_INVALID, "but its block of aclrtMalloc has 31");
  EXPECT_EQ(launch(kApi, block, 32, executor, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  unsetenv("GRADPROOF_STRICT");
}

}  // namespace
}  // namespace gradproof::test
