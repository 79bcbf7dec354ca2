// Shrinking: it ends, stays with the rule that is broken, and finds the tiny case behind a big one.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "props/cases/shapes.h"
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
    each_valid(op, 2, [](const Cell&, const Case& valid) {
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

TEST(Simpler, FindsTheSmallestCaseOfAPlantedFault) {
  // As if a kernel went wrong where windows overlap along W and the input is wider than 4.
  const auto fails = [](const Case& c) {
    const Window w = windows(c.call).back();
    return w.kernel > w.stride && w.in > 4;
  };
  SeededSource source(3);
  int tried = 0;
  for (const Cell& cell : cells(ref::Operator::max_pool3d_with_argmax_backward)) {
    for (int i = 0; i < 20; ++i) {
      const Case c = generate_valid(source, cell);
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

TEST(Simpler, KeepsTheRuleThatIsBroken) {
  for (ref::Operator op : all_operators()) {
    SeededSource source(4);
    const Case valid = generate_valid(source, cells(op).back());
    const std::vector<Attack> all = attacks(valid);
    for (std::size_t i = 0; i < all.size(); i += 17) {
      for (const Case& variant : simpler(all[i].attacked)) {
        EXPECT_EQ(ref::expect(variant.call).rule, ref::expect(all[i].attacked.call).rule)
            << all[i].what << "\n"
            << to_text(variant);
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::props
