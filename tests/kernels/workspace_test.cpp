// The layout of a workspace, with gaps between its areas and without.
#include "opt/kernels/workspace.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace gradproof::kernels {
namespace {

/// A workspace of a layout, which begins with a cache line.
class Memory {
 public:
  explicit Memory(const WorkspaceLayout& layout) : lines_(layout.bytes() / kCacheLine + 1) {}
  std::byte* begin() { return lines_.front().bytes; }

 private:
  struct alignas(kCacheLine) Line {
    std::byte bytes[kCacheLine]{};
  };
  std::vector<Line> lines_;
};

TEST(WorkspaceLayout, AreasBeginWithCacheLines) {
  WorkspaceLayout layout;
  EXPECT_EQ(layout.take(3, 4), 0u);
  EXPECT_EQ(layout.bytes(), 12u);
  const WorkspaceLayout::Slots slots = layout.take_slots(2, 65, 1);
  EXPECT_EQ(slots.offset, 64u);
  EXPECT_EQ(slots.stride, 128u);
  EXPECT_EQ(layout.bytes(), 64u + 2 * 128u);
  layout.reach(1000);
  EXPECT_EQ(layout.bytes(), 1000u);
}

TEST(WorkspaceLayout, SizesThatDoNotFitSaturate) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  for (const bool with_gaps : {false, true}) {
    WorkspaceLayout layout(with_gaps);
    layout.take(kMost / 2, 4);
    layout.take_slots(2, 1, 1);
    EXPECT_EQ(layout.bytes(), kMost);
  }
}

TEST(WorkspaceLayout, GapsAreBehindEachAreaAndSlot) {
  WorkspaceLayout layout(true);
  const std::uint64_t area = layout.take(3, 4);
  const WorkspaceLayout::Slots slots = layout.take_slots(2, 65, 1);
  Memory memory(layout);
  std::byte* const workspace = memory.begin();
  const std::byte* const end = workspace + layout.bytes();
  layout.fill_gaps(workspace);
  EXPECT_TRUE(layout.gaps_are_whole(workspace));
  std::vector<std::byte*> begins = {workspace + area, slots.at<std::byte>(workspace, 0),
                                    slots.at<std::byte>(workspace, 1)};
  const std::size_t sizes[] = {12, 65, 65};
  for (std::size_t i = 0; i < begins.size(); ++i) {
    std::fill_n(begins[i], sizes[i], std::byte{0});
    EXPECT_TRUE(layout.gaps_are_whole(workspace)) << "area " << i;
    const std::byte* const next = i + 1 < begins.size() ? begins[i + 1] : end;
    for (std::byte* beside : {begins[i] + sizes[i], const_cast<std::byte*>(next - 1)}) {
      const std::byte before = *beside;
      *beside = std::byte{0};
      EXPECT_FALSE(layout.gaps_are_whole(workspace)) << "area " << i;
      *beside = before;
    }
  }
  EXPECT_TRUE(layout.gaps_are_whole(workspace));
}

TEST(WorkspaceLayout, WithoutGapsNothingIsWrittenOrMissed) {
  WorkspaceLayout layout;
  layout.take(3, 4);
  layout.take(3, 4);
  Memory memory(layout);
  layout.fill_gaps(memory.begin());
  for (std::uint64_t i = 0; i < layout.bytes(); ++i) EXPECT_EQ(memory.begin()[i], std::byte{0});
  EXPECT_TRUE(layout.gaps_are_whole(memory.begin()));
}

}  // namespace
}  // namespace gradproof::kernels
