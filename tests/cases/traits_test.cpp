// The table of operators against the signatures in ref, and the bytes that stand for operators.
#include "props/cases/traits.h"

#include <gtest/gtest.h>

#include <map>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/shapes.h"
#include "props/cases/text/bytes.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

class Traits : public testing::TestWithParam<ref::Operator> {};
INSTANTIATE_TEST_SUITE_P(All, Traits, testing::ValuesIn(all_operators()),
                         [](const auto& op) { return stem(op.param); });

TEST_P(Traits, NameTensorsOfTheSignature) {
  const OperatorTraits& row = traits(GetParam());
  std::size_t tensors = row.inputs.size() + 1 + (row.indices.empty() ? 0 : 1);
  for (const ref::Parameter& p : ref::signature(GetParam()).parameters)
    tensors -= p.kind == ref::Kind::tensor ? 1 : 0;
  EXPECT_EQ(tensors, 0u) << "every tensor has one part";
  for (const std::string_view name : row.inputs) EXPECT_TRUE(has_parameter(GetParam(), name));
  EXPECT_TRUE(has_parameter(GetParam(), row.output));
  EXPECT_EQ(row.indices.empty(), row.family->indices == Indices::none);
}

// The C function is called with the arguments of each kind in the order of their places.
TEST_P(Traits, HaveParametersInTheOrderOfTheirPlaces) {
  std::map<ref::Kind, int> next;
  for (const ref::Parameter& p : ref::signature(GetParam()).parameters)
    EXPECT_EQ(p.slot, next[p.kind]++) << p.name;
}

TEST_P(Traits, AgreeWithItsParameters) {
  const FamilyTraits& f = family(GetParam());
  EXPECT_EQ(f.windows, has_parameter(GetParam(), "kernelSize"));
  EXPECT_EQ(f.windows || f.pads_each_end, has_parameter(GetParam(), "padding"));
  EXPECT_EQ(f.weighted, !blank_case(GetParam()).call.reals.empty());
  EXPECT_TRUE(traits(GetParam()).linear || !ref::is_backward(GetParam()));
  for (const int rank : f.ranks) EXPECT_GT(rank, f.axes);
  EXPECT_TRUE(!f.scope_in_pairs || f.axes == 2);
}

TEST_P(Traits, OfAGradientAndItsForwardAreOneFamily) {
  const std::optional<ref::Operator> other = ref::companion(GetParam());
  if (!other) return;
  EXPECT_EQ(&family(*other), &family(GetParam()));
  EXPECT_EQ(ref::companion(*other), GetParam());
  EXPECT_NE(ref::is_backward(*other), ref::is_backward(GetParam()));
}

TEST_P(Traits, CoincideWithOperatorsOfTheSameDirection) {
  for (const auto& other : {traits(GetParam()).of_depth_1, traits(GetParam()).of_windows}) {
    if (!other) continue;
    EXPECT_EQ(ref::is_backward(*other), ref::is_backward(GetParam()));
    EXPECT_TRUE(has_windows(*other));
    EXPECT_EQ(blank_case(*other).call.tensors.size(), blank_case(GetParam()).call.tensors.size());
  }
}

TEST_P(Traits, KeepFormatsFromRankToRank) {
  const std::span<const int> ranks = family(GetParam()).ranks;
  for (const int from : ranks) {
    for (const int to : ranks) {
      const std::vector<std::int32_t> there = accepted_formats(GetParam(), to);
      for (const std::int32_t format : accepted_formats(GetParam(), from)) {
        const std::int32_t moved = format_at_rank(GetParam(), format, from, to);
        EXPECT_NE(std::find(there.begin(), there.end(), moved), there.end());
        EXPECT_EQ(format_at_rank(GetParam(), moved, to, from), format);
      }
    }
  }
}

// Seeds of fuzzers are kept for years: what their first byte means must not change.
TEST(Bytes, StandForTheSameOperatorForEver) {
  constexpr std::string_view kStems[] = {"max_pool3d_with_argmax_backward",
                                         "max_pool2d_with_mask_backward",
                                         "upsample_bilinear2d_backward",
                                         "replication_pad2d_backward",
                                         "adaptive_max_pool3d_backward",
                                         "max_pool3d_with_argmax",
                                         "max_pool2d_with_mask",
                                         "upsample_bilinear2d",
                                         "replication_pad2d",
                                         "adaptive_max_pool3d"};
  for (int byte = 0; byte < 256; ++byte) {
    const ref::Operator op = operator_of_byte(static_cast<std::uint8_t>(byte));
    if (byte >= ref::kOperatorCount || byte < 10) {
      EXPECT_EQ(stem(op), kStems[byte % 10]) << byte;
    } else {
      EXPECT_EQ(static_cast<int>(op), byte);
    }
  }
}

}  // namespace
}  // namespace gradproof::props
