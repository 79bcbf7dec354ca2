// Vector conversions and streaming stores, on every instruction set of the machine, against the
// scalar definitions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/kernels/simd_test.cpp"
#include "opt/kernels/vector/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

template <class Scalar>
void widen_all(const Scalar* from, float* to, std::size_t n) {
  const Floats d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(widen_from(d, from + i), d, to + i);
}
void widen_float16(const Float16* from, float* to, std::size_t n) { widen_all(from, to, n); }
void widen_bfloat16(const BFloat16* from, float* to, std::size_t n) { widen_all(from, to, n); }

void write_floats(float* to, const float* sums, std::size_t n, bool streaming) {
  write_sums(to, sums, n, streaming);
}
void write_float16(Float16* to, const float* sums, std::size_t n, bool streaming) {
  write_sums(to, sums, n, streaming);
}
void write_bfloat16(BFloat16* to, const float* sums, std::size_t n, bool streaming) {
  write_sums(to, sums, n, streaming);
}
void copy_words(std::uint16_t* to, const std::uint16_t* from, std::size_t n, bool streaming) {
  write_copy(to, from, n, streaming);
}
std::int64_t compiled_for() { return HWY_TARGET; }

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

#include "opt/kernels/machine.h"
#include "opt/kernels/parallel.h"

namespace gradproof::kernels {
GRADPROOF_VARIANTS(widen_float16);
GRADPROOF_VARIANTS(widen_bfloat16);
GRADPROOF_VARIANTS(write_floats);
GRADPROOF_VARIANTS(write_float16);
GRADPROOF_VARIANTS(write_bfloat16);
GRADPROOF_VARIANTS(copy_words);
GRADPROOF_VARIANTS(compiled_for);
}  // namespace gradproof::kernels

namespace gradproof::kernels {
namespace {

std::vector<InstructionSet> sets_here() {
  std::vector<InstructionSet> sets;
  for (int i = 0; i < kInstructionSets; ++i) {
    if (available(static_cast<InstructionSet>(i))) sets.push_back(static_cast<InstructionSet>(i));
  }
  return sets;
}

class Simd : public testing::TestWithParam<InstructionSet> {};

TEST(InstructionSets, EachHasItsOwnCode) {
  std::set<std::int64_t> targets;
  for (const InstructionSet set : sets_here())
    targets.insert(GRADPROOF_DISPATCH(compiled_for, set)());
  EXPECT_EQ(targets.size(), sets_here().size());
  EXPECT_EQ(GRADPROOF_DISPATCH(compiled_for, best_instruction_set())(), *targets.begin());
}

TEST(InstructionSets, NamesAreFoundAgain) {
  for (const InstructionSet set : sets_here()) EXPECT_EQ(find_instruction_set(name(set)), set);
  for (const char* none : {"", "avx", "AVX2", "avx2 ", "neon sve"})
    EXPECT_EQ(find_instruction_set(none), std::nullopt) << none;
  int there = 0;
  for (const char* either : {"sse4", "neon"}) there += find_instruction_set(either) ? 1 : 0;
  EXPECT_LE(there, 1) << "instructions of two families of processors";
}

TEST(Machine, StreamsFromAShareOfTheSecondLevelCacheOn) {
  const auto bytes = [](std::int64_t l2_bytes, bool whole_lines) {
    return Machine{InstructionSet::scalar, 1, l2_bytes}.streamed_bytes(whole_lines);
  };
  EXPECT_EQ(bytes(1 << 20, true), 512 << 10);
  EXPECT_EQ(bytes(1 << 20, false), kStreamedBytes);
  EXPECT_EQ(bytes(64 << 10, true), 256 << 10) << "little is gained below";
  EXPECT_EQ(bytes(8 << 20, true), kStreamedBytes);
  EXPECT_EQ(bytes(0, true), kStreamedBytes) << "not known";
}

TEST(Machine, PlansSmallCallsAsLargeOnes) {
  Machine on{InstructionSet::scalar, 3, 1 << 20};
  EXPECT_EQ(worker_count(on, 5, 10), 1);
  EXPECT_EQ(tile_rows(10, 1, on).tiles, 1);
  on.as_large = true;
  EXPECT_EQ(on.streamed_bytes(true), 0);
  EXPECT_EQ(on.streamed_bytes(false), 0);
  EXPECT_EQ(worker_count(on, 5, 10), 3);
  EXPECT_EQ(worker_count(on, 2, 10), 2);
  EXPECT_EQ(tile_rows(10, 1, on).tiles, 10);
  EXPECT_TRUE(on.for_inner().as_large);
}

TEST_P(Simd, EveryFloat16AndBFloat16Widens) {
  std::vector<Float16> half(0x10000);
  std::vector<BFloat16> brain(0x10000);
  for (std::size_t i = 0; i < half.size(); ++i)
    half[i].bits = brain[i].bits = static_cast<std::uint16_t>(i);
  std::vector<float> wide(0x10000);
  GRADPROOF_DISPATCH(widen_float16, GetParam())(half.data(), wide.data(), wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]),
              std::bit_cast<std::uint32_t>(to_float(half[i])))
        << i;
  GRADPROOF_DISPATCH(widen_bfloat16, GetParam())(brain.data(), wide.data(), wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]),
              std::bit_cast<std::uint32_t>(to_float(brain[i])))
        << i;
}

/// All midpoints and representable values of both types with their neighbours, and a grid.
std::vector<float> interesting_floats() {
  std::vector<float> list;
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 0x1000) {
    for (int step = -1; step <= 1; ++step)
      list.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits) +
                                          static_cast<std::uint32_t>(step)));
  }
  // Midpoints of FLOAT16's subnormals lie at other places.
  for (int i = 0; i < 2048; ++i) {
    const float middle = (static_cast<float>(i) + 0.5f) * 0x1p-24f;
    for (const float x : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1.0f)}) {
      list.push_back(x);
      list.push_back(-x);
    }
  }
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 4099)
    list.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return list;
}

template <class Scalar, class Write>
void expect_narrowed(const Write& write, bool streaming) {
  static const std::vector<float> sums = interesting_floats();
  // Scalars that no alignment helps, and room to see that nothing is written behind them.
  std::vector<Scalar> got(sums.size() + 2), want(sums.size() + 2);
  std::memset(static_cast<void*>(got.data()), 0x5a, got.size() * sizeof(Scalar));
  std::memset(static_cast<void*>(want.data()), 0x5a, want.size() * sizeof(Scalar));
  for (std::size_t i = 0; i < sums.size(); ++i) narrow(sums[i], want[i + 1]);
  write(got.data() + 1, sums.data(), sums.size(), streaming);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(Scalar)) == 0) continue;
    FAIL() << "sum " << (i > 0 && i <= sums.size() ? sums[i - 1] : 0) << " at " << i << " of "
           << sums.size() << (streaming ? ", streaming" : "");
  }
}

TEST_P(Simd, SumsRoundAsTheDefinitionSays) {
  for (const bool streaming : {false, true}) {
    expect_narrowed<float>(GRADPROOF_DISPATCH(write_floats, GetParam()), streaming);
    expect_narrowed<Float16>(GRADPROOF_DISPATCH(write_float16, GetParam()), streaming);
    expect_narrowed<BFloat16>(GRADPROOF_DISPATCH(write_bfloat16, GetParam()), streaming);
  }
}

TEST_P(Simd, RunsOfEveryLengthAtEveryPlace) {
  constexpr std::uint16_t kOld = 0x5a5a;
  std::vector<std::uint16_t> from(200);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint16_t>(i * 257 + 1);
  for (const bool streaming : {false, true}) {
    for (std::size_t start = 0; start < 33; ++start) {
      for (std::size_t n = 0; n < 150; ++n) {
        std::vector<std::uint16_t> copy(200, kOld), want = copy;
        std::copy_n(from.begin() + 3, n, want.begin() + static_cast<std::ptrdiff_t>(start));
        GRADPROOF_DISPATCH(copy_words, GetParam())
        (copy.data() + start, from.data() + 3, n, streaming);
        ASSERT_EQ(copy, want) << start << ' ' << n;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Simd, testing::ValuesIn(sets_here()),
                         [](const auto& parameter) { return name(parameter.param); });

}  // namespace
}  // namespace gradproof::kernels

#endif  // HWY_ONCE
