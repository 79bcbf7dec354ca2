// Shrinking: it ends, stays with the rule that is broken, and finds the tiny case behind a big one.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/size.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/relatives.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/shapes.h"
#include "props/cases/shrink/simpler.h"
#include "ref/rules.h"
#include "ref/types.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

/// Takes the first simpler variant that still fails, until none does.
Case shrink(Case c, const std::function<bool(const Case&)>& fails) {
  for (int step = 0;; ++step) {
    EXPECT_LT(step, 2000) << "shrinking does not end";
    if (step >= 2000) return c;
    const std::vector<Case> variants = simpler(c);
    const auto next = std::find_if(variants.begin(), variants.end(), fails);
    if (next == variants.end()) return c;
    c = *next;
  }
}

TEST(Simpler, EndsAtOnesAndPlainLayoutsForEveryOperator) {
  for (ref::Operator op : all_operators()) {
    each_valid(op, 2, [](const CoveragePoint&, const Case& valid) {
      const Case least = shrink(valid, [](const Case&) { return true; });
      EXPECT_EQ(ref::expect(least.call).rule, nullptr);
      EXPECT_EQ(least.misuse, Misuse::none);
      EXPECT_EQ(least.seed, 0u);
      for (int slot : input_side(least.call.op)) {
        EXPECT_EQ(element_count(least.call.tensors[slot].shape), 1) << to_text(least);
      }
      for (const ref::Tensor& t : least.call.tensors)
        EXPECT_EQ(t.storage, t.shape) << to_text(least);
      EXPECT_TRUE(simpler(least).empty()) << to_text(least);
    });
  }
}

TEST(Simpler, LeavesNoStridesAndStorageThatTheFailureDoesNotNeed) {
  const Case wide = parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,2,2]:ND:strides(90,70,9,3):storage(500) "
      "self=FLOAT[1,1,2,2]:ND padding=0,0,0,0 "
      "gradInput=FLOAT[1,1,2,2]:ND:strides(80,60,20,4):offset(37):storage(10,90)");
  const auto offset = [](const Case& c) { return c.call.tensors[2].offset > 0; };
  const Case moved = shrink(wide, offset);
  EXPECT_EQ(moved.call.tensors[0].storage, moved.call.tensors[0].shape) << to_text(moved);
  EXPECT_EQ(moved.call.tensors[2].offset, 1) << to_text(moved);
  EXPECT_EQ(moved.call.tensors[2].storage, std::vector<std::int64_t>{2}) << to_text(moved);
  EXPECT_EQ(moved.call.tensors[2].strides, ref::contiguous_strides(moved.call.tensors[2].shape))
      << to_text(moved);

  const auto strided = [](const Case& c) {
    const ref::Tensor& t = c.call.tensors[0];
    return t.shape.size() == 4 && t.shape[3] == 2 && t.strides[3] > 1;
  };
  const ref::Tensor least = shrink(wide, strided).call.tensors[0];
  EXPECT_EQ(least.strides[3], 2);
  EXPECT_EQ(least.storage.size(), 1u);
  EXPECT_LE(least.storage.front(), 3);
}

TEST(Simpler, FindsTheSmallestCaseOfAPlantedFault) {
  // As if a kernel went wrong where windows overlap along W and the input is wider than 4.
  const auto fails = [](const Case& c) {
    const Window w = windows(c.call).back();
    return w.kernel > w.stride && w.in > 4;
  };
  SeededSource source(3);
  int tried = 0;
  for (const CoveragePoint& point :
       coverage_points(ref::Operator::max_pool3d_with_argmax_backward)) {
    for (int i = 0; i < 20; ++i) {
      const Case c = generate_valid(source, point);
      if (!fails(c)) continue;
      ++tried;
      const Case least = shrink(c, fails);
      EXPECT_TRUE(fails(least));
      const auto& shape = ref::tensor(least.call, "self").shape;
      EXPECT_EQ(shape, (std::vector<std::int64_t>{1, 1, 1, 5})) << to_text(least);
      EXPECT_LE(windows(least.call).back().kernel, 2) << to_text(least);
      EXPECT_EQ(least.call.tensors[0].dtype, ref::kFloat);
    }
  }
  EXPECT_GT(tried, 20);
}

TEST(Simpler, MakesSamplesChannels) {
  // As if a kernel went wrong for 16 planes and more, however they come about.
  const auto fails = [](const Case& c) {
    const auto& shape = ref::tensor(c.call, "gradOut").shape;
    return shape[0] * shape[1] >= 16;
  };
  SeededSource source(5);
  int samples = 0;
  const auto points = coverage_points(ref::Operator::upsample_bilinear2d_backward);
  for (std::size_t i = 0; i < 4 * points.size(); ++i) {
    const Case c = generate_valid(source, points[i % points.size()]);
    if (!fails(c) || ref::tensor(c.call, "gradOut").format == ref::kNhwc) continue;
    samples += ref::tensor(c.call, "gradOut").shape[0] > 1 ? 1 : 0;
    const Case least = shrink(c, fails);
    EXPECT_EQ(ref::tensor(least.call, "gradOut").shape, (std::vector<std::int64_t>{1, 16, 1, 1}))
        << to_text(least) << " of " << to_text(c);
  }
  EXPECT_GT(samples, 3);
}

TEST(Simpler, KeepsTheRatioOfSizesThatAKernelSupports) {
  // As if a kernel could double images alone, and went wrong where they have two columns or more.
  const auto fails = [](const Case& c) {
    const auto &small = ref::tensor(c.call, "out").shape,
               &large = ref::tensor(c.call, "gradOut").shape;
    return large[2] == 2 * small[2] && large[3] == 2 * small[3] && small[3] >= 2;
  };
  const Case least = shrink(
      parse_case("upsample_bilinear2d_backward gradOut=FLOAT[2,3,56,84]:NCHW outputSize=56,84 "
                 "inputSize=2,3,28,42 alignCorners=false scalesH=0 scalesW=0 "
                 "out=FLOAT[2,3,28,42]:NCHW"),
      fails);
  EXPECT_EQ(ref::tensor(least.call, "out").shape, (std::vector<std::int64_t>{1, 1, 1, 2}));
}

TEST(Simpler, KeepsTheRuleThatIsBroken) {
  for (ref::Operator op : all_operators()) {
    SeededSource source(4);
    const Case valid = generate_valid(source, coverage_points(op).back());
    const std::vector<Mutation> all = mutations(valid);
    for (std::size_t i = 0; i < all.size(); i += 17) {
      for (const Case& variant : simpler(all[i].mutated)) {
        EXPECT_EQ(ref::expect(variant.call).rule, ref::expect(all[i].mutated.call).rule)
            << all[i].what << "\n"
            << to_text(variant);
      }
    }
  }
}

TEST(Simpler, KeepsALayoutThatMatters) {
  // As if an operator went wrong for strided indices with two rows.
  const auto fails = [](const Case& c) {
    const ref::Tensor& t = ref::tensor(c.call, "indices");
    return t.shape[t.shape.size() - 2] > 1 && t.strides != ref::contiguous_strides(t.shape);
  };
  SeededSource source(8);
  int tried = 0;
  for (const CoveragePoint& point : coverage_points(ref::Operator::adaptive_max_pool3d_backward)) {
    for (int i = 0; i < 20; ++i) {
      const Case c = generate_valid(source, point);
      if (!fails(c) || ref::expect(c.call).rule != nullptr) continue;
      ++tried;
      const Case least = shrink(c, fails);
      EXPECT_TRUE(fails(least));
      EXPECT_LE(largest_tensor(least), 2) << to_text(least);
    }
  }
  EXPECT_GT(tried, 20);
}

TEST(Simpler, SmallRelativesAreValidAndSmallAndOfTheSameKind) {
  for (ref::Operator op : all_operators()) {
    SeededSource source(5);
    const Case large = generate_valid(source, coverage_points(op).front());
    int found = 0;
    for (int i = 0; i < 200; ++i) {
      const std::optional<Case> small = small_relative(source, large);
      if (!small) continue;
      ++found;
      EXPECT_EQ(ref::expect(small->call).rule, nullptr) << to_text(*small);
      EXPECT_LE(largest_but_masks(*small), kReadable);
      EXPECT_EQ(small->call.op, op);
      EXPECT_EQ(small->call.tensors[0].dtype, large.call.tensors[0].dtype);
    }
    EXPECT_GT(found, 20) << stem(op);
  }
}

TEST(Simpler, RelativesOfAWideCaseKeepItsOtherAxis) {
  const Case wide = parse_case(
      "max_pool2d_with_mask_backward gradOutput=FLOAT[1,9,9]:ND self=FLOAT[1,10,10]:ND "
      "indices=INT8[1,4,224]:ND kernelSize=2 stride=1 padding=0 dilation=1 ceilMode=false "
      "gradInput=FLOAT[1,10,10]:ND");
  SeededSource source(5);
  int thinner = 0;  // 10 by 3 to 6, whose masks have more than kReadable bits
  for (int i = 0; i < 200; ++i) {
    const std::optional<Case> small = small_relative(source, wide);
    if (!small) continue;
    const std::vector<std::int64_t>& shape = small->call.tensors[1].shape;
    thinner += shape.back() + shape[shape.size() - 2] > 12 &&
               std::max(shape.back(), shape[shape.size() - 2]) == 10;
  }
  EXPECT_GT(thinner, 20);
}

TEST(Simpler, CountsWhatAMaskSays) {
  const Case c = parse_case(
      "max_pool2d_with_mask_backward gradOutput=FLOAT[1,1,3]:ND self=FLOAT[1,2,6]:ND "
      "indices=INT8[1,4,64]:ND kernelSize=2 stride= padding=0 dilation=1 ceilMode=false "
      "gradInput=FLOAT[1,2,6]:ND");
  EXPECT_EQ(largest_tensor(c), 12);
  Case large = c;
  large.call.tensors[0].shape = {std::int64_t{1} << 40, 1, std::int64_t{1} << 40};
  EXPECT_EQ(largest_tensor(large), kHuge);
  large.call.tensors[0].shape = {-1, 1, 1};
  EXPECT_EQ(largest_tensor(large), 12);
}

TEST(Simpler, CasesThatWouldFillTheMemoryCostMore) {
  const auto image = [](const std::string& shape) {
    return parse_case("replication_pad2d_backward gradOutput=FLOAT[" + shape + "]:ND self=FLOAT[" +
                      shape + "]:ND padding=0,0,0,0 gradInput=FLOAT[" + shape + "]:ND");
  };
  const Case huge = image("0,1,1,17592186044416"), empty = image("0,1,1,5");
  EXPECT_TRUE(is_hugely_empty(huge));
  EXPECT_FALSE(is_hugely_empty(empty));
  EXPECT_FALSE(is_hugely_empty(image("1,1,1,100000000")));
  EXPECT_TRUE(costs_no_more(empty, huge));
  EXPECT_TRUE(costs_no_more(image("1,1,1,5"), huge));
  EXPECT_FALSE(costs_no_more(image("1,1,1,17592186044416"), huge));
  // If a library allocates by it, 2^31 elements can be had and 2^43 cannot.
  EXPECT_TRUE(costs_no_more(image("0,1,1,8796093022208"), huge));
  EXPECT_FALSE(costs_no_more(image("0,1,1,2147483648"), huge));
}

std::set<std::string> lost(const Case& c) {
  std::set<std::string> features;
  for (const Plainer& way : plainer(c)) features.insert(way.feature);
  return features;
}

TEST(Plainer, StridesAreLostButThoseOfIndicesThatShareMemory) {
  const std::string rest =
      " kernelSize=1,1,1 stride=1 padding=0 dilation=1 ceilMode=false "
      "gradInput=FLOAT[1,1,1,2]:ND:strides(9,9,9,3)";
  const std::string pool =
      "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,1,1,2]:ND:strides(9,9,9,0) "
      "self=FLOAT[1,1,1,2]:ND:strides(9,9,9,3) indices=INT32[1,1,1,2]:ND";
  EXPECT_EQ(lost(parse_case(pool + ":strides(9,9,9,3)" + rest)),
            (std::set<std::string>{"gradOutput strided", "indices strided", "gradInput strided"}));
  EXPECT_EQ(lost(parse_case(pool + ":strides(9,9,9,0)" + rest)),
            (std::set<std::string>{"gradOutput strided", "gradInput strided"}));
}

TEST(Plainer, DataBecomePlain) {
  const std::string pad =
      "replication_pad2d_backward gradOutput=FLOAT[1,1,2,2]:ND:fill(special) "
      "self=FLOAT[1,1,2,2]:ND padding=0,0,0,0 gradInput=FLOAT[1,1,2,2]:ND";
  const std::vector<Case> plain = with_plain_data(parse_case(pad));
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_EQ(plain[0].fills[0].kind, Fill::Kind::integers);
  EXPECT_EQ(plain[1].fills[0].kind, Fill::Kind::uniform);
  EXPECT_EQ(with_plain_data(plain[1]), std::vector<Case>{plain[0]});
  EXPECT_TRUE(with_plain_data(plain[0]).empty());
}

}  // namespace
}  // namespace gradproof::props
