// Sorting failing checks by cause, without a library.
#include "props/campaign/causes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gradproof::campaign {
namespace {

const auto always = [](const props::Property&, const props::Case&) { return true; };

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
                          {"type", ""}};
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

}  // namespace
}  // namespace gradproof::campaign
