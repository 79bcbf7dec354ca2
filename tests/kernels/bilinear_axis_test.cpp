// Coordinates and weights of bilinear interpolation, and the transpose of an axis.
#include "opt/kernels/bilinear_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/kernels/run_kernel.h"

namespace gradproof::kernels {
namespace {

struct Gathered {
  std::vector<std::int64_t> begin, position;
  std::vector<float> weight;
};
Gathered gather(const BilinearAxis& axis) {
  const auto entries = static_cast<std::size_t>(BilinearGather::entries_of(axis));
  Gathered g{std::vector<std::int64_t>(static_cast<std::size_t>(axis.in) + 1),
             std::vector<std::int64_t>(entries), std::vector<float>(entries)};
  BilinearGather{g.begin.data(), g.position.data(), g.weight.data()}.fill(axis);
  return g;
}

void expect_tap(const BilinearAxis& axis, std::int64_t position, std::int64_t i0, std::int64_t i1,
                float w0, float w1) {
  const BilinearAxis::Tap t = axis.tap(position);
  EXPECT_EQ(t.i0, i0) << position;
  EXPECT_EQ(t.i1, i1) << position;
  EXPECT_EQ(t.w0, w0) << position;
  EXPECT_EQ(t.w1, w1) << position;
}

TEST(BilinearAxis, HandWorkedHalfPixel) {  // 2 → 4: x = −¼→0, ¼, ¾, 1¼→1
  const BilinearAxis axis = bilinear_axis(2, 4, false, 0);
  expect_tap(axis, 0, 0, 1, 1.0f, 0.0f);
  expect_tap(axis, 1, 0, 1, 0.75f, 0.25f);
  expect_tap(axis, 2, 0, 1, 0.25f, 0.75f);
  expect_tap(axis, 3, 1, 1, 1.0f, 0.0f);
}

TEST(BilinearAxis, HandWorkedAlignedCorners) {  // 3 → 5: x = 0, ½, 1, 1½, 2
  const BilinearAxis axis = bilinear_axis(3, 5, true, 7.0);
  expect_tap(axis, 0, 0, 1, 1.0f, 0.0f);
  expect_tap(axis, 1, 0, 1, 0.5f, 0.5f);
  expect_tap(axis, 3, 1, 2, 0.5f, 0.5f);
  expect_tap(axis, 4, 2, 2, 1.0f, 0.0f);
  expect_tap(bilinear_axis(3, 1, true, 0), 0, 0, 1, 1.0f, 0.0f);
}

TEST(BilinearAxis, ScaleCountsOnlyIfPositiveAndCornersAreNotAligned) {
  EXPECT_EQ(bilinear_axis(4, 8, false, 2.5).ratio, 1 / 2.5);
  EXPECT_EQ(bilinear_axis(4, 8, false, -2.5).ratio, 0.5);
  EXPECT_EQ(bilinear_axis(4, 8, false, 0).ratio, 0.5);
  EXPECT_EQ(bilinear_axis(4, 7, true, 2.5).ratio, 0.5);
}

TEST(BilinearAxis, AnyScaleStaysInside) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min(),
                   kMost = std::numeric_limits<double>::max();
  for (const double scale : {kLeast, 1e-300, 1e-20, 1e-3, 1.0, 1e20, kMost}) {
    for (const std::int64_t in :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{9}, std::int64_t{1} << 60}) {
      const BilinearAxis axis = bilinear_axis(in, 5, false, scale);
      for (std::int64_t o = 0; o < 5; ++o) {
        const BilinearAxis::Tap t = axis.tap(o);
        EXPECT_GE(t.i0, 0);
        EXPECT_LE(t.i0, t.i1);
        EXPECT_LE(t.i1, std::min(t.i0 + 1, in - 1));
        EXPECT_EQ(t.w0 + t.w1, 1.0f);
      }
    }
  }
  EXPECT_EQ(bilinear_axis(9, 5, false, kLeast).tap(0).i0, 8);  // 1/scale is +Inf
  EXPECT_EQ(bilinear_axis(9, 5, false, kMost).tap(4).i0, 0);
}

TEST(BilinearAxis, GatherIsTheTransposeOfTheTaps) {
  for (std::int64_t in = 1; in <= 9; ++in) {
    for (std::int64_t out = 1; out <= 12; ++out) {
      for (const double scale : {0.0, 0.3, 1.0, 2.0, 2.7, 50.0}) {
        for (const bool align : {false, true}) {
          const BilinearAxis axis = bilinear_axis(in, out, align, scale);
          std::vector<double> expected(static_cast<std::size_t>(in * out)), got(expected.size());
          for (std::int64_t o = 0; o < out; ++o) {
            const BilinearAxis::Tap t = axis.tap(o);
            expected[static_cast<std::size_t>(t.i0 * out + o)] += t.w0;
            expected[static_cast<std::size_t>(t.i1 * out + o)] += t.w1;
          }
          const Gathered g = gather(axis);
          for (std::int64_t i = 0; i < in; ++i) {
            std::int64_t previous = -1;
            for (std::int64_t e = g.begin[static_cast<std::size_t>(i)];
                 e < g.begin[static_cast<std::size_t>(i) + 1]; ++e) {
              const std::int64_t o = g.position[static_cast<std::size_t>(e)];
              EXPECT_GT(o, previous);
              EXPECT_NE(g.weight[static_cast<std::size_t>(e)], 0);
              got[static_cast<std::size_t>(i * out + o)] = g.weight[static_cast<std::size_t>(e)];
              previous = o;
            }
          }
          ASSERT_EQ(got, expected) << in << " " << out << " " << scale << " " << align;
        }
      }
    }
  }
}

TEST(BilinearAxis, TheCallersRoundingModeDoesNotMatter) {
  const double expected = bilinear_axis(3, 7, false, 0).ratio;
  const test::HostileMode mode;
  EXPECT_EQ(bilinear_axis(3, 7, false, 0).ratio, expected);
}

}  // namespace
}  // namespace gradproof::kernels
