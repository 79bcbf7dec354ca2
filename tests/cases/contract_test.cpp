// The contract's sides: the boundary cases reach each one and no other, and two broken rules have
// one answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/contract.h"
#include "props/cases/mutate/mutations.h"
#include "ref/rules.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

class Contract : public testing::TestWithParam<ref::Operator> {};
INSTANTIATE_TEST_SUITE_P(All, Contract, testing::ValuesIn(all_operators()),
                         [](const auto& op) { return stem(op.param); });

std::set<BoundarySide> required(ref::Operator op) {
  std::set<BoundarySide> all;
  for (int p = 0; p < ref::kProductCount; ++p) {
    for (BoundarySide& side : boundary_sides(op, static_cast<ref::Product>(p))) {
      EXPECT_TRUE(all.insert(side).second) << "twice: " << to_text(side);
    }
  }
  return all;
}

TEST_P(Contract, EveryCellIsReached) {
  std::set<BoundarySide> missing = required(GetParam());
  each_valid(GetParam(), 6, [&](const CoveragePoint&, const Case& valid) {
    for (const BoundarySide& side : sides_of_valid(valid.call)) missing.erase(side);
    for (const Mutation& mutation : mutations(valid)) missing.erase(side_of(mutation));
  });
  for (const BoundarySide& side : missing) ADD_FAILURE() << to_text(side);
}

// A side that nobody can reach without a certain mutation shows that the mutation is gone.
TEST_P(Contract, AMissingMutationLeavesAPointUncovered) {
  std::set<BoundarySide> missing = required(GetParam());
  each_valid(GetParam(), 2, [&](const CoveragePoint&, const Case& valid) {
    for (const BoundarySide& side : sides_of_valid(valid.call)) missing.erase(side);
    for (const Mutation& mutation : mutations(valid)) {
      if (mutation.rule != "view" || mutation.at != 1) missing.erase(side_of(mutation));
    }
  });
  EXPECT_TRUE(std::any_of(missing.begin(), missing.end(), [](const BoundarySide& side) {
    return side.rule == "view" && side.at == 1;
  }));
}

TEST_P(Contract, TheEarlierOfTwoBrokenRulesIsAnswered) {
  std::set<std::string> beaten_by_null;
  int pairs = 0;
  each_valid(GetParam(), 1, [&](const CoveragePoint&, const Case& valid) {
    std::vector<Mutation> breaks = mutations(valid);
    std::erase_if(breaks, [](const Mutation& a) { return !a.breaks; });
    SeededSource source(1);
    for (int i = 0; i < 300; ++i) {
      const Mutation &a = breaks[source.below(breaks.size())],
                     &b = breaks[source.below(breaks.size())];
      const std::optional<Case> merged = both(valid, a, b);
      if (!merged || a.rule == b.rule) continue;
      const ref::Expectation due = ref::expect(merged->call);
      // A larger kernel beside a larger padding may make up for each other: nothing is broken then.
      if (due.rule == nullptr && a.rule != "null-argument" && b.rule != "null-argument") continue;
      ++pairs;
      ASSERT_NE(due.rule, nullptr) << a.what << " and " << b.what << "\n" << to_text(*merged);
      if (a.rule != "null-argument" && b.rule != "null-argument") continue;
      EXPECT_EQ(due.rule->id, "null-argument") << a.what << " and " << b.what;
      beaten_by_null.insert(a.rule == "null-argument" ? b.rule : a.rule);
    }
  });
  EXPECT_GT(pairs, 100);
  EXPECT_GE(beaten_by_null.size(), 8);
}

}  // namespace
}  // namespace gradproof::props
