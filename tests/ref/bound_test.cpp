// The bound from both sides: interval ends, ties, overflow, subnormals, NaN and Inf.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ref/bound.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::ref {
namespace {

constexpr long double kInf = std::numeric_limits<long double>::infinity();
const long double kNan = std::nanl("");

Exact sum_of(const std::vector<long double>& terms) {
  Exact e;
  for (long double t : terms) {
    e.value += t;
    if (std::isfinite(t)) e.magnitude += std::fabs(t);
    ++e.terms;
  }
  return e;
}

BoundSpec spec(std::int32_t result, Arithmetic arithmetic = Arithmetic::sum,
               std::int32_t sum = kFloat) {
  BoundSpec s;
  s.arithmetic = arithmetic;
  s.sum_type = sum;
  s.result_type = result;
  return s;
}

TEST(Bound, NoTermsMeansZero) {
  EXPECT_TRUE(judge({}, 0, spec(kFloat)).right);
  EXPECT_TRUE(judge({}, -0.0L, spec(kFloat)).right);
  const Judgement wrong = judge({}, 0x1p-149L, spec(kFloat));
  EXPECT_FALSE(wrong.right);
  EXPECT_EQ(wrong.fraction, kInf);
}

TEST(Bound, OneTermIsExact) {
  const Exact e = sum_of({0.1F});
  EXPECT_TRUE(judge(e, 0.1F, spec(kFloat)).right);
  EXPECT_FALSE(judge(e, next_up(kFloat, 0.1F), spec(kFloat)).right);
  // Rounded once to FLOAT16, and no neighbour.
  const long double half = round_to(kFloat16, 0.1F);
  EXPECT_TRUE(judge(e, half, spec(kFloat16)).right);
  EXPECT_EQ(judge(e, half, spec(kFloat16)).fraction, 0);
  EXPECT_FALSE(judge(e, next_up(kFloat16, half), spec(kFloat16)).right);
}

TEST(Bound, TiesGoToEven) {
  const Exact tie = sum_of({2049});  // between 2048 and 2050 in FLOAT16, one term
  EXPECT_TRUE(judge(tie, 2048, spec(kFloat16)).right);
  EXPECT_FALSE(judge(tie, 2050, spec(kFloat16)).right);
  // With two terms the interval reaches over the tie: both neighbours can come out.
  const Exact two = sum_of({2048, 1});
  EXPECT_TRUE(judge(two, 2048, spec(kFloat16)).right);
  const Judgement other = judge(two, 2050, spec(kFloat16));
  EXPECT_TRUE(other.right);
  EXPECT_EQ(other.fraction, 0);  // the exact value is itself an end of what rounds to 2050
  EXPECT_FALSE(judge(two, 2046, spec(kFloat16)).right);
}

TEST(Bound, BothSidesOfTheInterval) {
  // Two terms of FLOAT: half-width u·Σ|t| (and a little for the reference), that is 6·2⁻²⁴ here, so
  // results up to 6 steps of 2⁻²⁴ away from 0 are right, and the seventh is not.
  const Exact e = sum_of({3, -3});
  for (const int sign : {1, -1}) {
    EXPECT_TRUE(judge(e, sign * 6 * 0x1p-24L, spec(kFloat)).right);
    EXPECT_FALSE(judge(e, sign * 7 * 0x1p-24L, spec(kFloat)).right);
    EXPECT_NEAR(judge(e, sign * 3 * 0x1p-24L, spec(kFloat)).fraction, 0.5, 1e-6);
    EXPECT_NEAR(judge(e, sign * 12 * 0x1p-24L, spec(kFloat)).fraction, 2, 1e-6);
  }
  const Judgement j = judge(e, 1, spec(kFloat));
  EXPECT_NEAR(static_cast<double>(j.high), 6 * 0x1p-24, 1e-12);
  EXPECT_EQ(j.low, -j.high);
  // The same sum in double has 2⁻²⁹ of that room.
  EXPECT_FALSE(judge(e, 6 * 0x1p-24L, spec(kDouble, Arithmetic::sum, kDouble)).right);
  EXPECT_TRUE(judge(e, 6 * 0x1p-53L, spec(kDouble, Arithmetic::sum, kDouble)).right);
}

TEST(Bound, GrowsWithTheNumberOfTerms) {
  Exact e = sum_of({1, -1});
  const long double off = 9 * 0x1p-24L;
  EXPECT_FALSE(judge(e, off, spec(kFloat)).right);
  e.terms = 6;  // 5 roundings of at most u·2
  EXPECT_TRUE(judge(e, off, spec(kFloat)).right);
}

TEST(Bound, StaysFiniteBeyondTheReachOfGamma) {
  // 2²⁵ + 1 ones: a plain loop in FLOAT stays at 2²⁴. (1+u)^(2²⁵) − 1 is e² − 1 but for 10⁻⁷.
  Exact e;
  e.terms = (std::int64_t{1} << 25) + 1;
  e.value = e.magnitude = static_cast<long double>(e.terms);
  EXPECT_TRUE(judge(e, 0x1p24L, spec(kFloat)).right);
  EXPECT_TRUE(judge(e, round_to(kFloat, 0x1p25L * 7.388L), spec(kFloat)).right);
  EXPECT_FALSE(judge(e, round_to(kFloat, 0x1p25L * 7.390L), spec(kFloat)).right);
  EXPECT_FALSE(judge(e, kInf, spec(kFloat)).right);
  EXPECT_FALSE(judge(e, kNan, spec(kFloat)).right);
}

TEST(Bound, ResultMustBeOfTheResultType) {
  // FLOAT tensors computed in FLOAT16: a FLOAT between two FLOAT16 values is wrong.
  const Exact e = sum_of({1, 0x1p-13L});
  EXPECT_TRUE(judge(e, 1, spec(kFloat16)).right);
  EXPECT_FALSE(judge(e, 1 + 0x1p-13L, spec(kFloat16)).right);
}

TEST(Bound, WeightedSumsHaveRoomForWeightsAndUnderflow) {
  Exact e;
  e.value = e.magnitude = e.unweighted = 1;
  e.terms = 1;
  const BoundSpec w = spec(kFloat, Arithmetic::weighted);
  EXPECT_TRUE(judge(e, 1 + 2 * 0x1p-23L, w).right);  // γ(4) = 4u = two steps
  EXPECT_FALSE(judge(e, 1 + 3 * 0x1p-23L, w).right);
  e.value = e.magnitude = e.unweighted = 0x1p-149L;
  EXPECT_TRUE(judge(e, 0, w).right);
  EXPECT_TRUE(judge(e, 0x1p-148L, w).right);
  EXPECT_FALSE(judge(e, 0x1p-147L, w).right);
}

TEST(Bound, SubnormalsAreKept) {
  const Exact e = sum_of({0x1p-149L, 0x1p-149L});
  EXPECT_TRUE(judge(e, 0x1p-148L, spec(kFloat)).right);
  EXPECT_FALSE(judge(e, 0, spec(kFloat)).right);
  EXPECT_TRUE(judge(sum_of({0x1p-24L}), 0x1p-24L, spec(kFloat16)).right);
  EXPECT_FALSE(judge(sum_of({0x1p-24L}), 0, spec(kFloat16)).right);
}

TEST(Bound, OverflowOfTheResultType) {
  EXPECT_TRUE(judge(sum_of({65504, 16}), kInf, spec(kFloat16)).right);
  EXPECT_TRUE(judge(sum_of({65520}), kInf, spec(kFloat16)).right);
  EXPECT_FALSE(judge(sum_of({65520}), 65504, spec(kFloat16)).right);
  EXPECT_FALSE(judge(sum_of({65519}), kInf, spec(kFloat16)).right);
  EXPECT_TRUE(judge(sum_of({-65519}), -65504, spec(kFloat16)).right);
  EXPECT_FALSE(judge(sum_of({65504, 16}), -kInf, spec(kFloat16)).right);
}

TEST(Bound, OverflowOfPartialSums) {
  const long double big = 0x1.FFFFp127L;
  const Exact cancelled = sum_of({big, big, -big});
  EXPECT_TRUE(judge(cancelled, big, spec(kFloat)).right);     // a lucky order, or double sums
  EXPECT_TRUE(judge(cancelled, kInf, spec(kFloat)).right);    // big + big first
  EXPECT_FALSE(judge(cancelled, -kInf, spec(kFloat)).right);  // the negative terms reach no Inf
  EXPECT_FALSE(judge(cancelled, kNan, spec(kFloat)).right);
  const Exact both = sum_of({big, big, -big, -big});
  EXPECT_TRUE(judge(both, kNan, spec(kFloat)).right);
  EXPECT_TRUE(judge(both, -kInf, spec(kFloat)).right);
  const long double largest = 0x1.FFFFFEp127L;
  EXPECT_FALSE(judge(sum_of({largest, -largest}), kInf, spec(kFloat)).right);
  EXPECT_FALSE(judge(cancelled, kInf, spec(kDouble, Arithmetic::sum, kDouble)).right);
  // Rows may be added before the columns' weights make them smaller.
  Exact weighted;
  weighted.value = weighted.magnitude = big / 2;
  weighted.unweighted = 2 * big;
  weighted.terms = 2;
  EXPECT_TRUE(judge(weighted, kInf, spec(kFloat, Arithmetic::weighted)).right);
  weighted.unweighted = big / 2;
  EXPECT_FALSE(judge(weighted, kInf, spec(kFloat, Arithmetic::weighted)).right);
}

TEST(Bound, NanAndInf) {
  const Exact nan = sum_of({1, kNan}), inf = sum_of({1, kInf}), minus = sum_of({-kInf, 5});
  EXPECT_TRUE(judge(nan, kNan, spec(kFloat)).right);
  EXPECT_TRUE(judge(nan, -kNan, spec(kFloat)).right);
  EXPECT_FALSE(judge(nan, 1, spec(kFloat)).right);
  EXPECT_FALSE(judge(nan, kInf, spec(kFloat)).right);
  EXPECT_TRUE(judge(inf, kInf, spec(kFloat)).right);
  EXPECT_FALSE(judge(inf, -kInf, spec(kFloat)).right);
  EXPECT_FALSE(judge(inf, kNan, spec(kFloat)).right);
  EXPECT_FALSE(judge(inf, 0x1.FFFFFEp127L, spec(kFloat)).right);
  EXPECT_TRUE(judge(minus, -kInf, spec(kFloat)).right);
  EXPECT_FALSE(judge(sum_of({1, 2}), kNan, spec(kFloat)).right);
  const long double big = 0x1.FFFFFEp127L;
  EXPECT_TRUE(judge(sum_of({kInf, -big, -big}), kNan, spec(kFloat)).right);
  EXPECT_FALSE(judge(sum_of({kInf, big, big}), kInf * -1, spec(kFloat)).right);
}

TEST(Bound, ExactArithmeticComparesValues) {
  const BoundSpec s = spec(kFloat, Arithmetic::exact);
  EXPECT_TRUE(judge(sum_of({7}), 7, s).right);
  EXPECT_FALSE(judge(sum_of({7}), 8, s).right);
  EXPECT_TRUE(judge(sum_of({kNan}), kNan, s).right);
  EXPECT_TRUE(judge(sum_of({0}), -0.0L, s).right);
  EXPECT_FALSE(judge(sum_of({kInf}), -kInf, s).right);
}

TEST(Bound, DeviceAccuracyCoversInexactWeights) {
  Exact e;
  e.value = e.magnitude = 1;
  e.unweighted = 4;
  e.terms = 1;
  BoundSpec s = spec(kFloat, Arithmetic::weighted);
  s.weight_error = 1e-3;
  EXPECT_FALSE(judge(e, 1.0039L, s).right);
  s.numerics.coordinates = kFloat;
  EXPECT_TRUE(judge(e, round_to(kFloat, 1.0039L), s).right);
  EXPECT_FALSE(judge(e, round_to(kFloat, 1.0041L), s).right);
  e.near_non_finite = true;
  EXPECT_TRUE(judge(e, kNan, s).right);
  e.value = kNan;  // of a NaN that may get no weight in FLOAT
  EXPECT_TRUE(judge(e, 1, s).right);
  s.numerics = {};
  EXPECT_FALSE(judge(e, 1, s).right);
  e.value = 1;
  EXPECT_FALSE(judge(e, kNan, s).right);
}

/// Adds the terms from left to right in `type`, as an implementation with that accumulator does.
long double added_in(std::int32_t type, const std::vector<long double>& terms) {
  long double sum = 0;
  for (const long double t : terms) sum = round_to(type, sum + round_to(type, t));
  return sum;
}

TEST(Bound, AccumulationWidensByTheTypesOwnRoundoffAndNoMore) {
  const std::vector<long double> terms(300, 1);  // BF16 stays at 256
  const Exact e = sum_of(terms);
  BoundSpec s = spec(kBf16);
  const long double stalled = added_in(kBf16, terms);
  ASSERT_EQ(stalled, 256);
  EXPECT_FALSE(judge(e, stalled, s).right);
  s.sum_type = s.numerics.accumulation = kBf16;
  EXPECT_TRUE(judge(e, stalled, s).right);
  // Three terms have two roundings: 2⁻⁸ each.
  const Exact three = sum_of({256, 1, 1});
  EXPECT_TRUE(judge(three, 256, s).right);
  EXPECT_FALSE(judge(three, 252, s).right);
  s.sum_type = s.numerics.accumulation = kFloat16;
  EXPECT_FALSE(judge(three, 256, s).right);
}

TEST(Bound, AccumulationInANarrowTypeRoundsAndLosesTerms) {
  BoundSpec s = spec(kFloat);
  const Exact one = sum_of({1.001L}), tiny = sum_of({0x1p-26L}), large = sum_of({70000});
  EXPECT_FALSE(judge(one, round_to(kFloat16, 1.001L), s).right);
  EXPECT_FALSE(judge(tiny, 0, s).right);
  EXPECT_FALSE(judge(large, kInf, s).right);
  s.sum_type = s.numerics.accumulation = kFloat16;
  EXPECT_TRUE(judge(one, round_to(kFloat16, 1.001L), s).right);
  EXPECT_TRUE(judge(tiny, 0, s).right);
  EXPECT_TRUE(judge(large, kInf, s).right);
  EXPECT_FALSE(judge(one, 1.01L, s).right);
  EXPECT_FALSE(judge(large, 60000, s).right);
  // A type that holds the terms leaves a single one alone.
  s = spec(kFloat16);
  s.sum_type = s.numerics.accumulation = kFloat16;
  EXPECT_FALSE(judge(sum_of({1}), 1 + 0x1p-10L, s).right);
}

TEST(Bound, FlushedSubnormalsMayBeZeroAndNothingElse) {
  BoundSpec s = spec(kFloat16);
  const long double small = 0x1p-15L;  // subnormal in FLOAT16
  EXPECT_FALSE(judge(sum_of({small}), 0, s).right);
  s.numerics.flushes_subnormals = true;
  EXPECT_TRUE(judge(sum_of({small}), 0, s).right);
  EXPECT_TRUE(judge(sum_of({small}), small, s).right);
  EXPECT_TRUE(judge(sum_of({1, small}), 1, s).right);
  EXPECT_FALSE(judge(sum_of({small}), -1, s).right);
  EXPECT_FALSE(judge(sum_of({0x1p-12L}), 0, s).right);
  EXPECT_FALSE(judge(sum_of({1}), 1 + 0x1p-9L, s).right);
}

TEST(Bound, ZeroTimesInfinityMakesNanOnlyWhereThereIsSuchATerm) {
  Exact e;
  e.value = e.magnitude = 1;
  e.unweighted = e.terms = 1;
  BoundSpec s = spec(kFloat, Arithmetic::weighted);
  s.numerics.zero_times_infinity = true;
  EXPECT_FALSE(judge(e, kNan, s).right);
  e.zero_non_finite = true;
  EXPECT_TRUE(judge(e, kNan, s).right);
  EXPECT_FALSE(judge(e, kInf, s).right);
  EXPECT_TRUE(judge(e, 1, s).right);
  s.numerics = {};
  EXPECT_FALSE(judge(e, kNan, s).right);
}

}  // namespace
}  // namespace gradproof::ref
