// Findings of a campaign: no failing check may be lost between its property and the report.
#include "props/campaign/findings.h"

#include <gtest/gtest.h>

#include "tests/suite/suite_fixture.h"

namespace gradproof::campaign {
namespace {

TEST(Findings, OfAPropertyThatIsReportedByAnotherIsKept) {
  const props::Fault wrong("last column");
  Settings settings;
  settings.subject.libraries = {FAKE_BOTH};
  settings.fork = false;
  const auto properties = chosen_properties(settings);
  Checker checker(settings);
  report::Report report;
  Database database("", settings.subject);
  Findings findings(settings, properties, checker, report, database, [] { return 0.0; });

  // The sum of gradients found it; equivalence says it plainer, and so reports it.
  const props::Property* sum = props::find_property("gradient-sum");
  const props::Case test = props::pad_case();
  findings.add({sum, test, checker.attempt(*sum, test), nullptr}, 1, [] { return std::nullopt; });
  findings.settle();
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_EQ(report.failures[0].property, "equivalence");
  EXPECT_EQ(report.failures[0].total(), 1u);
}

}  // namespace
}  // namespace gradproof::campaign
