// Hand-worked results of the pools with indices.
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

}  // namespace
}  // namespace gradproof::ref::testing
