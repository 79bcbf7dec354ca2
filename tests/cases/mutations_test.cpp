// Boundary cases: each one does to the rule table what it says, and no rule's boundary is left
// untried.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/shrink/simpler.h"
#include "props/cases/traits.h"
#include "ref/rules.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

class Mutations : public testing::TestWithParam<ref::Operator> {};
INSTANTIATE_TEST_SUITE_P(All, Mutations, testing::ValuesIn(all_operators()),
                         [](const auto& op) { return stem(op.param); });

TEST_P(Mutations, HitEveryRuleFromBothSides) {
  std::map<std::string, std::map<bool, int>> hits;
  std::map<std::string, int> failed;
  each_valid(
      GetParam(), std::max(4, 400 / static_cast<int>(coverage_points(GetParam()).size())),
      [&](const CoveragePoint&, const Case& valid) {
        for (const Mutation& mutation : mutations(valid)) {
          ++hits[mutation.rule][mutation.breaks];
          const ref::Expectation expected = ref::expect(mutation.mutated.call);
          const std::string broken = expected.rule == nullptr ? "" : std::string(expected.rule->id);
          if (broken == (mutation.breaks ? mutation.rule : "")) continue;
          if (++failed[mutation.rule] > 3) continue;
          ADD_FAILURE() << mutation.rule << (mutation.breaks ? " should break: " : " should hold: ")
                        << mutation.what << "\nbut it broke '" << broken << "' ("
                        << expected.violation.detail << ")\n"
                        << to_text(mutation.mutated);
        }
      });
  for (const ref::Rule& rule : ref::rules()) {
    const std::string id(rule.id);
    if (!rule.applies(GetParam())) continue;
    EXPECT_GT(hits[id][true], 0) << id << " is never broken";
    // A pointer is null or not, and where only one rank is legal there is no other: every valid
    // call is the other side.
    if (id != "null-argument" && (id != "rank" || accepted_ranks(GetParam()).size() > 1)) {
      EXPECT_GT(hits[id][false], 0) << id << " is never just kept";
    }
    hits.erase(id);
  }
  for (const auto& [id, sides] : hits)
    EXPECT_TRUE(sides.empty()) << id << " does not apply to this operator";
}

/// All tensors without channels, wherever the format has them.
TEST(Mutations, EmptyTheChannelsOfBothFormats) {
  std::set<std::pair<std::int32_t, std::string>> seen;
  each_valid(ref::Operator::upsample_bilinear2d_backward, 4,
             [&](const CoveragePoint&, const Case& valid) {
               for (const Mutation& mutation : mutations(valid)) {
                 if (mutation.what.ends_with(" = 0 in all"))
                   seen.emplace(valid.call.tensors.front().format, mutation.what);
               }
             });
  EXPECT_TRUE(seen.contains({ref::kNchw, "shape[1] = 0 in all"}));
  EXPECT_TRUE(seen.contains({ref::kNhwc, "shape[3] = 0 in all"}));
  EXPECT_FALSE(seen.contains({ref::kNhwc, "shape[1] = 0 in all"}));
}

// The rule is broken alone only where the extents fit the padding.
TEST_P(Mutations, PadEachEndTooFarWithItsExtents) {
  if (!family(GetParam()).pads_each_end) return;
  std::set<int> ends;
  each_valid(GetParam(), 1, [&](const CoveragePoint&, const Case& valid) {
    for (const Mutation& mutation : mutations(valid)) {
      if (mutation.rule == "padding-value" && mutation.what.ends_with("and its extents"))
        ends.insert(mutation.at);
    }
  });
  EXPECT_EQ(ends.size(), 2 * static_cast<std::size_t>(family(GetParam()).axes));
}

TEST_P(Mutations, CanBeWrittenDown) {
  each_valid(GetParam(), 1, [&](const CoveragePoint&, const Case& valid) {
    for (const Mutation& mutation : mutations(valid)) {
      const std::string text = to_text(mutation.mutated);
      ASSERT_EQ(to_text(parse_case(text)), text);
    }
  });
}

TEST_P(Mutations, AreFoundAgainOnSimplerCases) {
  SeededSource source(6);
  const Case valid = generate_valid(source, coverage_points(GetParam()).back());
  const std::vector<Case> simple = simpler(valid);
  ASSERT_FALSE(simple.empty());
  const std::vector<Mutation> all = mutations(valid);
  std::size_t found = 0;
  for (std::size_t i = 0; i < all.size(); i += 11) {
    for (const Mutation& again : mutations_like(all[i], simple.front())) {
      ++found;
      EXPECT_EQ(again.rule, all[i].rule);
      EXPECT_EQ(again.argument, all[i].argument);
      EXPECT_EQ(again.breaks, all[i].breaks);
    }
    const std::vector<Mutation> same = mutations_like(all[i], valid);
    ASSERT_FALSE(same.empty());
    EXPECT_EQ(same.front().at, all[i].at);
    EXPECT_EQ(same.front().what, all[i].what);
  }
  EXPECT_GT(found, 10u);
}

}  // namespace
}  // namespace gradproof::props
