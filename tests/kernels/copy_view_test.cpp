// Copies between views (opt/kernels/vector/copy_view.h), and the kernels that stand on them.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "opt/kernels/vector/copy_view.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Extents5;
using kernels::Strides5;

/// A view whose first element begins a cache line, in memory full of a byte that no element has.
class Memory {
 public:
  Memory(const Extents5& e, const Strides5& s, int bytes) : e_(e), s_(s), bytes_(bytes) {
    const Axes3 p = e.plane;
    const std::int64_t last =
        (e.n - 1) * s.n + (e.c - 1) * s.c + (p.d - 1) * s.d + (p.h - 1) * s.h + (p.w - 1) * s.w;
    memory_.assign(static_cast<std::size_t>((last + 1) * bytes) + 128, std::byte{0xee});
    first_ = (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) % 64;
  }
  std::byte* data() { return memory_.data() + first_; }

  /// f(element's number, its place) for each element.
  template <class F>
  void for_each(const F& f) {
    std::uint32_t number = 0;
    for (std::int64_t n = 0; n < e_.n; ++n)
      for (std::int64_t c = 0; c < e_.c; ++c)
        for (std::int64_t d = 0; d < e_.plane.d; ++d)
          for (std::int64_t h = 0; h < e_.plane.h; ++h)
            for (std::int64_t w = 0; w < e_.plane.w; ++w)
              f(number++, data() + (n * s_.n + c * s_.c + d * s_.d + h * s_.h + w * s_.w) * bytes_);
  }
  void fill() {
    for_each([&](std::uint32_t number, std::byte* at) {
      const std::uint32_t value = number % 0xee00;  // in two bytes, too, unlike the gaps
      std::memcpy(at, &value, static_cast<std::size_t>(bytes_));
    });
  }
  /// Whether the elements are those of fill(), and nothing lies between them.
  bool filled() {
    Memory want(e_, s_, bytes_);
    want.fill();
    return std::equal(data(), memory_.data() + memory_.size() - (64 - first_), want.data());
  }

 private:
  using Axes3 = kernels::Axes3;
  Extents5 e_;
  Strides5 s_;
  int bytes_;
  std::vector<std::byte> memory_;
  std::size_t first_;
};

/// Strides of the axes n, c, d, h, w in the order of their numbers, innermost last; each axis is
/// `gaps[axis]` longer than it need be.
Strides5 strides(const Extents5& e, const std::array<int, 5>& order,
                 const std::array<int, 5>& gaps) {
  const std::array<std::int64_t, 5> extent{e.n, e.c, e.plane.d, e.plane.h, e.plane.w};
  std::array<std::int64_t, 5> stride{};
  std::int64_t next = 1;
  for (int i = 4; i >= 0; --i) {
    const auto axis = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
    stride[axis] = next;
    next *= extent[axis] + gaps[axis];
  }
  return {stride[0], stride[1], stride[2], stride[3], stride[4]};
}

void expect_copies(const Extents5& e, const Strides5& from, const Strides5& to, int bytes) {
  Memory source(e, from, bytes);
  source.fill();
  for (int i = 0; i < kInstructionSets; ++i) {
    const auto set = static_cast<InstructionSet>(i);
    if (!available(set)) continue;
    for (const bool stream : {false, true}) {
      Memory target(e, to, bytes);
      kernels::copy_view(e, bytes, {source.data(), from}, {target.data(), to}, stream, {set, 3, 0});
      ASSERT_TRUE(target.filled()) << name(set) << ", " << bytes << " bytes, stream " << stream;
    }
  }
}

TEST(CopyView, AnyOrderOfAxesAndAnyGapsInAView) {
  Rng rng(1);
  for (int round = 0; round < 150 && !testing::Test::HasFatalFailure(); ++round) {
    const Extents5 e{
        pick(rng, 1, 3), pick(rng, 1, 20), {pick(rng, 1, 3), pick(rng, 1, 6), pick(rng, 1, 20)}};
    std::array<int, 5> order{0, 1, 2, 3, 4}, gaps{};
    const Strides5 planes = strides(e, order, {1, 1, 0, 0, 0});
    std::shuffle(order.begin(), order.end(), rng);
    for (int& gap : gaps) gap = pick(rng, 0, 2) == 0 ? 1 : 0;
    const Strides5 view = strides(e, order, gaps);
    SCOPED_TRACE(round);
    expect_copies(e, planes, view, round % 4 < 2 ? 2 : 4);
    expect_copies(e, view, planes, round % 4 < 2 ? 2 : 4);
  }
}

TEST(CopyView, ChannelsLastAndBack) {
  const std::array<int, 5> planes{0, 1, 2, 3, 4}, channels{0, 2, 3, 4, 1}, none{};
  for (const std::int64_t c : {1, 7, 16, 64, 96, 131}) {
    for (const kernels::Axes3& plane : {kernels::Axes3{1, 3, 5}, {2, 4, 16}, {3, 20, 21}}) {
      const Extents5 e{2, c, plane};
      const Strides5 first = strides(e, planes, none), last = strides(e, channels, none);
      for (const int bytes : {2, 4}) {
        SCOPED_TRACE(c);
        expect_copies(e, first, last, bytes);
        expect_copies(e, last, first, bytes);
      }
    }
  }
}

TEST(CopyView, EverySecondColumn) {
  for (const std::int64_t w : {1, 2, 7, 8, 9, 16, 17, 31, 33, 100, 1200}) {
    const Extents5 e{1, 2, {1, 3, w}};
    const auto rows = [&](std::int64_t step, std::int64_t between) {
      const std::int64_t h = w * step + between;
      return Strides5{6 * h, 3 * h, 3 * h, h, step};
    };
    // Rows that follow each other, and rows with a gap between them.
    for (const std::int64_t between : {0, 3}) {
      for (const std::int64_t step : {1, 2, 3}) {
        for (const int bytes : {2, 4}) {
          SCOPED_TRACE(w);
          expect_copies(e, rows(1, 0), rows(step, between), bytes);
          expect_copies(e, rows(step, between), rows(1, 0), bytes);
        }
      }
    }
  }
}

TEST(CopyView, NothingOfAnEmptyTensor) {
  std::byte guard{0xee};
  kernels::copy_view({2, 3, {0, 4, 5}}, 4, {&guard, {}}, {&guard, {}}, false, {});
  EXPECT_EQ(guard, std::byte{0xee});
}

}  // namespace
}  // namespace gradproof::test
