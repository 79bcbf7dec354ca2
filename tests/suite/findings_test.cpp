// Findings of a campaign: no failing check may be lost between its property and the report.
#include "props/campaign/findings.h"

#include <gtest/gtest.h>

#include <new>
#include <optional>

#include "props/report/findings.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::campaign {
namespace {

/// The findings of a campaign on the fake library.
class OfFake : public testing::Test {
 protected:
  OfFake() {
    settings_.subject.libraries = {FAKE_BOTH};
    settings_.fork = false;  // a worker would be this program, which runs all tests again
  }
  Failure failure(const char* name, const props::Case& test) {
    const props::Property* property = props::find_property(name);
    return {property, test, checker_->attempt(*property, test), nullptr};
  }
  void add(const Failure& found) { findings_->add(found, 1, Findings::no_origin); }
  std::vector<report::Failure> settled() {
    findings_->settle();
    return report_.failures;
  }
  void SetUp() override {
    properties_ = chosen_properties(settings_);
    checker_.emplace(settings_);
    database_.emplace("", settings_.subject);
    findings_.emplace(settings_, properties_, *checker_, report_, *database_, [] { return 0.0; });
  }

  Settings settings_;
  std::vector<const props::Property*> properties_;
  std::optional<Checker> checker_;
  report::Report report_;
  std::optional<Database> database_;
  std::optional<Findings> findings_;
};

TEST_F(OfFake, APropertysFailureThatAnotherReportsIsKept) {
  const props::Fault wrong("last column");
  // The sum of gradients found it; equivalence says it plainer, and so reports it.
  add(failure("gradient-sum", props::pad_case()));
  const auto failures = settled();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].property, "equivalence");
  EXPECT_EQ(failures[0].total(), 1u);
}

TEST_F(OfFake, AFailureThatEndsTheCampaignIsInTheReport) {
  const props::Fault wrong("last column");
  const Failure found = failure("equivalence", props::pad_case());
  const auto no_memory = []() -> std::optional<Origin> { throw std::bad_alloc(); };
  EXPECT_THROW(findings_->add(found, 1, no_memory), std::bad_alloc);
  findings_->settle(false);
  ASSERT_EQ(report_.failures.size(), 1u);
  EXPECT_EQ(report_.failures[0].total(), 1u);
  EXPECT_FALSE(report_.failures[0].shrunk);
}

/// Cropped at the top: axis-order's other call is cropped on the left.
const char* const kCropped =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,3,3]:ND "
    "padding=0,0,-1,0 gradInput=FLOAT[1,1,3,3]:ND";

TEST_F(OfFake, ARelationsFailureShowsTheCallThatFails) {
  const props::Fault wrong("NaN if cropped");  // on the left
  add(failure("axis-order", props::parse_case(kCropped)));
  const auto failures = settled();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].property, "equivalence");
  const props::Case shown = props::parse_case(failures[0].test);
  EXPECT_LT(ref::int_array(shown.call, "padding").values.front(), 0) << failures[0].test;
}

TEST_F(OfFake, OtherCallsAreTriedUntilEnoughHadOneCause) {
  constexpr int kEnough = 20;
  std::optional<Failure> found;
  {
    const props::Fault wrong("NaN if cropped");
    found = failure("axis-order", props::parse_case(kCropped));
    for (int i = 0; i < kEnough; ++i) add(*found);
  }
  add(*found);  // its calls would pass now, but are not tried again
  Failure other = *found;
  other.verdict.kind = "trespass";  // failures of another kind are another matter
  add(other);
  const auto failures = settled();
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0].kind, "trespass");
  EXPECT_EQ(failures[1].property, "equivalence");
  EXPECT_EQ(failures[1].total(), kEnough + 1u);
}

TEST_F(OfFake, WhatNeedsAnEarlierCallShowsACallByItself) {
  // Both pass now, as in a new process.
  const auto failed = [&](const char* name, props::Case test, const char* kind) {
    return Failure{props::find_property(name), std::move(test),
                   props::Verdict::violated(kind, "text"), nullptr};
  };
  const std::string text = props::to_text(props::pad_case());
  const props::Case sequence =
      props::parse_case(text + " sequence=describe(0,0,0,0);plan(0,0,right);run(0,0,right)");
  add(failed("life-cycle", sequence, "sequence values"));
  add(failed("equivalence", props::pad_case(), "values"));
  add(failed("life-cycle", sequence, "sequence bits"));
  const auto failures = settled();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].property, "equivalence");
  EXPECT_EQ(failures[0].total(), 3u);
}

TEST(ExtentOf, NamesThePropertiesThatFailed) {
  report::Failure f;
  f.op = ref::Operator::replication_pad2d_backward;
  f.property = "equivalence";
  f.count = 2;
  f.also = {{f.op, "layout", 3}, {f.op, "rank", 1}};
  EXPECT_EQ(report::extent_of(f), "6 failing checks (2 of equivalence, 3 of layout, 1 of rank)");
  f.count = 0;  // the case was made from checks of the others
  EXPECT_EQ(report::extent_of(f), "4 failing checks (3 of layout, 1 of rank)");
}

}  // namespace
}  // namespace gradproof::campaign
