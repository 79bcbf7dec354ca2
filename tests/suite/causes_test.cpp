// Sorting failing checks by cause, without a library.
#include "props/campaign/causes.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gradproof::campaign
