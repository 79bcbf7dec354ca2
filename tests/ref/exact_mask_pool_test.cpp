// Hand-worked results of the pools with mask.
#include <gtest/gtest.h>

#include <vector>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {
namespace {

using Numbers = std::vector<long double>;

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

}  // namespace
}  // namespace gradproof::ref::testing
