// Control groups: a made-up tree takes the place of the machine's.
#include "opt/runtime/limits.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace gradproof::test {
namespace {

class LimitsTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  GroupLimits read() const { return group_limits(root_); }

  const std::string root_ =
      ::testing::TempDir() + "gradproof_limits_" + std::to_string(getpid()) + "/";
};

TEST_F(LimitsTest, WithoutFilesThereAreNone) {
  EXPECT_EQ(read().memory, SIZE_MAX);
  EXPECT_TRUE(std::isinf(read().processors));
}

TEST_F(LimitsTest, VersionTwoCountsTheGroupsAround) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(read().memory, SIZE_MAX);
  EXPECT_TRUE(std::isinf(read().processors));
  write("sys/fs/cgroup/a/memory.max", "1048576\n");
  write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(read().memory, 1048576u);
  EXPECT_EQ(read().processors, 1.5);
  write("sys/fs/cgroup/a/b/memory.max", "4096\n");
  EXPECT_EQ(read().memory, 4096u);
}

TEST_F(LimitsTest, InAContainerTheGroupIsTheRoot) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "2147483648\n");
  write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(read().memory, std::size_t{1} << 31);
  EXPECT_EQ(read().processors, 0.5);
}

TEST_F(LimitsTest, VersionOne) {
  write("proc/self/cgroup", "4:memory:/box\n2:cpu,cpuacct:/box\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read().memory, SIZE_MAX);
  EXPECT_TRUE(std::isinf(read().processors));
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "8192\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(read().memory, 8192u);
  EXPECT_EQ(read().processors, 2);
}

TEST(Limits, OfThisMachineAreUsable) {
  EXPECT_GE(processors(), 1);
  EXPECT_GE(memory_bytes(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace gradproof::test
