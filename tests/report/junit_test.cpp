// junit.xml: the exact text for a small report.
#include "props/report/junit.h"

#include <gtest/gtest.h>

#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

TEST(Junit, IsWrittenAsTheSchemasWantIt) {
  Report report = sample();
  report.operators[ref::Operator::replication_pad2d].properties["poison"] = {5, 0, 0.5};
  EXPECT_EQ(to_junit(report), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="replication_pad2d" package="gradproof" id="0" timestamp="2026-01-02T03:04:05" hostname="localhost" tests="2" failures="1" errors="0" time="0.750">
    <properties>
      <property name="seed" value="7"/>
    </properties>
    <testcase name="equivalence" classname="gradproof.replication_pad2d" time="0.250">
      <failure message="3 checks failed" type="values">values (3 failing checks): answers &lt;&quot;1&quot; &amp; &#39;\x01&#39;&gt;
]]&gt; \xff
repro: gradproof repro &#39;replication_pad2d …&#39;
got:
  1 2

</failure>
    </testcase>
    <testcase name="poison" classname="gradproof.replication_pad2d" time="0.500"/>
    <system-out/>
    <system-err/>
  </testsuite>
</testsuites>
)");
}

/// How often a text occurs.
std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(Junit, AFindingIsReportedOnce) {
  Report report = sample();
  auto& properties = report.operators[ref::Operator::replication_pad2d].properties;
  properties["adjoint"] = {5, 2, 0.5};
  report.failures[0].finding = "out differs";
  report.failures[0].also = {{ref::Operator::replication_pad2d, "adjoint", 2}};
  Failure& second = report.failures.emplace_back(report.failures[0]);
  second.finding = "out was not written", second.also.clear();
  const std::string text = to_junit(report);
  EXPECT_EQ(times(text, "out differs"), 1u) << text;
  EXPECT_EQ(times(text, "<failure "), report.failures.size());
  EXPECT_EQ(times(text, "tests=\"3\" failures=\"2\" errors=\"0\""), 1u) << text;
  EXPECT_EQ(times(text, "\nalso failed: adjoint\n"), 1u) << text;
  EXPECT_EQ(times(text, "<skipped message=\"2 checks failed: reported under equivalence\"/>"), 1u)
      << text;
  EXPECT_EQ(times(text, "<testcase name=\"equivalence (finding 2)\""), 1u) << text;
}

TEST(Junit, APropertyWithoutACheckDidNotPass) {
  Report report = sample();
  auto& properties = report.operators[ref::Operator::replication_pad2d].properties;
  properties["adjoint"] = {0, 0, 0, 3, "the library has no aclnnReplicationPad2d"};
  properties["rank"] = {};
  report.question.selected_properties = {"rank"};
  const std::string text = to_junit(report);
  EXPECT_NE(
      text.find("<skipped message=\"no check ran: the library has no aclnnReplicationPad2d\"/>"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("<error message=\"no check ran\" type=\"incomplete\"/>"), std::string::npos)
      << text;
  EXPECT_NE(text.find("tests=\"3\" failures=\"1\" errors=\"1\""), std::string::npos) << text;
}

TEST(Junit, AContradictedEntryFails) {
  Report report = sample();
  report.question.profile = "x";
  EntryCount& met = report.entries.counts.emplace_back();
  met.id = "one", met.says = "status 0", met.met = 3;
  EntryCount& wrong = report.entries.counts.emplace_back(met);
  wrong.id = "two", wrong.reason = "Never <checked>.", wrong.contradicted = 2;
  EntryCount& silent = report.entries.counts.emplace_back();
  silent.id = "three", silent.says = "untested";
  const std::string text = to_junit(report);
  EXPECT_NE(text.find("<testsuite name=\"profile x\""), std::string::npos) << text;
  EXPECT_NE(text.find("tests=\"2\" failures=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("<testcase name=\"one\" classname=\"gradproof.profile.x\" time=\"0.000\"/>"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("<failure message=\"contradicted: the library behaved as documented in 2 checks\" "
                "type=\"contradicted\">status 0: Never &lt;checked&gt;.</failure>"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("three"), std::string::npos);
}

}  // namespace
}  // namespace gradproof::report
