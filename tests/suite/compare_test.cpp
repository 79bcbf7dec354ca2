// The bound for hardware that computes coordinates in float, and the contract's, which such
// hardware misses.
#include <cmath>

#include "props/judge/compare.h"
#include "props/judge/numbers.h"
#include "ref/element.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

struct Axis {
  std::int64_t first, second;
  float weight;  ///< of the second
};

/// Coordinates as many kernels compute them: all in float.
Axis float_axis(std::int64_t i, std::int64_t n_in, std::int64_t n_out) {
  const float ratio = static_cast<float>(n_in) / static_cast<float>(n_out);
  const float x = std::fmax(0.0f, ratio * (static_cast<float>(i) + 0.5f) - 0.5f);
  const auto first = std::min(static_cast<std::int64_t>(x), n_in - 1);
  return {first, std::min(first + 1, n_in - 1), x - static_cast<float>(first)};
}

TEST(Compare, FloatCoordinatesPassAsDeviceAndFailAsContract) {
  constexpr std::int64_t kIn = 37, kOut = 1013;
  Case c = blank_case(ref::Operator::upsample_bilinear2d);
  for (const auto& [slot, extent] : {std::pair(0, kIn), {1, kOut}}) {
    ref::Tensor& t = c.call.tensors[static_cast<std::size_t>(slot)];
    t.shape = t.storage = {1, 1, extent, extent};
    t.strides = ref::contiguous_strides(t.shape);
    t.format = ACL_FORMAT_NCHW;
  }
  c.call.arrays[0].values = {kOut, kOut};
  c.fills[0] = {Fill::Kind::uniform, -1, 1};
  ASSERT_TRUE(is_plain(c));
  const std::vector<ref::Dense> data = make_data(c);
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return static_cast<float>(ref::load(data[0].bytes.data(), ACL_FLOAT, y * kIn + x));
  };
  ref::Dense out{ACL_FLOAT, c.call.tensors[1].shape, std::vector<std::byte>(kOut * kOut * 4)};
  for (std::int64_t i = 0; i < kOut; ++i) {
    const Axis h = float_axis(i, kIn, kOut);
    for (std::int64_t j = 0; j < kOut; ++j) {
      const Axis w = float_axis(j, kIn, kOut);
      const float value =
          (1 - h.weight) *
              ((1 - w.weight) * at(h.first, w.first) + w.weight * at(h.first, w.second)) +
          h.weight * ((1 - w.weight) * at(h.second, w.first) + w.weight * at(h.second, w.second));
      ref::store(out.bytes.data(), ACL_FLOAT, i * kOut + j, value);
    }
  }
  const ref::Evaluation evaluation(c.call, data);
  const Comparison contract = compare(evaluation, 1, out);
  EXPECT_GT(contract.wrong, 0);
  const Comparison device = compare(evaluation, 1, out, {.coordinates = ref::kFloat});
  EXPECT_EQ(device.wrong, 0) << describe(device, "out", out, ACL_FLOAT);
  EXPECT_GT(device.worst_fraction, 0);

  // Other operations in DOUBLE are no excuse for FLOAT, but for other last bits.
  EXPECT_GT(compare(ref::Evaluation(c.call, data, {.coordinates = ref::kDouble}), 1, out,
                    {.coordinates = ref::kDouble})
                .wrong,
            0);

  // The wider bound is still one: a neighbour's value is no result.
  ref::store(out.bytes.data(), ACL_FLOAT, 5 * kOut + 5,
             ref::load(out.bytes.data(), ACL_FLOAT, 5 * kOut + 40));
  EXPECT_EQ(compare(evaluation, 1, out, {.coordinates = ref::kFloat}).wrong, 1);
}

/// One wrong element of three, whose terms are 2048, 1 and −2048.
std::string look_of(double got) {
  const Case c = parse_case(
      "replication_pad2d_backward gradOutput=FLOAT16[1,1,1,3]:ND self=FLOAT16[1,1,1,1]:ND "
      "padding=1,1,0,0 gradInput=FLOAT16[1,1,1,1]:ND");
  std::vector<ref::Dense> data = make_data(c);
  for (const auto& [at, value] : {std::pair(0, 2048), {1, 1}, {2, -2048}})
    ref::store(data[0].bytes.data(), ACL_FLOAT16, at, value);
  ref::Dense out{ACL_FLOAT16, {1, 1, 1, 1}, std::vector<std::byte>(2)};
  ref::store(out.bytes.data(), ACL_FLOAT16, 0, got);
  const Comparison comparison = compare(ref::Evaluation(c.call, data), 2, out);
  EXPECT_EQ(comparison.wrong, 1);
  return look(comparison);
}

TEST(Compare, WhatSumsOfTheResultsTypeLoseIsRounding) {
  EXPECT_EQ(look_of(0), "rounding");  // 2048 + 1 is 2048 in FLOAT16
  EXPECT_EQ(look_of(2048), "");
}

TEST(Compare, NanBesideWrongNumbersIsNan) {
  Comparison some;
  some.wrong = 4;
  some.not_written = some.from_outside = 1;
  some.nans = 2;
  EXPECT_EQ(look(some), "");  // what nobody wrote, and what lay beside an input, are NaN, too
  some.nans = 3;
  EXPECT_EQ(look(some), "NaN");
}

TEST(Compare, WritesIntegersInFull) {
  EXPECT_EQ(number(2147483647, ACL_INT32), "2147483647");
  EXPECT_EQ(number(-9223372036854775807LL - 1, ACL_INT64), "-9223372036854775808");
  EXPECT_EQ(number(0.1L, ACL_FLOAT), "0.1");
}

TEST(Compare, CountsNoUnitsFromAnExactZero) {
  EXPECT_EQ(ulps(0, 1.5, ACL_FLOAT), "");
  EXPECT_EQ(ulps(1, 1.5, ACL_FLOAT16), "512 ulp");
  Case c = blank_case(ref::Operator::upsample_bilinear2d);
  for (ref::Tensor& t : c.call.tensors) {
    t.shape = t.storage = t.strides = {1, 1, 1, 1};
    t.format = ACL_FORMAT_NCHW;
  }
  c.call.arrays[0].values = {1, 1};
  c.fills[0] = {Fill::Kind::constant, 0, 0};
  ASSERT_TRUE(is_plain(c));
  ref::Dense out{ACL_FLOAT, {1, 1, 1, 1}, std::vector<std::byte>(4)};
  ref::store(out.bytes.data(), ACL_FLOAT, 0, 1.5);
  const std::vector<ref::Dense> data = make_data(c);
  const ref::Evaluation evaluation(c.call, data);
  const std::string text = describe(compare(evaluation, 1, out), "out", out, ACL_FLOAT);
  EXPECT_PRED2(contains, text, "got 1.5, exact 0 ");
  EXPECT_FALSE(contains(text, "ulp")) << text;
}

// 47 · 48 / 47 is 48, but 47 · (48 / 47) in DOUBLE is not: the gradient of column 47 gets a weight.
TEST(Compare, AnotherOrderOfOperationsInDoubleIsAllowedByItsProfileEntry) {
  const Case c = parse_case(
      "upsample_bilinear2d_backward gradOut=FLOAT[1,1,1,48]:NCHW outputSize=1,48 "
      "inputSize=1,1,1,49 alignCorners=true scalesH=0 scalesW=0 out=FLOAT[1,1,1,49]:NCHW");
  std::vector<ref::Dense> data = make_data(c);
  for (std::int64_t i = 0; i < 48; ++i) ref::store(data[0].bytes.data(), ACL_FLOAT, i, i == 47);
  ref::Dense out{ACL_FLOAT, {1, 1, 1, 49}, std::vector<std::byte>(49 * sizeof(float))};
  ref::store(out.bytes.data(), ACL_FLOAT, 48, 1);  // all of it, where the quotient is rounded last
  EXPECT_EQ(compare(ref::Evaluation(c.call, data), 1, out).wrong, 1);
  const ref::Numerics numerics{.coordinates = ref::kDouble};
  EXPECT_EQ(compare(ref::Evaluation(c.call, data, numerics), 1, out, numerics).wrong, 0);
  ref::store(out.bytes.data(), ACL_FLOAT, 47, 1e-12L);
  EXPECT_EQ(compare(ref::Evaluation(c.call, data, numerics), 1, out, numerics).wrong, 1);
}

}  // namespace
}  // namespace gradproof::props
