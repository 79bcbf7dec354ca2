// What a person sees of a call's results: wrong elements, elements that were never written, masks.
#include "props/judge/show.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "props/cases/data/data.h"
#include "props/cases/data/outside.h"
#include "ref/operators.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

constexpr const char* kPad =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND "
    "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND";

ref::Dense floats(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  ref::Dense dense{ref::kFloat, std::move(shape), std::vector<std::byte>(4 * values.size())};
  std::memcpy(dense.bytes.data(), values.data(), dense.bytes.size());
  return dense;
}

std::string got(const Case& c, const std::vector<ref::Dense>& data,
                const std::vector<ref::Dense>& outputs, const ref::Numerics& of_profile = {}) {
  std::ostringstream out;
  print_got(out, c, data, outputs, of_profile);
  return out.str();
}

TEST(Show, WrongElementsAreMarked) {
  const Case c = parse_case(kPad);
  std::vector<ref::Dense> data = make_data(c), outputs(3);
  data[0] = floats({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
  outputs[2] = floats({1, 1, 2, 2}, {3, 3, 9, 6});
  EXPECT_EQ(got(c, data, outputs), "got gradInput FLOAT[1,1,2,2]:\n   3 3\n   9 6\n");
  outputs[2] = floats({1, 1, 2, 2}, {3, 4, 9, 6});
  EXPECT_EQ(got(c, data, outputs), "got gradInput FLOAT[1,1,2,2], * wrong:\n    3 *4\n    9  6\n");
  std::memset(outputs[2].bytes.data() + 12, 0xFF, 4);
  EXPECT_PRED2(contains, got(c, data, outputs), " *unwritten\n");
  std::memcpy(outputs[2].bytes.data() + 12, outside_element(ref::kFloat).data(), 4);
  EXPECT_PRED2(contains, got(c, data, outputs), " *outside\n");
}

/// The picture of two rows of two, of a gradient of two rows of three.
std::string of_pad(const std::string& result_layout, const std::vector<float>& gradient,
                   const std::vector<float>& result, const ref::Numerics& of_profile = {}) {
  const Case c = parse_case(std::string(kPad) + result_layout);
  std::vector<ref::Dense> data = make_data(c), outputs(3);
  data[0] = floats({1, 1, 2, 3}, gradient);
  outputs[2] = floats({1, 1, 2, 2}, result);
  return got(c, data, outputs, of_profile);
}

TEST(Show, WhatTheProfileAllowsIsNotMarked) {
  const std::vector<float> gradient = {0, 1e-40F, 3, 0, 5, 6}, result = {0, 3, 9, 6};
  EXPECT_PRED2(contains, of_pad("", gradient, result), "* wrong:\n   *0  3\n   *9  6\n");
  EXPECT_PRED2(contains, of_pad("", gradient, result, {.flushes_subnormals = true}),
               "* wrong:\n    0  3\n   *9  6\n");
}

// Rows that lie at one place: the last one remains.
TEST(Show, ElementsThatAreReplacedAreNotMarked) {
  const std::string one_row = ":strides(2,2,0,1)";
  const std::vector<float> gradient = {1, 2, 3, 4, 5, 6};
  EXPECT_PRED2(contains, of_pad(one_row, gradient, {9, 6, 9, 6}), "]:\n   9 6\n   9 6\n");
  EXPECT_PRED2(contains, of_pad(one_row, gradient, {3, 3, 3, 3}), "* wrong:\n    3  3\n   *3 *3\n");
}

TEST(Show, ExpectedValuesAreRoundedToTheirTypeBesideTheExactOnes) {
  Case c = parse_case(kPad);
  std::vector<ref::Dense> data = make_data(c);
  std::ostringstream whole, fractions;
  data[0] = floats({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
  print_expected(whole, c, data);
  EXPECT_EQ(whole.str(), "expected gradInput FLOAT[1,1,2,2]:\n   3 3\n   9 6\n");
  data[0] = floats({1, 1, 2, 3}, {16777216, 1, 3, 4, 5, 6});
  print_expected(fractions, c, data);
  EXPECT_PRED2(contains, fractions.str(), "expected gradInput FLOAT[1,1,2,2], rounded:\n");
}

TEST(Show, MasksAreShownAsPositions) {
  const Case c = parse_case(
      "max_pool2d_with_mask_backward gradOutput=FLOAT[1,1,1,2]:NCHW self=FLOAT[1,1,2,4]:NCHW "
      "indices=INT8[1,1,4,64]:NCHW:fill(forward) kernelSize=2,2 stride=2,2 padding=0,0 "
      "dilation=1,1 ceilMode=false gradInput=FLOAT[1,1,2,4]:NCHW");
  EXPECT_TRUE(can_be_pictured(c));
  std::vector<ref::Dense> data = make_data(c);
  std::fill(data[2].bytes.begin(), data[2].bytes.end(), std::byte{0});
  const ref::MaskLayout mask(c.call, c.call.tensors[0].shape);
  // The last element of the first window, the first one of the second.
  data[2].bytes[static_cast<std::size_t>(mask.byte(0, 3, 0))] = std::byte{1};
  data[2].bytes[static_cast<std::size_t>(mask.byte(0, 0, 1))] = std::byte{1};
  std::ostringstream out;
  print_inputs(out, c, data);
  EXPECT_PRED2(
      contains, out.str(),
      "indices (a mask) as INT32[1,1,1,2], positions in the plane (?: not one):\n   5 2\n");
}

TEST(Show, AMaskWithoutContentIsNotRead) {
  const Case c = parse_case(
      "max_pool2d_with_mask self=FLOAT[1,1,2,4]:NCHW kernelSize=2,2 stride=2,2 padding=0,0 "
      "dilation=1,1 ceilMode=false out=FLOAT[1,1,1,2]:NCHW indices=INT8[1,1,4,64]:NCHW");
  std::vector<ref::Dense> outputs(3);
  outputs[1] = floats({1, 1, 1, 2}, {1, 2});
  outputs[2] = {ref::kInt8, {1, 1, 4, 64}, {}};
  EXPECT_PRED2(contains, got(c, make_data(c), outputs), "got indices (a mask) as INT32[1,1,1,2]");
}

}  // namespace
}  // namespace gradproof::props
