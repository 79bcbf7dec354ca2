// Data: each recipe, rounding, views that share addresses, index recipes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "props/cases/data/data.h"
#include "props/cases/data/fill.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/types.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

Case pool(const std::string& rest) {
  return parse_case(
      "max_pool3d_with_argmax_backward gradOutput=FLOAT[2,3,2,3,4]:ND self=FLOAT[2,3,4,6,8]:ND "
      "kernelSize=2 stride= padding=0 dilation=1 ceilMode=false gradInput=FLOAT[2,3,4,6,8]:ND " +
      rest);
}

TEST(Encode16, RoundsAsTheReferenceDoes) {
  SeededSource source(21);
  std::uint16_t stored = 0;
  for (std::int32_t type : {ref::kFloat16, ref::kBf16}) {
    const int mantissa = type == ref::kFloat16 ? 10 : 7;
    const auto check = [&](double value) {
      ref::store(&stored, type, 0, value);
      const std::uint16_t got = encode16(value, mantissa);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(ref::load(&got, type, 0)));
      } else {
        EXPECT_EQ(got, stored) << value;
      }
    };
    // Every finite value of the type, the middle to the next, and a hair on both sides of it.
    for (int bits = 0; bits < 0x10000; ++bits) {
      const auto number = static_cast<std::uint16_t>(bits);
      const auto value = static_cast<double>(ref::load(&number, type, 0));
      check(value);
      if (!std::isfinite(value) || number == 0x8000) continue;
      const auto next = static_cast<std::uint16_t>(bits + 1);
      const auto above = static_cast<double>(ref::load(&next, type, 0));
      const double middle =
          std::isfinite(above) ? value / 2 + above / 2 : value * (1 + std::ldexp(0.5, -mantissa));
      check(middle);
      check(std::nextafter(middle, 0));
      check(std::nextafter(middle, 2 * middle));
    }
    check(1e300);
    check(-1e-300);
    for (int i = 0; i < 10000; ++i) check(std::bit_cast<double>(source.below(~std::uint64_t{0})));
  }
}

TEST(Fills, AreWhatTheyAreCalled) {
  const std::int64_t n = 1 << 19;  // enough for several threads
  std::vector<float> x(static_cast<std::size_t>(n)), again(x.size());
  const auto fill = [&](Fill f, std::uint64_t seed) {
    fill_reals(f, Stream(seed, 0), ref::kFloat, x.data(), n);
  };
  double mean = 0, square = 0;
  const auto moments = [&] {
    mean = square = 0;
    for (float v : x) mean += v, square += double{v} * v;
    mean /= static_cast<double>(n);
    square = std::sqrt(square / static_cast<double>(n) - mean * mean);
  };

  fill({Fill::Kind::integers, 3, 0}, 1);
  std::map<float, int> counts;
  for (float v : x) ++counts[v];
  EXPECT_EQ(counts.size(), 7u);
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, n / 7.0, n / 70.0) << value;

  fill({Fill::Kind::uniform, -5, 5}, 1);
  moments();
  EXPECT_NEAR(mean, 0, 0.05);
  EXPECT_NEAR(square, 10 / std::sqrt(12), 0.02);
  fill({Fill::Kind::normal, 7, 2}, 1);
  moments();
  EXPECT_NEAR(mean, 7, 0.02);
  EXPECT_NEAR(square, 2, 0.02);
  EXPECT_GT(std::count_if(x.begin(), x.end(), [](float v) { return v > 13; }), 300)
      << "no tail at 3 deviations";

  fill({Fill::Kind::constant, -INFINITY, 0}, 1);
  EXPECT_EQ(x[77], -INFINITY);
  fill({Fill::Kind::powers, 8, 0}, 1);
  int exponent = 0, cancelling = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(std::abs(std::frexp(x[i], &exponent)), 0.5f);
    if (i % 2 == 1) cancelling += x[i] == -x[i - 1];
  }
  EXPECT_GT(cancelling, n / 4);
  fill({Fill::Kind::special, 8, 0}, 1);
  for (int kind : {FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL}) {
    EXPECT_GT(
        std::count_if(x.begin(), x.end(), [&](float v) { return std::fpclassify(v) == kind; }),
        n / 100)
        << kind;
  }

  // A value depends on seed, slot and position alone: a prefix filled by one thread is the same.
  fill_reals({Fill::Kind::normal, 0, 1}, Stream(5, 2), ref::kFloat, x.data(), n);
  fill_reals({Fill::Kind::normal, 0, 1}, Stream(5, 2), ref::kFloat, again.data(), 1000);
  EXPECT_EQ(std::memcmp(x.data(), again.data(), 4000), 0);
  fill_reals({Fill::Kind::normal, 0, 1}, Stream(5, 3), ref::kFloat, again.data(), 1000);
  EXPECT_NE(std::memcmp(x.data(), again.data(), 4000), 0);
}

TEST(Data, ElementsThatShareAnAddressShareTheirValue) {
  for (const char* layout : {"strides(0,4,0,1,0)", "strides(1,1,1,1,1)", "strides(72,24,12,3,2)",
                             "strides(0,0,0,0,0)", "strides(100000,0,0,4,1)"}) {
    const Case c =
        pool("indices=INT32[2,3,2,3,4]:ND:fill(in_range):" + std::string(layout) + " seed=3");
    const std::vector<ref::Dense> data = make_data(c);
    const int slot = ref::slot(c.call.op, "indices");
    std::map<std::int64_t, std::int32_t> memory;
    const auto* values = reinterpret_cast<const std::int32_t*>(data[slot].bytes.data());
    ViewWalk(c.call.tensors[slot]).each([&](std::int64_t i, std::int64_t where) {
      EXPECT_EQ(memory.try_emplace(where, values[i]).first->second, values[i])
          << layout << " " << i;
    });
  }
}

TEST(Data, IndexRecipes) {
  const int slot = ref::slot(ref::Operator::max_pool3d_with_argmax_backward, "indices");
  std::map<bool, int> in_window;
  for (int seed = 0; seed < 200; ++seed) {
    for (const char* kind : {"in_range", "one_bad", "forward"}) {
      const Case c = pool("indices=INT32[2,3,2,3,4]:ND:fill(" + std::string(kind) +
                          ") seed=" + std::to_string(seed));
      const std::vector<ref::Dense> data = make_data(c);
      int bad = 0;
      for (std::int64_t i = 0; i < 144; ++i) {
        const auto index =
            static_cast<std::int64_t>(ref::load(data[slot].bytes.data(), ref::kInt32, i));
        const bool outside = index < 0 || index >= 4 * 6 * 8;
        bad += outside;
        const bool window = index / 48 / 2 == i / 12 % 2 && index / 8 % 6 / 2 == i / 4 % 3 &&
                            index % 8 / 2 == i % 4;
        if (!outside && std::string(kind) == "in_range") ++in_window[window];
        if (std::string(kind) == "forward") {
          EXPECT_TRUE(window) << seed;
        }
      }
      EXPECT_EQ(bad, std::string(kind) == "one_bad" ? 1 : 0) << kind;
      EXPECT_EQ(data[ref::slot(c.call.op, "self")].bytes.empty(), std::string(kind) != "forward");
      EXPECT_TRUE(data[ref::slot(c.call.op, "gradInput")].bytes.empty());
    }
  }
  EXPECT_GT(in_window[true], 200 * 144 / 3);
  EXPECT_GT(in_window[false], 200 * 144 / 3);
}

TEST(Data, IndicesOfAPlaneWithoutElementsAreNoForwards) {
  const Case c = parse_case(
      "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,1,1,1,1]:NCDHW "
      "self=FLOAT[1,1,4,4,0]:NCDHW indices=INT32[1,1,1,1,1]:NCDHW:fill(forward) kernelSize=1 "
      "stride=1 padding=0 dilation=1 ceilMode=false gradInput=FLOAT[1,1,4,4,0]:NCDHW");
  const int slot = ref::slot(c.call.op, "indices");
  EXPECT_EQ(make_data(c)[static_cast<std::size_t>(slot)].bytes.size(), 4u);
}

/// A mask of 3 channels, 20 outputs of 4 positions and 48 words for each.
ref::Dense small_mask(int seed) {
  return make_data(parse_case(
      "max_pool2d_with_mask_backward gradOutput=FLOAT[1,3,4,5]:ND self=FLOAT[1,3,8,10]:ND "
      "indices=INT8[1,3,4,96]:ND:fill(in_range) kernelSize=2 stride= padding=0 dilation=1 "
      "ceilMode=false gradInput=FLOAT[1,3,8,10]:ND seed=" +
      std::to_string(seed)))[2];
}

/// How many outputs have none, one, … of their bits set.
std::map<int, int> outputs_by_bits(const ref::Dense& mask) {
  std::map<int, int> outputs;
  const auto* words = reinterpret_cast<const std::uint16_t*>(mask.bytes.data());
  for (int p = 0; p < 20; ++p) {
    for (int channel = 0; channel < 3; ++channel) {
      int set = 0;
      for (int k = 0; k < 4; ++k) set += words[k * 48 + p] >> channel & 1;
      ++outputs[set];
    }
  }
  return outputs;
}

TEST(Data, ThreeSeedsOfFourGiveMasksOfSingleBitsAndFewSecondOnes) {
  int outputs = 0, second = 0;
  for (int seed = 0; seed < 40; ++seed) {
    if (seed % 4 == 0) continue;
    std::map<int, int> by_bits = outputs_by_bits(small_mask(seed));
    outputs += by_bits[1] + by_bits[2];
    second += by_bits[2];
  }
  EXPECT_EQ(outputs, 30 * 60);
  EXPECT_GT(second, 0);
  EXPECT_LT(second, 30);
}

/// Outputs of a 3 × 3 window with padding whose single bit is that of a position beside the plane.
int bits_beside_the_plane(int seed) {
  constexpr int kSide = 6, kChannels = 16, kWords = 64;
  const ref::Dense mask = make_data(parse_case(
      "max_pool2d_with_mask_backward gradOutput=FLOAT[1,16,6,6]:ND self=FLOAT[1,16,6,6]:ND "
      "indices=INT8[1,16,9,128]:ND:fill(in_range) kernelSize=3 stride=1 padding=1 dilation=1 "
      "ceilMode=false gradInput=FLOAT[1,16,6,6]:ND seed=" +
      std::to_string(seed)))[2];
  const auto* words = reinterpret_cast<const std::uint16_t*>(mask.bytes.data());
  int beside = 0;
  for (int output = 0; output < kSide * kSide; ++output) {
    for (int k = 0; k < 9; ++k) {
      const int h = output / kSide + k / 3 - 1, w = output % kSide + k % 3 - 1;
      if (h >= 0 && h < kSide && w >= 0 && w < kSide) continue;
      for (int channel = 0; channel < kChannels; ++channel)
        beside += words[k * kWords + output] >> channel & 1;
    }
  }
  return beside;
}

TEST(Data, OfThreeMasksInFourFewSingleBitsAreBesideThePlane) {
  int none = 0, few = 0, many = 0;
  for (int seed = 1; seed < 128; seed += 4) {
    const int beside = bits_beside_the_plane(seed);
    ++(beside == 0 ? none : beside < 16 ? few : many);
  }
  EXPECT_GE(none, 8);
  EXPECT_GT(few, 4);
  EXPECT_EQ(many, 8);
}

TEST(Data, MasksHoldNoneOneAndSeveralBitsAndJunk) {
  const ref::Dense mask = small_mask(4);
  std::map<int, int> bits_at_a_position = outputs_by_bits(mask);
  const auto* words = reinterpret_cast<const std::uint16_t*>(mask.bytes.data());
  EXPECT_GT(bits_at_a_position[0], 0);
  EXPECT_GT(bits_at_a_position[1], 0);
  EXPECT_GT(bits_at_a_position[2] + bits_at_a_position[3] + bits_at_a_position[4], 0);
  int junk = 0;
  for (int word = 4 * 48; word < 3 * 4 * 48; ++word)
    junk += words[word] != 0;  // behind the packed array
  EXPECT_GT(junk, 100);
}

TEST(Data, EveryGeneratedCaseCanBeFilled) {
  for (ref::Operator op : all_operators()) {
    each_valid(op, 5, [](const CoveragePoint&, const Case& c) {
      ASSERT_TRUE(runnable(c, std::int64_t{1} << 24)) << to_text(c);
      const std::vector<ref::Dense> data = make_data(c);
      for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
        if (p.kind != ref::Kind::tensor || p.access != ref::Access::read) continue;
        const ref::Tensor& t = c.call.tensors[p.slot];
        EXPECT_EQ(data[p.slot].bytes.size(),
                  static_cast<std::size_t>(*element_count(t.shape) * ref::dtype_size(t.dtype)));
      }
    });
  }
}

TEST(Data, RunnableRefusesTheHugeTheNullAndInputsThatShareBytes) {
  EXPECT_TRUE(runnable(pool("indices=INT32[2,3,2,3,4]:ND"), 1 << 20));
  EXPECT_FALSE(runnable(pool("indices=INT32[2,3,2,3,4]:ND"), 1000));
  EXPECT_FALSE(runnable(pool("indices=null"), 1 << 20));
  EXPECT_FALSE(runnable(pool("indices=INT32[2,3,2,3,4]:ND:memory(gradOutput,100)"), 1 << 20));
  EXPECT_TRUE(runnable(pool("indices=INT32[2,3,2,3,4]:ND:memory(gradOutput,576)"), 1 << 20));
  EXPECT_FALSE(runnable(pool("indices=INT32[2,3,9223372036854775807,3,4]:ND"), 1 << 20));
  // One that is said to lie in its own memory lies where it is.
  Case c = pool("indices=INT32[2,3,2,3,4]:ND:memory(gradOutput,100)");
  c.call.tensors[0].shares = 0;
  c.call.tensors[0].shares_at = 1000;
  EXPECT_FALSE(runnable(c, 1 << 20));
}

TEST(Data, TheObstacleIsNamed) {
  const auto why = [](const char* indices) { return obstacle(pool(indices), 1000000); };
  EXPECT_EQ(why("indices=INT32[2,3,2,3,4]:ND"), "");
  EXPECT_EQ(obstacle(pool("indices=INT32[2,3,2,3,4]:ND"), 1000),
            "its tensors take more than 1000 bytes");
  EXPECT_EQ(why("indices=null"), "a tensor is null, or its type has no size");
  EXPECT_EQ(why("indices=INT32[2,3,2,3,4]:ND:memory(gradOutput,100)"),
            "two inputs share bytes, and no recipe can fill both");
}

}  // namespace
}  // namespace gradproof::props
