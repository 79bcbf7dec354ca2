// Inaccessible pages beside device memory, and the property that makes them.
#include <cstring>

#include "props/subject/memory.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

class Fenced : public testing::Test {
 protected:
  Fenced() { our_session().select(ref::Product::Ascend910B); }
  void prepare(std::size_t bytes, Fence fence, std::size_t alignment) {
    block_.prepare(bytes, fence, alignment);
    std::vector<std::byte>& image = block_.make_image(0x5A);
    std::memset(image.data() + Block::kGuard, 0x11, bytes);
    block_.upload();
    block_.set_accessible(false);
  }
  std::uint8_t at(std::ptrdiff_t offset) const {
    return static_cast<const volatile std::uint8_t&>(
        *reinterpret_cast<const std::uint8_t*>(block_.data() + offset));
  }
  void expect_intact() {
    block_.set_accessible(true);
    EXPECT_FALSE(block_.first_change(false).has_value());
  }

  Block block_{our_session().library().api()};
};

TEST_F(Fenced, NothingBehindIsAccessible) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{70000}}) {
    prepare(bytes, Fence::behind, 1);
    const auto end = static_cast<std::ptrdiff_t>(bytes);
    EXPECT_EQ(at(end - 1), 0x11);
    EXPECT_EQ(at(-1), 0x5A);
    EXPECT_DEATH(at(end), "");
    expect_intact();
  }
}

TEST_F(Fenced, NothingBeforeIsAccessible) {
  prepare(9000, Fence::before, 1);
  EXPECT_EQ(at(0), 0x11);
  EXPECT_EQ(at(9000), 0x5A);
  EXPECT_DEATH(at(-1), "");
  expect_intact();
}

TEST_F(Fenced, DataAreAligned) {
  prepare(10, Fence::behind, 4);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block_.data()) % 4, 0u);
  EXPECT_EQ(at(11), 0x5A);
  EXPECT_DEATH(at(12), "");
  expect_intact();
}

TEST_F(Fenced, NothingIsFencedUnasked) {
  prepare(10, Fence::behind, 1);
  expect_intact();
  prepare(10, Fence::none, 1);
  EXPECT_EQ(at(-1), 0x5A);
  EXPECT_EQ(at(10), 0x5A);
  expect_intact();
}

TEST_F(Fenced, OurLibraryStaysInBounds) {
  Bench bench{our_session()};
  const Verdict verdict = find_property("in-bounds")->check(pad_case(), bench);
  EXPECT_TRUE(verdict.held && verdict.checked) << verdict.finding;
}

TEST_F(Fenced, ReadsBesideATensorShow) {
  const Library library(std::vector<std::string>{FAKE_BOTH});
  Session session(library);
  ASSERT_TRUE(session.select(ref::Product::Ascend910B));
  Bench bench{session};
  for (const char* fault : {"reads before", "reads behind"}) {
    const Fault misbehave(fault);
    EXPECT_TRUE(judged(session, pad_case()).held);
    EXPECT_DEATH(find_property("in-bounds")->check(pad_case(), bench), "");
  }
}

TEST_F(Fenced, MemoryThatCannotBeProtectedShows) {
  const Fault misbehave("device memory");
  const Library library(std::vector<std::string>{FAKE_BOTH});
  Session session(library);
  ASSERT_TRUE(session.select(ref::Product::Ascend910B));
  Bench bench{session};
  const Verdict verdict = find_property("in-bounds")->check(pad_case(), bench);
  EXPECT_FALSE(verdict.held);
  EXPECT_PRED2(contains, verdict.finding, "device memory is not memory of the process: mprotect: ");
}

}  // namespace
}  // namespace gradproof::props
