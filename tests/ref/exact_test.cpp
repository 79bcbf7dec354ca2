// Hand-worked results of all ten operators.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {
namespace {

using Numbers = std::vector<long double>;
constexpr long double kInf = std::numeric_limits<long double>::infinity();
const long double kNan = std::nanl("");

Call mask_call(const Shape& gradient, const Shape& self, const Shape& mask,
               const std::vector<Shape>& arrays) {
  Call c = valid_call(Operator::max_pool2d_with_mask_backward);
  c.tensors = {make_tensor(gradient), make_tensor(self), make_tensor(mask, kInt8),
               make_tensor(self)};
  c.arrays = make_arrays(arrays);
  EXPECT_EQ(expect(c).status, kSuccess) << expect(c).violation.detail;
  return c;
}

// The sample of the operator's document: both outputs' bits at kernel position 0.
TEST(MaxPool2dWithMaskBackward, DocumentedSample) {
  Call c = mask_call({1, 1, 2, 1}, {1, 1, 4, 3}, {1, 1, 4, 64}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}});
  Numbers bits(256, 0);
  std::fill_n(bits.begin(), 32, -1);
  const std::vector<Dense> in = {make_dense(kFloat, {1, 1, 2, 1}, {0.4757F, 0.1726F}),
                                 {},
                                 make_dense(kInt8, {1, 1, 4, 64}, bits),
                                 {}};
  EXPECT_EQ(run(c, in), (Numbers{0.4757F, 0, 0, 0, 0, 0, 0.1726F, 0, 0, 0, 0, 0}));
}

TEST(MaxPool2dWithMaskBackward, ReadsTheBitsOfEveryChannelGroupAndKernelPosition) {
  // One output position of 17 channels, 1×2 kernel: uint16 mask[1][2][2][32], P = 32.
  Call c = mask_call({1, 17, 1, 1}, {1, 17, 1, 2}, {1, 17, 2, 64}, {{1, 2}, {1}, {0}, {1}});
  Numbers bytes(17 * 2 * 64, 0);
  bytes[0] = 0b0001;       // channel 0, k = 0
  bytes[1] = 0b0010;       // channel 9, k = 0
  bytes[64 + 1] = -128;    // channel 15, k = 1
  bytes[2 * 64] = 0b0011;  // channel 16, k = 0; channel 17 does not exist
  bytes[3 * 64] = 0b0001;  // channel 16, k = 1: a second bit for the same output
  bytes[2] = 0b0001;       // channel 0, k = 0, position 1, beyond Ho·Wo
  Numbers g(17);
  for (int i = 0; i < 17; ++i) g[i] = i + 1;
  const std::vector<Dense> in = {
      make_dense(kFloat, {1, 17, 1, 1}, g), {}, make_dense(kInt8, {1, 17, 2, 64}, bytes), {}};
  Numbers want(34, 0);
  want[0] = 1;
  want[2 * 9] = 10;
  want[2 * 15 + 1] = 16;
  want[2 * 16] = want[2 * 16 + 1] = 17;
  EXPECT_EQ(run(c, in), want);
}

TEST(MaxPool2dWithMaskBackward, IgnoresBitsInThePaddingAndAddsOverlaps) {
  // Width 2, kernel 2, stride 1, pad 1: windows start at −1, 0, 1.
  Call c = mask_call({1, 1, 3}, {1, 1, 2}, {1, 2, 64}, {{1, 2}, {1}, {0, 1}, {1}});
  Numbers bytes(128, 0);
  for (int p = 0; p < 3; ++p) bytes[2 * p] = bytes[64 + 2 * p] = 1;
  const std::vector<Dense> in = {
      make_dense(kFloat, {1, 1, 3}, {1, 10, 100}), {}, make_dense(kInt8, {1, 2, 64}, bytes), {}};
  EXPECT_EQ(run(c, in), (Numbers{11, 110}));
}

TEST(MaxPool2dWithMaskBackward, Ascend910ComputesFloatInFloat16) {
  Call c = mask_call({1, 1, 1}, {1, 1, 1}, {1, 1, 64}, {{1}, {}, {0}, {1}});
  const std::vector<Dense> in = {make_dense(kFloat, {1, 1, 1}, {1 + 0x1p-12L}),
                                 {},
                                 make_dense(kInt8, {1, 1, 64},
                                            [] {
                                              Numbers b(64, 0);
                                              b[0] = 1;
                                              return b;
                                            }()),
                                 {}};
  EXPECT_EQ(run(c, in), Numbers{1 + 0x1p-12L});
  EXPECT_EQ(Evaluation(c, in).result_type(3), kFloat);
  c.product = Product::Ascend910;
  EXPECT_EQ(run(c, in), Numbers{1});
  EXPECT_EQ(Evaluation(c, in).result_type(3), kFloat16);
}

TEST(MaxPool3dWithArgmaxBackward, EqualIndicesAccumulateAndSpecialsStayWhereTheyAre) {
  Call c = valid_call(Operator::max_pool3d_with_argmax_backward);
  c.tensors = {make_tensor({2, 1, 1, 4}), make_tensor({2, 1, 2, 5}),
               make_tensor({2, 1, 1, 4}, kInt32), make_tensor({2, 1, 2, 5})};
  c.arrays = make_arrays({{1, 2, 2}, {1, 1, 1}, {0}, {1}});
  ASSERT_EQ(expect(c).status, kSuccess) << expect(c).violation.detail;
  const std::vector<Dense> in = {
      make_dense(kFloat, {2, 1, 1, 4}, {1, 2, 4, 8, kNan, 1, kInf, -kInf}),
      {},
      make_dense(kInt32, {2, 1, 1, 4}, {6, 6, 0, 9, 0, 1, 2, 2}),
      {}};
  const Numbers got = run(c, in);
  EXPECT_EQ(Numbers(got.begin(), got.begin() + 10), (Numbers{4, 0, 0, 0, 0, 0, 3, 0, 0, 8}));
  EXPECT_TRUE(std::isnan(got[10]));
  EXPECT_EQ(got[11], 1);
  EXPECT_TRUE(std::isnan(got[12]));  // Inf − Inf
  EXPECT_EQ(Numbers(got.begin() + 13, got.end()), Numbers(7, 0));
  const std::vector<Exact> all = whole(Evaluation(c, in), c, 3);
  EXPECT_EQ(all[6].terms, 2);
  EXPECT_EQ(all[6].magnitude, 3);
  EXPECT_EQ(all[1].terms, 0);
}

TEST(AdaptiveMaxPool3dBackward, EmptyGradientsWriteZerosAndEmptyPlanesNothing) {
  Call c = valid_call(Operator::adaptive_max_pool3d_backward);
  c.tensors = {make_tensor({2, 0, 1, 1}), make_tensor({2, 1, 2, 2}),
               make_tensor({2, 0, 1, 1}, kInt32), make_tensor({2, 1, 2, 2})};
  const std::vector<Dense> in = {
      make_dense(kFloat, {2, 0, 1, 1}, {}), {}, make_dense(kInt32, {2, 0, 1, 1}, {}), {}};
  EXPECT_EQ(run(c, in), Numbers(8, 0));
  c.tensors[1] = c.tensors[3] = make_tensor({2, 1, 0, 2});
  EXPECT_EQ(run(c, in), Numbers{});
  EXPECT_EQ(Evaluation(c, in).plane_count(3), 0);
}

TEST(BadIndex, TheFirstOneIsFoundAndHarmless) {
  Call c = valid_call(Operator::adaptive_max_pool3d_backward);
  c.tensors = {make_tensor({2, 1, 1, 2}), make_tensor({2, 1, 1, 3}),
               make_tensor({2, 1, 1, 2}, kInt32), make_tensor({2, 1, 1, 3})};
  auto in = [](const Numbers& indices) {
    return std::vector<Dense>{make_dense(kFloat, {2, 1, 1, 2}, {1, 2, 3, 4}),
                              {},
                              make_dense(kInt32, {2, 1, 1, 2}, indices),
                              {}};
  };
  BadIndex bad{};
  const std::vector<Dense> good = in({0, 2, 2, 2}), high = in({0, 2, 3, -1}),
                           low = in({0, -1, 0, 0});
  EXPECT_FALSE(Evaluation(c, good).has_bad_index(&bad));
  ASSERT_TRUE(Evaluation(c, high).has_bad_index(&bad));
  EXPECT_EQ(bad.position, 2);
  EXPECT_EQ(bad.value, 3);
  ASSERT_TRUE(Evaluation(c, low).has_bad_index(&bad));
  EXPECT_EQ(bad.position, 1);
  EXPECT_EQ(bad.value, -1);
  EXPECT_EQ(run(c, high), (Numbers{1, 0, 2, 0, 0, 0}));
}

TEST(AdaptiveMaxPool3d, WindowsOverlapAndCoverTheAxis) {
  // 5 → 3: [0, 2), [1, 4), [3, 5).
  Call c = valid_call(Operator::adaptive_max_pool3d);
  c.tensors = {make_tensor({1, 1, 1, 5}), make_tensor({1, 1, 1, 3}),
               make_tensor({1, 1, 1, 3}, kInt32)};
  c.arrays = make_arrays({{1, 1, 3}});
  ASSERT_EQ(expect(c).status, kSuccess);
  const std::vector<Dense> in = {make_dense(kFloat, {1, 1, 1, 5}, {1, 7, 7, 2, 3}), {}, {}};
  EXPECT_EQ(run(c, in), (Numbers{7, 7, 3}));
  EXPECT_EQ(run(c, in, 1), (Numbers{1, 1, 4}));
}

Call row_pool(std::int64_t in, std::int64_t out, std::int64_t k, std::int64_t s, std::int64_t p,
              bool ceil) {
  Call c = valid_call(Operator::max_pool3d_with_argmax);
  c.tensors = {make_tensor({1, 1, 1, in}), make_tensor({1, 1, 1, out}),
               make_tensor({1, 1, 1, out}, kInt32)};
  c.arrays = make_arrays({{1, 1, k}, {1, 1, s}, {0, 0, p}, {1}});
  c.flags = {ceil};
  EXPECT_EQ(expect(c).status, kSuccess) << expect(c).violation.detail;
  return c;
}

TEST(MaxPool3dWithArgmax, FirstMaximumFirstNanAndPaddingNeverChosen) {
  const Call c = row_pool(5, 3, 3, 2, 1, false);  // windows [0,2), [1,4), [3,5)
  EXPECT_EQ(run(c, {make_dense(kFloat, {1, 1, 1, 5}, {4, 4, 4, 1, 0}), {}, {}}, 1),
            (Numbers{0, 1, 3}));
  EXPECT_EQ(
      run(c, {make_dense(kFloat, {1, 1, 1, 5}, {-kInf, -kInf, -kInf, -kInf, -kInf}), {}, {}}, 1),
      (Numbers{0, 1, 3}));
  const std::vector<Dense> nan = {
      make_dense(kFloat, {1, 1, 1, 5}, {9, kNan, kInf, kNan, kNan}), {}, {}};
  EXPECT_EQ(run(c, nan, 1), (Numbers{1, 1, 3}));
  EXPECT_TRUE(std::isnan(run(c, nan)[0]));
}

/// A [1,1,1,1,6] line, windows of 2 in steps of 2 with a gap of 1: {0, 2} and {2, 4}.
Call dilated() {
  Call c = valid_call(Operator::max_pool3d_with_argmax_backward);
  for (const int slot : {0, 2}) reshape(c.tensors[slot], {1, 1, 1, 1, 2});
  for (const int slot : {1, 3}) reshape(c.tensors[slot], {1, 1, 1, 1, 6});
  c.arrays = make_arrays({{1, 1, 2}, {1, 1, 2}, {0}, {2}});
  return c;
}

TEST(MaxPool3dWithArgmaxBackward, DilatedWindowsForWhoTakesThem) {
  const Call c = dilated();
  EXPECT_EQ(expect(c).rule->id, "dilation-value");
  const std::string_view left_out[] = {"dilation-value"};
  EXPECT_EQ(expect(c, left_out).rule, nullptr);
  Call other = c;
  for (const int slot : {0, 2}) reshape(other.tensors[slot], {1, 1, 1, 1, 3});
  EXPECT_EQ(expect(other, left_out).rule->id, "shape");

  const Dense self = make_dense(kFloat, {1, 1, 1, 1, 6}, {0, 9, 1, 2, 5, 3});
  const Dense indices = forward_indices(c, self);
  EXPECT_EQ(load(indices.bytes.data(), kInt32, 0), 2);
  EXPECT_EQ(load(indices.bytes.data(), kInt32, 1), 4);
}

TEST(MaxPool3dWithArgmax, CeilModeKeepsAPartialWindow) {
  const Numbers row = {1, 2, 3, 4, 5};
  EXPECT_EQ(run(row_pool(5, 2, 2, 2, 0, false), {make_dense(kFloat, {1, 1, 1, 5}, row), {}, {}}),
            (Numbers{2, 4}));
  EXPECT_EQ(run(row_pool(5, 3, 2, 2, 0, true), {make_dense(kFloat, {1, 1, 1, 5}, row), {}, {}}),
            (Numbers{2, 4, 5}));
  // in 4, k 2, s 3, p 1: ceil says 3 windows from −1, 2, 5; the last starts in the right padding.
  EXPECT_EQ(
      run(row_pool(4, 2, 2, 3, 1, true), {make_dense(kFloat, {1, 1, 1, 4}, {1, 2, 3, 4}), {}, {}}),
      (Numbers{1, 4}));
}

TEST(MaxPool3dWithArgmax, AxesAreNotSwapped) {
  Call c = valid_call(Operator::max_pool3d_with_argmax);
  const std::vector<Dense> in = {numbers(c.tensors[0], 3), {}, {}};
  const Numbers positions = run(c, in, 1), values = run(c, in, 0);
  // Windows by the formula: kernel (2,3,2), stride (2,1,3), padding (1,0,1) over (5,6,7).
  std::size_t o = 0;
  for (int plane = 0; plane < 6; ++plane) {
    for (int d = 0; d < 3; ++d)
      for (int h = 0; h < 4; ++h)
        for (int w = 0; w < 3; ++w, ++o) {
          long double best = -kInf;
          int at = -1;
          for (int z = 2 * d - 1; z < 2 * d + 1; ++z)
            for (int y = h; y < h + 3; ++y)
              for (int x = 3 * w - 1; x < 3 * w + 1; ++x) {
                if (z < 0 || z >= 5 || x < 0 || x >= 7) continue;
                const int flat = (z * 6 + y) * 7 + x;
                const long double v = load(in[0].bytes.data(), kFloat, plane * 210 + flat);
                if (v > best) best = v, at = flat;
              }
          ASSERT_EQ(positions[o], at) << o;
          ASSERT_EQ(values[o], best) << o;
        }
  }
}

TEST(MaxPool2dWithMask, WritesOneBitPerOutputAndZerosElsewhere) {
  Call c = valid_call(Operator::max_pool2d_with_mask);
  const std::vector<Dense> in = {numbers(c.tensors[0], 1), {}, {}};
  const Numbers bytes = run(c, in, 1);
  std::int64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bits += __builtin_popcount(static_cast<unsigned>(static_cast<int>(bytes[i])) & 0xFFu);
    // mask[2][2][6][32] of uint16 holds 1536 bytes; the rest of the tensor is nothing.
    if (i >= 1536 || i % 64 >= 12) {
      ASSERT_EQ(bytes[i], 0) << i;
    }
  }
  EXPECT_EQ(bits, 2 * 17 * 3 * 2);
  // Fed back, the gradient of the sum of outputs counts every window once.
  Call back = valid_call(Operator::max_pool2d_with_mask_backward);
  const std::vector<Dense> g = {make_dense(kFloat, back.tensors[0].shape, Numbers(2 * 17 * 6, 1)),
                                {},
                                forward_indices(back, in[0]),
                                {}};
  EXPECT_EQ(g[2].bytes, make_dense(kInt8, back.tensors[2].shape, bytes).bytes);
  long double sum = 0;
  for (long double v : run(back, g)) sum += v;
  EXPECT_EQ(sum, 2 * 17 * 3 * 2);
}

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
