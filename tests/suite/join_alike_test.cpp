// Joining findings at the end of a campaign, without a library.
#include "props/campaign/join_alike.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gradproof::campaign {
namespace {

using Strings = std::vector<std::string>;
using Json = nlohmann::json;

constexpr ref::Operator kOp = ref::Operator::max_pool3d_with_argmax_backward;

/// A cause of wrong values as another process tells it.
Json cause(const char* look, const Strings& needed, const Strings& small,
           const Strings& plainly = {}) {
  return {{"operator", kOp},     {"property", "equivalence"},
          {"kind", "values"},    {"look", look},
          {"small", small},      {"needed", needed},
          {"common", needed},    {"from_examples", true},
          {"others", Strings{}}, {"plainly", plainly}};
}

/// `count` examples with these features, numbers in the list of features.
void add(Json& cases, int count, const char* mode, const std::vector<int>& features) {
  for (int i = 0; i < count; ++i) cases.push_back({mode, features});
}

/// The findings that are left of causes with so many failing checks each.
std::vector<report::Failure> joined(const Json& all, const std::vector<std::uint64_t>& counts,
                                    const Json& examples = Json::array()) {
  Causes causes([](const props::Property&, const props::Case&) { return props::Verdict(); });
  causes.add({{"causes", all}, {"examples", examples}});
  report::Report report;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    report::Failure failure;
    failure.op = kOp;
    failure.property = "equivalence";
    failure.kind = "values";
    failure.number = i;
    failure.seconds = static_cast<double>(i);
    failure.count = counts[i];
    report.failures.push_back(failure);
  }
  join_alike(causes, report);
  return report.failures;
}

/// The same, explained by profile entries.
Json explained(Json cause, const Explanations& entries) {
  cause["entries"] = entries;
  return cause;
}

TEST(JoinAlike, CausesThatOneEntryExplainsAreOne) {
  const Json rounds = cause("rounding", {"FLOAT"}, {"FLOAT"}),
             nan = cause("NaN", {"ceil"}, {"ceil"}, {"ceil"}), wrong = cause("", {}, {});
  Json relation = rounds;
  relation["property"] = "support";
  const std::vector<report::Failure> left =
      joined({explained(relation, {{2}}), explained(nan, {{2}, {5}}), explained(rounds, {{5}}),
              explained(rounds, {{2, 5}}), wrong},
             {4, 7, 20, 2, 3});
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(left[0].total(), 13u);  // of entry 2: also the one that needs both entries
  EXPECT_EQ(left[0].property, "equivalence");
  EXPECT_EQ(left[0].hints.size(), 1u);
  EXPECT_EQ(left[1].total(), 20u);
  EXPECT_EQ(left[2].total(), 3u);
  EXPECT_TRUE(left[2].hints.empty());
}

TEST(JoinAlike, AnEntryThatHelpsOneCaseByChanceExplainsNothing) {
  const Json scale = cause("", {"scale"}, {"scale"});
  const std::vector<report::Failure> left = joined({explained(scale, {{2}}), scale}, {4, 9});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_TRUE(left[0].hints.empty());
}

TEST(JoinAlike, FeaturesThatAreNotNeededAreNotNamed) {
  Json one = cause("", {"NHWC", "scale"}, {"NHWC", "scale"});
  one["unneeded"] = Strings{"NHWC"};
  const std::vector<report::Failure> left = joined(Json::array({one}), {50});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(std::ranges::count(left[0].in_common, "NHWC"), 0);
}

const Strings kStrided{"gradOutput strided"};

TEST(JoinAlike, OfOneSymptomIsNamedWhatAllItsCausesNeed) {
  Json half = cause("", {"FLOAT16", "empty"}, {"FLOAT16", "empty", "rank 3"}, {"FLOAT16"});
  Json brain = cause("", {"BF16", "empty"}, {"BF16", "empty", "rank 3"}, {"BF16"});
  EXPECT_EQ(joined({half, brain}, {5, 4}).size(), 2u);
  for (Json* one : {&half, &brain}) {
    (*one)["kind"] = "trespass";
    (*one)["symptom"] = "4 bytes behind a workspace";
  }
  const std::vector<report::Failure> left = joined({half, brain}, {5, 4});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].total(), 9u);
  EXPECT_EQ(left[0].in_common, Strings{"empty"});
}

TEST(JoinAlike, OfOneSymptomACaseThatFailsInANewProcessIsShown) {
  Json kept = cause("depends on an earlier call", {}, {}), alone = cause("", {}, {});
  for (Json* one : {&kept, &alone}) (*one)["symptom"] = "returned 0 instead of 161001";
  const std::vector<report::Failure> left = joined({kept, alone}, {1, 4});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].count, 5u);
  EXPECT_EQ(left[0].seconds, 1);
}

TEST(JoinAlike, CausesThatMisreadOneTensorAreOne) {
  const Json all{
      cause("", {"gradOutput strided", "rank 5"}, {"gradOutput strided", "rank 5"}, kStrided),
      cause("read outside", {"broadcast-input"}, {"broadcast-input", "gradOutput strided"}),
      cause("NaN", {"ceil", "gradOutput strided"}, {"ceil", "gradOutput strided"}, kStrided),
      cause("", {"indices strided"}, {"indices strided"}, {"indices strided"})};
  const std::vector<report::Failure> left = joined(all, {20, 90, 5, 7});
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].total(), 115u);
  EXPECT_EQ(left[1].total(), 7u);
}

TEST(JoinAlike, WrongNanIsOneWhateverTheKindOfData) {
  Json planted = cause("", {}, {});
  planted["property"] = "support";
  planted["kind"] = "reach";
  planted["common"] = Strings{"FLOAT"};
  const Json all{cause("NaN", {"data-special"}, {"data-special"}),
                 cause("NaN", {"data-constant"}, {"data-constant"}), planted,
                 cause("NaN", {"ceil", "data-special"}, {"ceil", "data-special"}, {"ceil"})};
  const std::vector<report::Failure> left = joined(all, {20, 9, 4, 7});
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].total(), 33u);
  EXPECT_EQ(left[1].total(), 7u);
}

TEST(JoinAlike, ACircleOfCausesIsOne) {
  const Json all{cause("", {"gradOutput strided", "rank 4"},
                       {"exact-division", "gradOutput strided", "rank 4"}, kStrided),
                 cause("", {"exact-division", "gradOutput strided"},
                       {"ND", "exact-division", "gradOutput strided"}, kStrided),
                 cause("", {"ND", "gradOutput strided"}, {"ND", "gradOutput strided"}, kStrided)};
  const std::vector<report::Failure> left = joined(all, {212, 170, 12});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].total(), 394u);
  EXPECT_EQ(left[0].in_common, kStrided);
}

TEST(JoinAlike, RoundingsNeedWhatAllOfThemHave) {
  const Strings type{"BF16"};
  const Json all{cause("rounding", {"BF16"}, {"BF16", "ceil", "rank 4"}, type),
                 cause("rounding", {"BF16", "ceil"}, {"BF16", "ceil", "rank 5"}, type),
                 cause("rounding", {"BF16", "ND"}, {"BF16", "ND", "rank 4"}, type)};
  const std::vector<report::Failure> left = joined(all, {9, 8, 7});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].in_common, type);
}

/// Features: 0 ceil, 1 ceil-with-remainder, 2 exact-division, 3 FLOAT16, 4 BF16.
Json examples(const Json& cases) {
  return {{kOp,
           "equivalence",
           {{"features", {"ceil", "ceil-with-remainder", "exact-division", "FLOAT16", "BF16"}},
            {"cases", cases}}}};
}

TEST(JoinAlike, TwoCornersOfWhatPredictsAsWellAreOne) {
  Json cases = Json::array();
  add(cases, 20, "values, ", {0, 1});
  add(cases, 20, "values, ", {0, 2});
  add(cases, 20, "", {2});
  add(cases, 20, "", {3});
  const Json all{cause("", {"ceil-with-remainder"}, {"ceil", "ceil-with-remainder"}),
                 cause("", {"ceil", "exact-division"}, {"ceil", "exact-division", "rank 4"})};
  for (const auto& counts : {std::vector<std::uint64_t>{20, 10}, {10, 20}, {10, 10}}) {
    const std::vector<report::Failure> left = joined(all, counts, examples(cases));
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].in_common, Strings{"ceil"});
  }
}

TEST(JoinAlike, WhatTwoCausesShareIsNoCauseIfMostCasesWithItPass) {
  Json cases = Json::array();
  add(cases, 20, "values, ", {0, 3});
  add(cases, 20, "values, ", {0, 4});
  add(cases, 60, "", {0});
  add(cases, 60, "", {3});
  add(cases, 60, "", {4});
  const Json all{cause("", {"FLOAT16", "ceil"}, {"FLOAT16", "ceil", "rank 4"}),
                 cause("", {"BF16", "ceil"}, {"BF16", "ceil", "rank 4"})};
  EXPECT_EQ(joined(all, {20, 10}, examples(cases)).size(), 2u);
}

}  // namespace
}  // namespace gradproof::campaign
