// Sorting failing checks by cause, without a library.
#include "props/campaign/causes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "props/judge/compare.h"

namespace gradproof::campaign {
namespace {

const auto always = [](const props::Property&, const props::Case&) {
  return props::Verdict::violated("values", "text");
};

Failure failure(const char* property, ref::Operator op, const char* kind) {
  return {props::find_property(property), props::blank_case(op),
          props::Verdict::violated(kind, "text"), nullptr};
}

TEST(Causes, WhatServicesAnswerIsOneFindingOfAllOperators) {
  Causes causes(always);
  const Failure first = failure("services", ref::Operator::upsample_bilinear2d, "memory");
  EXPECT_EQ(causes.sort(first, {"FLOAT", "rank-4"}), 0u);
  const Failure second = failure("services", ref::Operator::max_pool3d_with_argmax, "memory");
  EXPECT_EQ(causes.explaining(second, {"BFLOAT16", "rank-5"}), 0u);
  const Failure other = failure("services", ref::Operator::max_pool3d_with_argmax, "runtime");
  EXPECT_FALSE(causes.explaining(other, {"FLOAT", "rank-4"}).has_value());
}

TEST(Causes, ALibraryThatCannotBeStartedIsOneFindingOfAllProperties) {
  Causes causes(always);
  const Failure first = failure("services", ref::Operator::upsample_bilinear2d, "start");
  EXPECT_EQ(causes.sort(first, {"FLOAT"}), 0u);
  const Failure second = failure("equivalence", ref::Operator::max_pool3d_with_argmax, "start");
  EXPECT_EQ(causes.explaining(second, {"FLOAT16"}), 0u);
}

TEST(Causes, WrongValuesOfTwoOperatorsAreTwo) {
  Causes causes(always);
  const Failure first = failure("equivalence", ref::Operator::upsample_bilinear2d, "values");
  EXPECT_EQ(causes.sort(first, {"FLOAT"}), 0u);
  const Failure second = failure("equivalence", ref::Operator::max_pool3d_with_argmax, "values");
  EXPECT_FALSE(causes.explaining(second, {"FLOAT"}).has_value());
}

/// Eight failing examples have both features, eight passing ones neither.
nlohmann::json told_of_equal_features(const char* met_first, const char* met_later) {
  nlohmann::json cases = nlohmann::json::array();
  for (int i = 0; i < 8; ++i) {
    cases.push_back({"values, ", {0, 1}});
    cases.push_back({"", nlohmann::json::array()});
  }
  const std::vector<std::string> both{met_first, met_later};
  const std::vector<std::string> none;
  return {{"causes",
           {{{"operator", ref::Operator::replication_pad2d_backward},
             {"property", "equivalence"},
             {"kind", "values"},
             {"look", ""},
             {"small", both},
             {"needed", both},
             {"common", both},
             {"from_examples", true},
             {"others", none},
             {"plainly", none}}}},
          {"examples",
           {{ref::Operator::replication_pad2d_backward,
             "equivalence",
             {{"features", both}, {"cases", cases}}}}}};
}

TEST(Causes, OfFeaturesThatTellEquallyWellTheFirstByNameIsNeeded) {
  for (const bool first : {true, false}) {
    Causes causes(always);
    causes.add(first ? told_of_equal_features("ceil", "empty")
                     : told_of_equal_features("empty", "ceil"));
    causes.learn();
    EXPECT_EQ(causes[0].needed, props::Features{"ceil"}) << first;
  }
}

TEST(Causes, NanIsOfTheCauseOfWrongNumbersThatNeedTheSame) {
  using Strings = std::vector<std::string>;
  const auto cause = [](const char* look, const Strings& needed) {
    return nlohmann::json{{"operator", ref::Operator::replication_pad2d_backward},
                          {"property", "equivalence"},
                          {"kind", "values"},
                          {"look", look},
                          {"small", Strings{"FLOAT", "extent-1", "padding-negative"}},
                          {"needed", needed},
                          {"common", needed},
                          {"from_examples", true},
                          {"others", Strings{}},
                          {"plainly", Strings{}}};
  };
  const Strings cropped{"padding-negative"};
  Causes causes(always);
  causes.add(
      {{"causes",
        {cause("", cropped), cause("NaN", cropped), cause("NaN", {"extent-1"}),
         cause("not written", cropped), cause("NaN", {"FLOAT", "extent-1", "padding-negative"}),
         cause("", {}), cause("NaN", {})}},
       {"examples", nlohmann::json::array()}});
  EXPECT_TRUE(causes.differs_in_data(1, 0, causes[1].needed));
  EXPECT_TRUE(causes.differs_in_data(0, 1, causes[0].needed));
  EXPECT_FALSE(causes.differs_in_data(2, 0, causes[2].needed));  // needs something else
  EXPECT_FALSE(causes.differs_in_data(3, 0, causes[3].needed));  // looks like another mistake
  EXPECT_FALSE(causes.differs_in_data(4, 0, causes[4].needed));  // nobody knows what it needs
  EXPECT_FALSE(causes.differs_in_data(6, 5, causes[6].needed));  // no feature predicts either
}

using Strings = std::vector<std::string>;

/// A cause of wrong values as another process tells it, which needs these features; `plainly`: by
/// trying.
nlohmann::json told(const char* property, const char* look, const Strings& needed,
                    const Strings& plainly = {}) {
  Strings small = needed;
  small.insert(small.begin(), "extent-1");
  return {{"operator", ref::Operator::max_pool3d_with_argmax_backward},
          {"property", property},
          {"kind", "values"},
          {"look", look},
          {"small", small},
          {"needed", needed},
          {"common", small},
          {"from_examples", true},
          {"others", Strings{}},
          {"plainly", plainly}};
}

Causes causes_of(const nlohmann::json& all) {
  Causes causes(always);
  causes.add({{"causes", all}, {"examples", nlohmann::json::array()}});
  return causes;
}

TEST(Causes, ReadingOutsideAnInputIsOfTheCauseThatReadsAnotherElement) {
  const char* const values = "equivalence";
  Causes causes =
      causes_of({told(values, "", {"gradOutput strided"}),
                 told(values, "read outside", {"broadcast-input", "gradOutput strided"}),
                 told(values, "read outside", {"FLOAT16"})});
  EXPECT_TRUE(causes.differs_in_data(1, 0, causes[1].needed));
  EXPECT_FALSE(causes.differs_in_data(0, 1, causes[0].needed));  // the numbers are the finding
  EXPECT_FALSE(causes.differs_in_data(2, 0, causes[2].needed));  // views without gaps
}

Failure failure_in_ceil_mode(const std::string& type) {
  Failure found = failure("equivalence", ref::Operator::max_pool3d_with_argmax_backward, "values");
  found.test = props::parse_case(
      "max_pool3d_with_argmax_backward gradOutput=" + type + "[1,1,1,2]:ND self=" + type +
      "[1,1,1,3]:ND indices=INT32[1,1,1,2]:ND kernelSize=1,1,2 stride=1,1,2 padding=0 dilation=1 "
      "ceilMode=true gradInput=" +
      type + "[1,1,1,3]:ND");
  return found;
}

TEST(Causes, TheCauseThatNeedsMostExplains) {
  const Causes causes = causes_of({told("equivalence", "", {}), told("equivalence", "", {"ceil"}),
                                   told("equivalence", "", {})});
  const Failure found =
      failure("equivalence", ref::Operator::max_pool3d_with_argmax_backward, "values");
  EXPECT_EQ(causes.explaining(found, {"ceil", "FLOAT"}), 1u);
  EXPECT_EQ(causes.explaining(found, {"FLOAT"}), 0u);
  EXPECT_FALSE(causes.explaining(found, {"BF16"}, {"BF16"}).has_value());
}

TEST(Causes, WhatPassesWithoutAFlagIsNoneThatFailsWithoutIt) {
  const Causes causes =
      causes_of({told("equivalence", "", {}), told("equivalence", "", {"ceil"}, {"ceil"}),
                 told("equivalence", "", {"ceil"})});
  EXPECT_FALSE(causes.same_as(1).has_value());
  EXPECT_EQ(causes.same_as(2), 0u);  // the first one may explain it
}

TEST(Causes, AFlagTellsFailuresApartOnceTwoPassWithoutIt) {
  Failure found = failure_in_ceil_mode("FLOAT");
  const props::Features features = props::features(found.test), ceil{"ceil"};
  int asked = 0;
  bool passes = true;
  Causes causes([&](const props::Property&, const props::Case& c) {
    // As many windows as before: the image is as long as the last one needs.
    EXPECT_EQ(c.call.tensors.front().shape, (std::vector<std::int64_t>{1, 1, 1, 2}));
    EXPECT_EQ(c.call.flags[0], 0);
    ++asked;
    return passes ? props::Verdict() : props::Verdict::violated("values", "text");
  });
  causes.add({{"causes", {told("equivalence", "", {}), told("equivalence", "", {})}},
              {"examples", nlohmann::json::array()}});
  EXPECT_TRUE(causes.apart(0, found, features).empty());  // the first one may pass by chance
  EXPECT_TRUE(causes.apart(0, found, features).empty());  // made from the same case: not asked
  EXPECT_EQ(asked, 1);
  ++found.test.seed;
  EXPECT_EQ(causes.apart(0, found, features), ceil);
  passes = false;
  for (int i = 0; i < 20; ++i) {
    ++found.test.seed;
    EXPECT_TRUE(causes.apart(1, found, features).empty());
  }
  EXPECT_EQ(asked, 8);
}

TEST(Causes, WhatCannotBeJudgedWithoutAFlagNeedsNone) {
  Failure found = failure_in_ceil_mode("BF16");
  Causes causes([](const props::Property&, const props::Case&) {
    return props::Verdict::not_checked("untested");
  });
  EXPECT_EQ(causes.sort(found, props::features(found.test)), 0u);
  EXPECT_TRUE(causes[0].plainly.empty());
  for (int i = 0; i < 20; ++i) {
    ++found.test.seed;
    EXPECT_TRUE(causes.apart(0, found, {"BF16", "ceil", "ND"}).empty());
  }
}

TEST(Causes, RoundingsOfOneTypeAreOne) {
  const Causes causes = causes_of({told("equivalence", "rounding", {"BF16", "ceil"}, {"BF16"}),
                                   told("equivalence", "rounding", {"BF16", "padding-0"}, {"BF16"}),
                                   told("equivalence", "rounding", {"FLOAT16"}, {"FLOAT16"}),
                                   told("equivalence", "", {"BF16", "overlap"}, {"BF16"})});
  EXPECT_EQ(causes.same_as(1), 0u);
  EXPECT_FALSE(causes.same_as(0).has_value());
  EXPECT_FALSE(causes.same_as(2).has_value());
  EXPECT_FALSE(causes.same_as(3).has_value());
}

TEST(Causes, ARelationThatFailsOnlyWhereValuesAreWrongIsNoOtherFinding) {
  const Causes causes =
      causes_of({told("equivalence", "", {"ceil"}), told("axis-order", "", {"FLOAT", "ceil"}),
                 told("axis-order", "", {"FLOAT"}), told("equivalence", "", {})});
  EXPECT_EQ(causes.same_as(1), 0u);
  EXPECT_FALSE(causes.same_as(2).has_value());
}

TEST(Causes, WhatFailsOnTheForwardsIndicesTooIsExplainedByThem) {
  const props::Case any = props::parse_case(
      "max_pool2d_with_mask_backward gradOutput=FLOAT[1,1,3]:ND self=FLOAT[1,1,3]:ND "
      "indices=INT8[1,1,64]:ND:fill(in_range) kernelSize=1 stride= padding=0 dilation=1 "
      "ceilMode=false gradInput=FLOAT[1,1,3]:ND");
  const Failure found{props::find_property("equivalence"), any,
                      props::Verdict::violated("values", "text"), nullptr};
  for (const bool fails : {true, false}) {
    Causes causes([fails](const props::Property&, const props::Case&) {
      return fails ? props::Verdict::violated("values", "text") : props::Verdict();
    });
    EXPECT_EQ(causes.sort(found, props::features(any)), 0u);
    EXPECT_TRUE(causes[0].small.contains("indices-in_range"));
    EXPECT_EQ(causes[0].small.contains("indices-forward"), fails);
  }
}

/// A failure that shows in the same way wherever its cause is met.
Failure failure_with_symptom(const char* property, ref::Operator op, const char* kind,
                             const char* symptom) {
  Failure found = failure(property, op, kind);
  found.verdict.symptom = symptom;
  return found;
}

Failure null_executor(ref::Operator op, const char* status) {
  Failure found = failure_with_symptom("misuse", op, "misuse null_executor", status);
  found.test.misuse = props::Misuse::null_executor;
  found.verdict.look = status;
  return found;
}

TEST(Causes, FailuresOfOneSymptomAreOneFindingOfAllOperatorsAndTypes) {
  const ref::Operator pad = ref::Operator::replication_pad2d_backward,
                      pool = ref::Operator::max_pool3d_with_argmax_backward;
  Causes causes(always);
  EXPECT_EQ(causes.sort(null_executor(pad, "status 161002"), {"Ascend910B", "FLOAT"}), 0u);
  const Failure later = null_executor(pool, "status 161002");
  const props::Features features = props::features(later.test);
  EXPECT_FALSE(causes.explaining(later, features).has_value());
  EXPECT_EQ(causes.sort(later, features), 0u);
  EXPECT_EQ(causes.explaining(later, features), 0u);
  EXPECT_FALSE(causes.explaining(later, {"Ascend910B"}).has_value());  // not as it was found
  const Failure other = null_executor(pool, "status 0");
  EXPECT_FALSE(causes.explaining(other, features).has_value());
  EXPECT_EQ(causes.sort(other, features), 1u);
}

TEST(Causes, LeaksOfRefusedCallsAreOneIfTheyAreOfOneSize) {
  const auto leaks = [](const char* of_first, const char* of_second) {
    Causes causes(always);
    Failure first = failure_with_symptom("no-leak", ref::Operator::replication_pad2d_backward,
                                         "leak", of_first);
    Failure second = first;
    first.test.call.null_executor = true;  // refused for one argument each
    second.test.call.null_workspace_size = true;
    second.verdict.symptom = of_second;
    for (const Failure& found : {first, second}) causes.sort(found, props::features(found.test));
    return causes.size();
  };
  EXPECT_EQ(leaks("48 bytes of the heap allocated", "48 bytes of the heap allocated"), 1u);
  EXPECT_EQ(leaks("48 bytes of the heap allocated", "80 bytes of the heap allocated"), 2u);
  EXPECT_EQ(leaks("", ""), 2u);
}

/// A cause as another process tells it, of failures with that symptom.
nlohmann::json told_with_symptom(ref::Operator op, const char* property, const char* kind,
                                 const char* symptom, const char* type) {
  nlohmann::json cause = told(property, "", {type}, {type});
  cause["operator"] = op;
  cause["kind"] = kind;
  cause["symptom"] = symptom;
  return cause;
}

TEST(Causes, MemoryDamageOfOneSymptomIsOneFindingOfAllProperties) {
  const ref::Operator pad = ref::Operator::replication_pad2d_backward,
                      pool = ref::Operator::adaptive_max_pool3d_backward;
  const char* const by_4 = "4 bytes behind a workspace";
  const Causes causes = causes_of(
      {told_with_symptom(pool, "life-cycle", "sequence memory", by_4, "Ascend910B"),
       told_with_symptom(pad, "equivalence", "trespass", by_4, "FLOAT16"),
       told_with_symptom(pool, "equivalence", "trespass", by_4, "BF16"),
       told_with_symptom(pool, "equivalence", "trespass", "8 bytes behind a workspace", "FLOAT"),
       told_with_symptom(pool, "equivalence", "trespass", "", "FLOAT16")});
  EXPECT_EQ(causes.same_as(0), 1u);
  EXPECT_FALSE(causes.same_as(1).has_value());
  EXPECT_EQ(causes.same_as(2), 1u);
  EXPECT_FALSE(causes.same_as(3).has_value());
  EXPECT_FALSE(causes.same_as(4).has_value());
}

TEST(Causes, SequencesThatMissAFailureAreOfTheKernelThatDoesNotReportIt) {
  const ref::Operator pad = ref::Operator::replication_pad2d_backward,
                      pool = ref::Operator::adaptive_max_pool3d_backward,
                      other = ref::Operator::max_pool3d_with_argmax_backward;
  const char* const none = "returned 0 instead of 507035";
  const Causes causes =
      causes_of({told_with_symptom(pad, "life-cycle", "sequence synchronise_device", none, "x"),
                 told_with_symptom(pool, "equivalence", "bad index", none, "FLOAT"),
                 told_with_symptom(other, "equivalence", "bad index", none, "BF16")});
  EXPECT_EQ(causes.same_as(0), 1u);
  EXPECT_FALSE(causes.same_as(1).has_value());
  EXPECT_FALSE(causes.same_as(2).has_value());
}

TEST(Causes, ASequenceIsOfTheOperatorThatKeepsDataByItself) {
  const ref::Operator pad = ref::Operator::replication_pad2d_backward,
                      pool = ref::Operator::adaptive_max_pool3d_backward;
  const auto kept = [](const char* property, ref::Operator op) {
    Failure found = failure(property, op, "values");
    found.verdict.look = props::kEarlierCall;
    return found;
  };
  Causes causes(always);
  causes.add_earlier_call(kept("life-cycle", pool), {pool, pad});
  causes.add_earlier_call(kept("life-cycle", pad), {pool, pad});
  EXPECT_EQ(causes.earlier_call(pad, {pool, pad}), 1u);
  EXPECT_FALSE(causes.same_as(0).has_value());
  causes.add_earlier_call(kept("equivalence", pad));
  EXPECT_EQ(causes.earlier_call(pad), 2u);
  EXPECT_EQ(causes.earlier_call(pool, {pool, pad}), 2u);
  EXPECT_EQ(causes.same_as(0), 2u);
  EXPECT_EQ(causes.same_as(1), 2u);
  EXPECT_FALSE(causes.same_as(2).has_value());
}

}  // namespace
}  // namespace gradproof::campaign
