// Which scales of upsampling count, and which fit the sizes.
#include "ref/scales.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {
namespace {

/// Upsampling along W from 5 to 7, H from 2 to 4.
Call image(Operator op, double h, double w) {
  Call c = valid_call(op);
  const Tensor small = make_tensor({1, 3, 2, 5}, kFloat, kNchw);
  const Tensor large = make_tensor({1, 3, 4, 7}, kFloat, kNchw);
  c.tensors = is_backward(op) ? std::vector{large, small} : std::vector{small, large};
  c.arrays = is_backward(op) ? make_arrays({{4, 7}, {1, 3, 2, 5}}) : make_arrays({{4, 7}});
  c.flags = {0};
  c.reals = {h, w};
  EXPECT_EQ(expect(c).status, kSuccess) << expect(c).violation.detail;
  return c;
}
constexpr Operator kBoth[] = {Operator::upsample_bilinear2d_backward,
                              Operator::upsample_bilinear2d};

TEST(Scales, FitWhereTheFlooredProductIsTheSize) {
  for (Operator op : kBoth) {
    for (double w : {1.4, 1.5, std::nextafter(1.6, 0), 0.0, -3.0, -0.0})
      EXPECT_TRUE(scales_fit(image(op, 2, w))) << w;
    for (double w : {1.6, 1.7, 1.39, 1.0, 2.0, 5e-324, 1e300})
      EXPECT_FALSE(scales_fit(image(op, 2, w))) << w;
    for (double h : {2.0, 2.4999}) EXPECT_TRUE(scales_fit(image(op, h, 0))) << h;
    for (double h : {1.9999, 2.5}) EXPECT_FALSE(scales_fit(image(op, h, 0))) << h;
  }
}

TEST(Scales, CountTogetherWhereBothMustFit) {
  for (Operator op : kBoth) {
    const auto in_effect = [&](double h, double w, std::size_t axis) {
      return scale_in_effect(image(op, h, w), axis, Scales::both);
    };
    EXPECT_EQ(in_effect(2, 1.5, 0), 2);
    EXPECT_EQ(in_effect(2, 1.5, 1), 1.5);
    for (std::size_t axis : {0, 1}) {
      EXPECT_EQ(in_effect(2, 1.6, axis), 0);
      EXPECT_EQ(in_effect(0, 1.5, axis), 0);
    }
    Call older = image(op, 2, 1.5);
    older.product = Product::Ascend910;
    EXPECT_EQ(scale_in_effect(older, 0, Scales::both), 0);
  }
}

TEST(Scales, TheProductIsRoundedToDouble) {
  EXPECT_FALSE(scale_fits(49, 1, 1.0 / 49));  // 49 · fl(1/49) is less than 1
  EXPECT_TRUE(scale_fits(49, 0, 1.0 / 49));
  EXPECT_TRUE(scale_fits(3, 1, 1.0 / 3));  // less than 1 by less than half a unit: rounded to 1
}

TEST(Scales, FitWhereTheyDoNotCount) {
  for (Operator op : kBoth) {
    Call c = image(op, 9, 9);
    EXPECT_FALSE(scales_fit(c));
    c.flags[0] = 1;
    EXPECT_TRUE(scales_fit(c));
    c.flags[0] = 0;
    for (Product product : {Product::Ascend910, Product::Ascend310P}) {
      c.product = product;
      EXPECT_TRUE(scales_fit(c)) << name(product);
      EXPECT_EQ(scale_in_effect(c, 1), 0);
    }
    c.product = Product::Ascend910_93;
    EXPECT_FALSE(scales_fit(c));
    EXPECT_EQ(scale_in_effect(c, 1), 9);
  }
  EXPECT_TRUE(scales_fit(valid_call(Operator::replication_pad2d_backward)));
}

TEST(Scales, OfNhwcBelongToItsAxes) {
  Call c = valid_call(Operator::upsample_bilinear2d);
  c.tensors = {make_tensor({1, 2, 5, 3}, kFloat, kNhwc), make_tensor({1, 4, 7, 3}, kFloat, kNhwc)};
  c.arrays = make_arrays({{4, 7}});
  c.flags = {0};
  c.reals = {2, 1.5};
  ASSERT_EQ(expect(c).status, kSuccess) << expect(c).violation.detail;
  EXPECT_TRUE(scales_fit(c));
  std::swap(c.reals[0], c.reals[1]);
  EXPECT_FALSE(scales_fit(c));
}

}  // namespace
}  // namespace gradproof::ref::testing
