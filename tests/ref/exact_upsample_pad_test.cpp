// Hand-worked results of upsampling and padding.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {
namespace {

using Numbers = std::vector<long double>;
constexpr long double kInf = std::numeric_limits<long double>::infinity();
const long double kNan = std::nanl("");

Call upsample_row(std::int64_t in, std::int64_t out, bool align, double scale) {
  Call c = valid_call(Operator::upsample_bilinear2d_backward);
  c.tensors = {make_tensor({1, 1, 1, out}, kFloat, kNchw),
               make_tensor({1, 1, 1, in}, kFloat, kNchw)};
  c.arrays = make_arrays({{1, out}, {1, 1, 1, in}});
  c.flags = {align};
  c.reals = {0, scale};
  EXPECT_EQ(expect(c).status, kSuccess);
  return c;
}
Numbers upsample_row_gradient(const Call& c, const Numbers& g) {
  return run(c, {make_dense(kFloat, {1, 1, 1, static_cast<std::int64_t>(g.size())}, g), {}});
}

TEST(UpsampleBilinear2dBackward, HandWorkedRows) {
  // x = 0, 0.25, 0.75, 1 after clamping.
  EXPECT_EQ(upsample_row_gradient(upsample_row(2, 4, false, 0), {1, 2, 3, 4}),
            (Numbers{3.25, 6.75}));
  // alignCorners, r = 0.5: x = 0, 0.5, 1, 1.5, 2.
  EXPECT_EQ(upsample_row_gradient(upsample_row(3, 5, true, 0), {1, 2, 4, 8, 16}),
            (Numbers{2, 9, 20}));
  // alignCorners with one output: x = 0.
  EXPECT_EQ(upsample_row_gradient(upsample_row(3, 1, true, 7), {5}), (Numbers{5, 0, 0}));
  // scale 4, r = 0.25: x = 0, 0, 0.125.
  EXPECT_EQ(upsample_row_gradient(upsample_row(2, 3, false, 4), {1, 2, 8}), (Numbers{10, 1}));
  // A negative scale is none: x = 0.25, 1.75 + …: 3 → 2, r = 1.5.
  EXPECT_EQ(upsample_row_gradient(upsample_row(3, 2, false, -2), {4, 8}), (Numbers{3, 1 + 2, 6}));
}

TEST(UpsampleBilinear2dBackward, ScalesCountOnNewerProductsOnly) {
  Call c = upsample_row(2, 4, false, 1);
  for (Product product : {Product::Ascend910, Product::Ascend310P}) {
    c.product = product;
    EXPECT_EQ(upsample_row_gradient(c, {1, 2, 3, 4}), (Numbers{3.25, 6.75})) << name(product);
  }
  for (Product product : {Product::Ascend910B, Product::Ascend910_93}) {
    c.product = product;
    EXPECT_EQ(upsample_row_gradient(c, {1, 2, 3, 4}), (Numbers{1, 9})) << name(product);
  }
}

TEST(UpsampleBilinear2d, ScalesCountOnNewerProductsOnly) {
  Call c = valid_call(Operator::upsample_bilinear2d);
  c.tensors = {make_tensor({1, 1, 1, 2}, kFloat, kNchw), make_tensor({1, 1, 1, 4}, kFloat, kNchw)};
  c.arrays = make_arrays({{1, 4}});
  c.flags = {0};
  c.reals = {1, 1};
  const std::vector<Dense> in = {make_dense(kFloat, {1, 1, 1, 2}, {0, 8}), {}};
  for (Product product : {Product::Ascend910, Product::Ascend310P}) {
    c.product = product;
    EXPECT_EQ(run(c, in), (Numbers{0, 2, 6, 8})) << name(product);
  }
  for (Product product : {Product::Ascend910B, Product::Ascend910_93}) {
    c.product = product;
    EXPECT_EQ(run(c, in), (Numbers{0, 8, 8, 8})) << name(product);
  }
}

TEST(UpsampleBilinear2dBackward, AnyFiniteScaleIsSafe) {
  for (double scale : {5e-324, 1e-300, 1e300, 1.7976931348623157e308, -1e300, -0.0}) {
    for (bool align : {false, true}) {
      const Numbers got = upsample_row_gradient(upsample_row(3, 4, align, scale), {1, 1, 1, 1});
      EXPECT_NEAR(static_cast<double>(got[0] + got[1] + got[2]), 4, 1e-14) << scale;
    }
  }
  // 1/scale is Inf: every coordinate is clamped to the last element.
  EXPECT_EQ(upsample_row_gradient(upsample_row(3, 2, false, 5e-324), {1, 2}), (Numbers{0, 0, 3}));
}

TEST(UpsampleBilinear2dBackward, AZeroWeightLetsNothingThrough) {
  const Call c = upsample_row(3, 3, false, 0);
  const std::vector<Dense> in = {make_dense(kFloat, {1, 1, 1, 3}, {1, kInf, kNan}), {}};
  const std::vector<Exact> all = whole(Evaluation(c, in), c, 1);
  EXPECT_EQ(all[0].value, 1);
  EXPECT_EQ(all[0].terms, 1);
  EXPECT_EQ(all[0].near, 1);
  EXPECT_TRUE(all[0].near_non_finite);
  EXPECT_EQ(all[1].value, kInf);
  EXPECT_TRUE(std::isnan(all[2].value));
}

TEST(UpsampleBilinear2d, NhwcIsPermutedNchw) {
  for (Operator op : {Operator::upsample_bilinear2d_backward, Operator::upsample_bilinear2d}) {
    Call c = valid_call(op), p = c;
    auto permuted = [](const Shape& s) { return Shape{s[0], s[2], s[3], s[1]}; };
    for (Tensor& t : p.tensors) t = make_tensor(permuted(t.shape), kFloat, kNhwc);
    if (is_backward(op))
      int_array(p, "inputSize").values = permuted(int_array(c, "inputSize").values);
    ASSERT_EQ(expect(p).status, kSuccess) << expect(p).violation.detail;
    const Dense in = numbers(c.tensors[0], 5);
    const Shape& s = c.tensors[0].shape;
    Numbers moved(static_cast<std::size_t>(count(s)));
    for (std::int64_t n = 0; n < s[0]; ++n)
      for (std::int64_t ch = 0; ch < s[1]; ++ch)
        for (std::int64_t i = 0; i < s[2] * s[3]; ++i) {
          moved[(n * s[2] * s[3] + i) * s[1] + ch] =
              load(in.bytes.data(), kFloat, (n * s[1] + ch) * s[2] * s[3] + i);
        }
    const Numbers plain = run(c, {in, {}}),
                  nhwc = run(p, {make_dense(kFloat, p.tensors[0].shape, moved), {}});
    const Shape& o = c.tensors[1].shape;
    for (std::int64_t n = 0; n < o[0]; ++n)
      for (std::int64_t ch = 0; ch < o[1]; ++ch)
        for (std::int64_t i = 0; i < o[2] * o[3]; ++i) {
          ASSERT_EQ(nhwc[(n * o[2] * o[3] + i) * o[1] + ch],
                    plain[(n * o[1] + ch) * o[2] * o[3] + i]);
        }
  }
}

Call pad_call(bool backward, std::int32_t dtype, const Shape& self, const Shape& padded,
              const Shape& padding) {
  Call c =
      valid_call(backward ? Operator::replication_pad2d_backward : Operator::replication_pad2d);
  const Tensor s = make_tensor(self, dtype), p = make_tensor(padded, dtype);
  c.tensors = backward ? std::vector<Tensor>{p, s, s} : std::vector<Tensor>{s, p};
  c.arrays = make_arrays({padding});
  EXPECT_EQ(expect(c).status, kSuccess) << expect(c).violation.detail;
  return c;
}

TEST(ReplicationPad2dBackward, BordersCollectAndCroppedElementsAreZero) {
  // self 3×2, left 1, right 0, top −1, bottom 2: padded is 4×3.
  const Call c = pad_call(true, kFloat, {1, 3, 2}, {1, 4, 3}, {1, 0, -1, 2});
  EXPECT_EQ(
      run(c, {make_dense(kFloat, {1, 4, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), {}, {}}),
      (Numbers{0, 0, 3, 3, 4 + 5 + 7 + 8 + 10 + 11, 6 + 9 + 12}));
}

TEST(ReplicationPad2dBackward, ComplexPartsStayApart) {
  const Call c = pad_call(true, kComplex64, {1, 1, 2}, {1, 1, 3}, {1, 0, 0, 0});
  EXPECT_EQ(run(c, {make_dense(kComplex64, {1, 1, 3}, {1, 10, 2, 20, 3, 30}), {}, {}}),
            (Numbers{3, 30, 3, 30}));
  const std::vector<Dense> none(3);
  EXPECT_EQ(Evaluation(c, none).result_type(2), kFloat);
  const Call wide = pad_call(true, kComplex128, {1, 1, 2}, {1, 1, 3}, {1, 0, 0, 0});
  EXPECT_EQ(Evaluation(wide, none).sum_type(2), kDouble);
}

TEST(ReplicationPad2d, RepeatsTheBorder) {
  const Call c = pad_call(false, kFloat, {1, 2, 3}, {1, 3, 4}, {2, -1, 1, 0});
  EXPECT_EQ(run(c, {make_dense(kFloat, {1, 2, 3}, {1, 2, 3, 4, 5, 6}), {}}),
            (Numbers{1, 1, 1, 2, 1, 1, 1, 2, 4, 4, 4, 5}));
}

}  // namespace
}  // namespace gradproof::ref::testing
