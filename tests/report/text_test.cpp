// Text from outside, cleaned and escaped.
#include "props/report/text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "props/report/details.h"
#include "props/report/partial.h"
#include "props/report/table.h"
#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

TEST(Text, KeepsWhatCanBePrinted) {
  EXPECT_EQ(printable("plain\nwords"), "plain\nwords");
  EXPECT_EQ(printable("Σ|t| ≤ γ 😀"), "Σ|t| ≤ γ 😀");
  EXPECT_EQ(printable(""), "");
}

TEST(Text, SpellsOutWhatCannot) {
  EXPECT_EQ(printable(std::string_view("a\0b\x1b[31m\r\x7f", 10)), "a\\x00b\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(printable("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");           // never UTF-8, and overlong
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");                    // cut off
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a surrogate pair
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\xef\\xbf\\xbf");           // U+FFFF, which XML forbids
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  EXPECT_EQ(printable("\xc2\x85"), "\\xc2\\x85");           // a control character of two bytes
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // turns the direction of writing
}

TEST(Text, EscapesMarkup) {
  EXPECT_EQ(escaped("a<b>&\"'\n"), "a&lt;b&gt;&amp;&quot;&#39;\n");
  EXPECT_EQ(escaped("a\nb\x02", Place::attribute), "a&#10;b\\x02");
  EXPECT_EQ(escaped("]]>"), "]]&gt;");
}

TEST(Text, RunsOfKernelsThatWereComparedAreToldApart) {
  const Report report = sample();
  std::ostringstream summary, details;
  print_table(summary, report);
  EXPECT_NE(summary.str().find("kernels: 2 combinations"), std::string::npos) << summary.str();
  EXPECT_NE(summary.str().find("kernels compared with each other: 2 combinations"),
            std::string::npos);
  EXPECT_NE(summary.str().find("kernels never chosen: planes of replication_pad2d"),
            std::string::npos);
  print_kernel_runs(details, report, {});
  EXPECT_NE(details.str().find("avx2 compared"), std::string::npos) << details.str();
}

TEST(Text, ARunThatTookTooLongNamesItsSlowestCheck) {
  const auto grounds = [](const Report& report) {
    std::ostringstream out;
    print_grounds(out, report);
    return out.str();
  };
  Report report = sample();
  report.question.cases = 0;
  report.question.seconds = 10;
  report.parts[0].seconds = 15;
  EXPECT_EQ(grounds(report).find("took"), std::string::npos);
  report.parts[0].seconds = 17;
  ASSERT_FALSE(report.failures.empty());
  EXPECT_NE(grounds(report).find("took 17 s, longer than --seconds: shrinking findings and trying"),
            std::string::npos)
      << grounds(report);
  report.failures.clear();
  EXPECT_NE(grounds(report).find(
                "took 17 s, longer than --seconds: the slowest check took 0.2 s (equivalence "
                "of replication_pad2d); --at-most"),
            std::string::npos)
      << grounds(report);
  report.question.cases = 40;
  EXPECT_EQ(grounds(report).find("took"), std::string::npos);
}

TEST(Text, WhatWasNotTestedIsOneSentenceOfCounts) {
  Report report = sample();
  EXPECT_EQ(partial_run(report),
            "partial run: 1 of 2 case classes, 1 of 2 boundary sides and 9 operators were not "
            "tested");
  report.question.properties = {"equivalence", "adjoint", "argmax"};
  EXPECT_NE(partial_run(report).find("9 operators and 2 properties were not"), std::string::npos);
  report.operators.begin()->second.properties["argmax"].why = "not promised: argmax";
  EXPECT_NE(partial_run(report).find("9 operators and 2 properties (1 of them not promised by the "
                                     "library) were not"),
            std::string::npos)
      << partial_run(report);
  report.question.properties = {"equivalence", "argmax"};
  EXPECT_NE(partial_run(report).find(" and 1 property (argmax, not promised by the library) were"),
            std::string::npos)
      << partial_run(report);
  for (int i = 0; i < ref::kOperatorCount - 1; ++i)
    report.question.operators.emplace_back(ref::signature(static_cast<ref::Operator>(i)).stem);
  EXPECT_NE(partial_run(report).find("sides, adaptive_max_pool3d and 1 property"),
            std::string::npos);
}

TEST(Text, TheErrorNearestToItsBoundIsNamed) {
  Report report = sample();
  Distribution& errors = report.operators.begin()->second.errors["FLOAT16"];
  errors.name_worst(0.25, "not the worst");
  errors.name_worst(0.5, "replication_pad2d b=2");
  errors.name_worst(0.5, "replication_pad2d a=1");
  std::ostringstream failed, passed;
  print_table(failed, report);
  EXPECT_EQ(failed.str().find("of its bound, in"), std::string::npos);
  report.failures.clear();
  print_table(passed, report, {false, 200});
  EXPECT_NE(passed.str().find("worst error: 0.5000 of its bound, in FLOAT16 of replication_pad2d, "
                              "case 'replication_pad2d a=1'\n"),
            std::string::npos)
      << passed.str();
}

TEST(Text, PointsThatTheKernelDeclinesAreNotExpected) {
  OperatorReport o;
  o.points = {{"Ascend910B BF16 rank 3 ND", 0}, {"Ascend910B FLOAT rank 3 ND", 4}, {"x", 0}};
  o.declined = {"Ascend910B BF16 rank 3 ND", "Ascend910B FLOAT rank 3 ND"};
  EXPECT_EQ(share(covered_points(o)), "1/2");
  EXPECT_EQ(covered_points(o).missing, std::vector<std::string>{"x"});
}

TEST(Text, AWholeRunIsNotPartial) {
  Report report = sample();
  report.question.selected_operators = {"replication_pad2d"};
  OperatorReport& o = report.operators.begin()->second;
  o.classes = {{"empty", 2}};
  EXPECT_EQ(partial_run(report), "partial run: 1 of 2 boundary sides was not tested");
  o.borders = {{"rank self[3] kept on Ascend910B", 2}};
  EXPECT_EQ(partial_run(report), "");
}

}  // namespace
}  // namespace gradproof::report
