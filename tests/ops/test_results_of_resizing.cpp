// Whole calls of upsampling and padding on small numbers worked out by hand.
#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

constexpr float kOld = -77;  ///< what memory holds before a call

/// A small image of 1×2 and a large one of 1×4: taps (0,0) (.75,.25) (.25,.75) (1,1).
TEST(Results, UpsampleBilinear2dBothWays) {
  Floats self = {4, 8}, large(4, kOld), gradient = {1, 2, 4, 8}, small(2, kOld);
  CallSpec f = valid(Op::upsample_bilinear2d);
  f.tensor("self").shape = {1, 1, 1, 2};
  f.tensor("out").shape = {1, 1, 1, 4};
  f.array("outputSize").values = {1, 4};
  give(f, "self", self);
  give(f, "out", large);
  expect_done(f);
  EXPECT_EQ(large, (Floats{4, 5, 7, 8}));

  CallSpec b = valid(Op::upsample_bilinear2d_backward);
  b.tensor("gradOut").shape = {1, 1, 1, 4};
  b.tensor("out").shape = {1, 1, 1, 2};
  b.array("outputSize").values = {1, 4};
  b.array("inputSize").values = {1, 1, 1, 2};
  give(b, "gradOut", gradient);
  give(b, "out", small);
  expect_done(b);
  EXPECT_EQ(small, (Floats{1 + 1.5f + 1, 0.5f + 3 + 8}));

  b.flag = true;  // corners aligned: positions 0, 1/2, 1
  b.tensor("gradOut").shape = {1, 1, 1, 3};
  b.array("outputSize").values = {1, 3};
  expect_done(b);
  EXPECT_EQ(small, (Floats{1 + 1, 1 + 4}));
}

TEST(Results, UpsampleBilinear2dBackwardOfNhwc) {
  // Two channels side by side; W from 4 to 2, H stays 1.
  Floats gradient = {1, 10, 2, 20, 4, 40, 8, 80}, small(4, kOld);
  CallSpec c = valid(Op::upsample_bilinear2d_backward);
  c.of_format(ACL_FORMAT_NHWC);
  c.tensor("gradOut").shape = {1, 1, 4, 2};
  c.tensor("out").shape = {1, 1, 2, 2};
  c.array("outputSize").values = {1, 4};
  c.array("inputSize").values = {1, 1, 2, 2};
  give(c, "gradOut", gradient);
  give(c, "out", small);
  expect_done(c);
  EXPECT_EQ(small, (Floats{3.5f, 35, 11.5f, 115}));
}

TEST(Results, UpsampleScaleMattersOnlyWithoutAlignedCorners) {
  // scale 1: position i of the large image is position i of the small one, clamped.
  Floats gradient = {1, 2, 4, 8}, small(2, kOld);
  CallSpec c = valid(Op::upsample_bilinear2d_backward);
  c.tensor("gradOut").shape = {1, 1, 1, 4};
  c.tensor("out").shape = {1, 1, 1, 2};
  c.array("outputSize").values = {1, 4};
  c.array("inputSize").values = {1, 1, 1, 2};
  c.scale_w = 1;
  give(c, "gradOut", gradient);
  give(c, "out", small);
  expect_done(c);
  EXPECT_EQ(small, (Floats{1, 2 + 4 + 8}));
}

TEST(Results, UpsampleScalesCountOnNewerProductsOnly) {
  const std::pair<const char*, Floats> kDue[] = {{"Ascend910", {3.25f, 6.75f}},
                                                 {"Ascend310P", {3.25f, 6.75f}},
                                                 {"Ascend910B", {1, 2 + 3 + 4}},
                                                 {"Ascend910_93", {1, 2 + 3 + 4}}};
  for (const auto& [name, due] : kDue) {
    SCOPED_TRACE(name);
    const AsProduct product(name);
    Floats gradient = {1, 2, 3, 4}, small(2, kOld);
    CallSpec b = valid(Op::upsample_bilinear2d_backward);
    b.tensor("gradOut").shape = {1, 1, 1, 4};
    b.tensor("out").shape = {1, 1, 1, 2};
    b.array("outputSize").values = {1, 4};
    b.array("inputSize").values = {1, 1, 1, 2};
    b.scale_h = b.scale_w = 1;
    give(b, "gradOut", gradient);
    give(b, "out", small);
    expect_done(b);
    EXPECT_EQ(small, due);
    b.op = Op::upsample_bilinear2d_backward_first;
    expect_done(b);
    EXPECT_EQ(small, (Floats{3.25f, 6.75f})) << "scales have no effect on the first version";

    // The forward likewise: x = 0, 0.25, 0.75, 1 by the sizes, 0, 1, 1, 1 by the scale.
    Floats self = {0, 8}, large(4, kOld);
    CallSpec f = valid(Op::upsample_bilinear2d);
    f.tensor("self").shape = {1, 1, 1, 2};
    f.tensor("out").shape = {1, 1, 1, 4};
    f.array("outputSize").values = {1, 4};
    f.scale_h = f.scale_w = 1;
    give(f, "self", self);
    give(f, "out", large);
    expect_done(f);
    EXPECT_EQ(large, (due[0] == 1 ? Floats{0, 8, 8, 8} : Floats{0, 2, 6, 8}));
  }
}

TEST(Results, ReplicationPad2dBothWays) {
  // 2×2 with left 1 and bottom 1, the right column cropped: columns {0,0}, rows {0,1,1}.
  Floats self = {1, 2, 3, 4}, padded(6, kOld), gradient = {1, 2, 4, 8, 16, 32}, input(4, kOld);
  CallSpec f = valid(Op::replication_pad2d);
  f.tensor("self").shape = {1, 1, 2, 2};
  f.tensor("out").shape = {1, 1, 3, 2};
  f.array("padding").values = {1, -1, 0, 1};
  give(f, "self", self);
  give(f, "out", padded);
  expect_done(f);
  EXPECT_EQ(padded, (Floats{1, 1, 3, 3, 3, 3}));

  CallSpec b = valid(Op::replication_pad2d_backward);
  b.tensor("gradOutput").shape = {1, 1, 3, 2};
  b.tensor("self").shape = b.tensor("gradInput").shape = {1, 1, 2, 2};
  b.array("padding").values = {1, -1, 0, 1};
  give(b, "gradOutput", gradient);
  give(b, "gradInput", input);
  expect_done(b);
  EXPECT_EQ(input, (Floats{3, 0, 60, 0}));
}

TEST(Results, ReplicationPad2dBackwardOfComplexRank3) {
  using Complex = std::complex<double>;
  std::vector<Complex> gradient = {{1, 2}, {4, 8}, {16, 32}}, input(2, {kOld, kOld});
  CallSpec c = valid(Op::replication_pad2d_backward);
  c.of_type(ACL_COMPLEX128);
  c.tensor("gradOutput").shape = {1, 1, 3};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 2};
  c.array("padding").values = {0, 1, 0, 0};
  give(c, "gradOutput", gradient);
  give(c, "gradInput", input);
  expect_done(c);
  EXPECT_EQ(input, (std::vector<Complex>{{1, 2}, {20, 40}}));
}

}  // namespace
}  // namespace gradproof::test
