// The sink: every way to write results, on every instruction set of the machine, at every place of
// a cache line, against scalars written one by one. Memory around the results must not change.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/kernels/sink_test.cpp"
#include "opt/kernels/vector/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/vector/sink-inl.h"
#include "opt/kernels/vector/strided_copy-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

template <class Scalar>
void write(Scalar* to, float* sums, std::size_t n, bool streaming, bool take) {
  if (take) {
    take_sums(to, sums, n, streaming);
  } else {
    write_sums(to, sums, n, streaming);
  }
}
void write_floats(float* to, float* sums, std::size_t n, bool streaming, bool take) {
  write(to, sums, n, streaming, take);
}
void write_halves(Float16* to, float* sums, std::size_t n, bool streaming, bool take) {
  write(to, sums, n, streaming, take);
}
void write_brains(BFloat16* to, float* sums, std::size_t n, bool streaming, bool take) {
  write(to, sums, n, streaming, take);
}

template <class Scalar>
void take_two_lines(Scalar* to, float* sums, bool streaming) {
  take_lines<2 * static_cast<std::int64_t>(kLine / sizeof(Scalar))>(to, sums, streaming);
}
void float_lines(float* to, float* sums, bool streaming) { take_two_lines(to, sums, streaming); }
void brain_lines(BFloat16* to, float* sums, bool streaming) { take_two_lines(to, sums, streaming); }

void brain_line(BFloat16* to, const float* sums, bool streaming) {
  if (streaming) {
    write_sum_line<true>(to, sums);
  } else {
    write_sum_line<false>(to, sums);
  }
}

void zero_lines(std::uint16_t* to, std::size_t n) { stream_zero_lines(to, n); }

/// Rows of `widths` words, each `step` words behind the end of the one before it.
void stage_rows(std::uint16_t* to, const std::uint16_t* from, const std::int64_t* widths,
                std::int64_t rows, std::int64_t step, std::byte* staged, bool streaming) {
  StagedRows<std::uint16_t> sink;
  sink.start(staged, streaming);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto n = static_cast<std::size_t>(widths[i]);
    std::uint16_t* place = sink.append(to, widths[i]);
    std::memcpy(place, from, n * sizeof *place);
    std::memset(place + n, 0xcc, kLine);  // a vector that runs over the end
    sink.settle();
    to += widths[i] + step, from += widths[i];
  }
  sink.finish();
}

void spread_words(const std::uint16_t* from, std::int64_t n, std::uint16_t* to,
                  std::int64_t stride) {
  copy_into_gaps(from, n, to, stride);
}
void spread_floats(const float* from, std::int64_t n, float* to, std::int64_t stride) {
  copy_into_gaps(from, n, to, stride);
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gradproof::kernels {
GRADPROOF_VARIANTS(write_floats);
GRADPROOF_VARIANTS(write_halves);
GRADPROOF_VARIANTS(write_brains);
GRADPROOF_VARIANTS(float_lines);
GRADPROOF_VARIANTS(brain_lines);
GRADPROOF_VARIANTS(brain_line);
GRADPROOF_VARIANTS(zero_lines);
GRADPROOF_VARIANTS(stage_rows);
GRADPROOF_VARIANTS(spread_words);
GRADPROOF_VARIANTS(spread_floats);

namespace {

std::vector<InstructionSet> sets_here() {
  std::vector<InstructionSet> sets;
  for (int i = 0; i < kInstructionSets; ++i) {
    if (available(static_cast<InstructionSet>(i))) sets.push_back(static_cast<InstructionSet>(i));
  }
  return sets;
}

std::vector<float> some_sums(std::size_t n) {
  std::vector<float> sums(n);
  for (std::size_t i = 0; i < n; ++i) sums[i] = 1.0f + 0.3f * static_cast<float>(i);
  sums[n / 2] = std::numeric_limits<float>::quiet_NaN();
  return sums;
}

/// Memory of n scalars that begins with a cache line and is full of one byte.
template <class Scalar>
class Memory {
 public:
  explicit Memory(std::size_t n) : bytes_(n * sizeof(Scalar) + kLine, std::byte{0x5a}) {
    void* at = bytes_.data();
    std::size_t room = bytes_.size();
    first_ = static_cast<Scalar*>(std::align(kLine, n * sizeof(Scalar), at, room));
  }
  Scalar* data() { return first_; }
  bool operator==(const Memory& other) const {
    return std::memcmp(first_, other.first_, bytes_.size() - kLine) == 0;
  }

 private:
  std::vector<std::byte> bytes_;
  Scalar* first_;
};

class Sink : public testing::TestWithParam<InstructionSet> {};

template <class Scalar, class Write>
void expect_runs(const Write& write) {
  constexpr std::size_t kMost = 150;
  const std::vector<float> sums = some_sums(kMost);
  for (const bool take : {false, true}) {
    for (const bool streaming : {false, true}) {
      for (std::size_t start = 0; start < 33; ++start) {
        for (std::size_t n = 0; n < kMost; ++n) {
          Memory<Scalar> got(200), want(200);
          for (std::size_t i = 0; i < n; ++i) narrow(sums[i], want.data()[start + i]);
          std::vector<float> left = sums;
          write(got.data() + start, left.data(), n, streaming, take);
          ASSERT_TRUE(got == want) << start << ' ' << n << ' ' << streaming << take;
          for (std::size_t i = 0; i < kMost; ++i) {
            const bool cleared = take && i < n;
            ASSERT_TRUE(cleared ? left[i] == 0 : std::isnan(sums[i]) || left[i] == sums[i]) << i;
          }
        }
      }
    }
  }
}

TEST_P(Sink, RunsOfEveryLengthAtEveryPlace) {
  expect_runs<float>(GRADPROOF_DISPATCH(write_floats, GetParam()));
  expect_runs<Float16>(GRADPROOF_DISPATCH(write_halves, GetParam()));
  expect_runs<BFloat16>(GRADPROOF_DISPATCH(write_brains, GetParam()));
}

template <class Scalar, class Write>
void expect_lines(const Write& write) {
  constexpr std::size_t kScalars = 2 * kLine / sizeof(Scalar);
  for (const bool streaming : {false, true}) {
    for (const std::size_t start : {0, 1, 5}) {
      Memory<Scalar> got(100), want(100);
      std::vector<float> sums = some_sums(kScalars + 1);
      for (std::size_t i = 0; i < kScalars; ++i) narrow(sums[i], want.data()[start + i]);
      write(got.data() + start, sums.data(), streaming);
      EXPECT_TRUE(got == want) << start << streaming;
      EXPECT_EQ(std::count(sums.begin(), sums.end() - 1, 0.0f), static_cast<int>(kScalars));
      EXPECT_NE(sums.back(), 0.0f);
    }
  }
}

TEST_P(Sink, WholeLines) {
  expect_lines<float>(GRADPROOF_DISPATCH(float_lines, GetParam()));
  expect_lines<BFloat16>(GRADPROOF_DISPATCH(brain_lines, GetParam()));
}

TEST_P(Sink, OneLine) {
  constexpr std::size_t kScalars = kLine / sizeof(BFloat16);
  const std::vector<float> sums = some_sums(kScalars);
  for (const std::size_t start : {0, 3}) {
    for (const bool streaming : {false, true}) {
      if (streaming && start != 0) continue;
      Memory<BFloat16> got(100), want(100);
      for (std::size_t i = 0; i < kScalars; ++i) narrow(sums[i], want.data()[start + i]);
      GRADPROOF_DISPATCH(brain_line, GetParam())(got.data() + start, sums.data(), streaming);
      EXPECT_TRUE(got == want) << start << streaming;
    }
  }
}

TEST_P(Sink, ZerosOfWholeLines) {
  constexpr std::size_t kScalars = kLine / sizeof(std::uint16_t);
  for (std::size_t start = 0; start < 3 * kScalars; start += kScalars) {
    for (std::size_t n = 0; n < 4 * kScalars; n += kScalars) {
      Memory<std::uint16_t> got(200), want(200);
      std::fill_n(want.data() + start, n, std::uint16_t{0});
      GRADPROOF_DISPATCH(zero_lines, GetParam())(got.data() + start, n);
      ASSERT_TRUE(got == want) << start << ' ' << n;
    }
  }
}

TEST_P(Sink, RowsThatAreCollected) {
  std::mt19937 random(1);
  for (const std::int64_t step : {0, 3}) {
    for (const std::int64_t widest : {5, 40, 700}) {
      for (std::size_t start = 0; start < 32; start += 7) {
        std::vector<std::int64_t> widths;
        std::int64_t total = 0;
        for (int i = 0; i < 40; ++i) {
          widths.push_back(1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(widest)));
          total += widths.back();
        }
        std::vector<std::uint16_t> from(static_cast<std::size_t>(total));
        for (auto& x : from) x = static_cast<std::uint16_t>(random());
        const std::size_t room = start + static_cast<std::size_t>(total + 40 * step) + 64;
        Memory<std::uint16_t> got(room), want(room);
        std::uint16_t* to = want.data() + start;
        const std::uint16_t* next = from.data();
        for (const std::int64_t width : widths) {
          std::copy_n(next, width, to);
          to += width + step, next += width;
        }
        const auto bytes = static_cast<std::size_t>(staged_bytes(widest * 2));
        Memory<std::byte> staged(bytes + 64), untouched(64);
        GRADPROOF_DISPATCH(stage_rows, GetParam())
        (got.data() + start, from.data(), widths.data(), 40, step, staged.data(), step == 0);
        EXPECT_TRUE(got == want) << widest << ' ' << start << ' ' << step;
        EXPECT_EQ(std::memcmp(staged.data() + bytes, untouched.data(), 64), 0) << "overrun";
      }
    }
  }
}

template <class Scalar, class Write>
void expect_spread(const Write& write) {
  std::vector<Scalar> from(150);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Scalar>(i * 257 + 1);
  for (const std::int64_t stride : {1, 2, 3}) {
    for (std::int64_t n = 0; n < 150; ++n) {
      Memory<Scalar> got(500), want(500);
      for (std::int64_t i = 0; i < n; ++i)
        want.data()[1 + i * stride] = from[static_cast<std::size_t>(i)];
      write(from.data(), n, got.data() + 1, stride);
      ASSERT_TRUE(got == want) << stride << ' ' << n;
    }
  }
}

TEST_P(Sink, StridedColumnsKeepTheirGaps) {
  expect_spread<std::uint16_t>(GRADPROOF_DISPATCH(spread_words, GetParam()));
  expect_spread<float>(GRADPROOF_DISPATCH(spread_floats, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Sets, Sink, testing::ValuesIn(sets_here()),
                         [](const auto& parameter) { return name(parameter.param); });

}  // namespace
}  // namespace gradproof::kernels

#endif  // HWY_ONCE
