// Findings of a campaign: no failing check may be lost between its property and the report.
#include "props/campaign/findings.h"

#include <gtest/gtest.h>

#include "tests/suite/suite_fixture.h"

namespace gradproof::campaign {
namespace {

/// What is reported of the property's failure on the case.
std::vector<report::Failure> reported(const char* name, const props::Case& test) {
  Settings settings;
  settings.subject.libraries = {FAKE_BOTH};
  settings.fork = false;
  const auto properties = chosen_properties(settings);
  Checker checker(settings);
  report::Report report;
  Database database("", settings.subject);
  Findings findings(settings, properties, checker, report, database, [] { return 0.0; });
  const props::Property* property = props::find_property(name);
  findings.add({property, test, checker.attempt(*property, test), nullptr}, 1,
               [] { return std::nullopt; });
  findings.settle();
  return report.failures;
}

TEST(Findings, OfAPropertyThatIsReportedByAnotherIsKept) {
  const props::Fault wrong("last column");
  // The sum of gradients found it; equivalence says it plainer, and so reports it.
  const auto failures = reported("gradient-sum", props::pad_case());
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].property, "equivalence");
  EXPECT_EQ(failures[0].total(), 1u);
}

TEST(Findings, OfARelationAreReportedByTheCallThatFails) {
  const props::Fault wrong("NaN if cropped");  // on the left; the case is cropped at the top
  const auto failures = reported(
      "axis-order",
      props::parse_case("replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND "
                        "self=FLOAT[1,1,3,3]:ND padding=0,0,-1,0 gradInput=FLOAT[1,1,3,3]:ND"));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].property, "equivalence");
  const props::Case shown = props::parse_case(failures[0].test);
  EXPECT_LT(ref::int_array(shown.call, "padding").values.front(), 0) << failures[0].test;
}

}  // namespace
}  // namespace gradproof::campaign
