// Workspaces in use: which ones are refused to other streams, and how long that takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "opt/runtime/workspaces.h"

namespace gradproof::workspaces {
namespace {

const std::byte* at(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

/// Whose use refuses [begin, begin + bytes) to stream 9; 0: nobody's.
std::uint32_t refused_by(std::uintptr_t begin, std::uint64_t bytes) {
  const User other = claim(at(begin), bytes, {9, "call"}, true);
  if (other.stream == 0) release(at(begin), bytes, 9);
  return other.stream;
}

TEST(Workspaces, AreRefusedWhereTheyMeetAnotherStreams) {
  ASSERT_EQ(claim(at(100000), 50000, {1, "long"}, true).stream, 0u);
  ASSERT_EQ(claim(at(120000), 10, {1, "short"}, true).stream, 0u) << "its own stream's may overlap";
  ASSERT_EQ(claim(at(200000), 64, {2, "second"}, true).stream, 0u);
  EXPECT_EQ(refused_by(149999, 1), 1u);
  EXPECT_EQ(refused_by(150000, 1), 0u);
  EXPECT_EQ(refused_by(99999, 1), 0u);
  EXPECT_EQ(refused_by(99999, 2), 1u);
  EXPECT_EQ(refused_by(150000, 50000), 0u);
  EXPECT_EQ(refused_by(150000, 50001), 2u);
  EXPECT_EQ(refused_by(200063, 5), 2u);
  EXPECT_EQ(refused_by(200064, 5), 0u);
  EXPECT_EQ(claim(at(200000), 64, {9, "ordered"}, false).stream, 0u)
      << "it comes after by an event";
  release(at(200000), 64, 9);
  ASSERT_EQ(claim(at(200000), 64, {2, "again"}, true).stream, 0u);
  release(at(200000), 64, 2);
  EXPECT_EQ(refused_by(200000, 1), 2u) << "one call of two is done";
  release(at(200000), 64, 2);
  EXPECT_EQ(refused_by(200000, 1), 0u);
  release(at(100000), 50000, 1);
  EXPECT_EQ(refused_by(120000, 1), 1u);
  EXPECT_EQ(refused_by(130000, 1), 0u);
  release(at(120000), 10, 1);
}

/// Nanoseconds of a claim and a release where `count` workspaces are in use; the least of some
/// rounds.
double mean_time(std::uintptr_t count) {
  double least = 1e18;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::uintptr_t i = 1; i <= count; ++i) (void)claim(at(i * 4096), 128, {1, "call"}, true);
    for (std::uintptr_t i = 1; i <= count; ++i) release(at(i * 4096), 128, 1);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count() / static_cast<double>(count));
  }
  return least;
}

TEST(Workspaces, OfALongQueueTakeNoLonger) {
  const double few = mean_time(1024), many = mean_time(65536);
  std::printf("%.0f ns for each of 1024, %.0f ns for each of 65536\n", few, many);
  EXPECT_LT(many, 16 * few) << "64 if each looks at all";
}

}  // namespace
}  // namespace gradproof::workspaces
