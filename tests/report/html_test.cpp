// report.html: what it says, and that nothing from outside becomes markup.
#include "props/report/html.h"

#include <gtest/gtest.h>

#include <sstream>

#include "props/report/junit.h"
#include "props/report/table.h"
#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

bool has(const std::string& page, std::string_view words) {
  return page.find(words) != std::string::npos;
}

TEST(Html, ShowsWhatTheReportHolds) {
  const std::string page = to_html(sample());
  EXPECT_PRED2(has, page, "<span class=\"verdict failed\">failed</span>");
  EXPECT_PRED2(has, page, "FLOAT16: 3 checks, worst 0.5000, 1 beyond");
  EXPECT_PRED2(has, page, "<title>0.45 to 0.50: 1 check</title>");
  EXPECT_PRED2(has, page, "<title>replication_pad2d, view, kept: 0 calls</title>");
  EXPECT_PRED2(has, page,
               "<title>replication_pad2d, equivalence: 40 checks, 3 failed, 0.25 s</title>");
  EXPECT_PRED2(has, page, "title=\"strided-output\">1/2 ✗</span>");
  EXPECT_PRED2(has, page, "gradproof repro &#39;replication_pad2d …&#39;");
  EXPECT_PRED2(has, page, "<dd class=\"mono\">/lib/a.so</dd>");
  EXPECT_PRED2(has, page,
               "gradproof verify --library /lib/a.so --cases 120 --seed 7 --threads 2 --profile "
               "contract</dd>");
  EXPECT_PRED2(has, page, "<dt>started</dt><dd class=\"mono\">2026-01-02T03:04:05Z</dd>");
  EXPECT_PRED2(has, page, "<dt>products</dt><dd class=\"mono\">Ascend910B</dd>");
  EXPECT_PRED2(has, page, "<dt>version</dt><dd class=\"mono\">gradproof ");
  EXPECT_LT(page.find("<h2>Findings</h2>"), page.find("<h2>Operators</h2>"));
  EXPECT_FALSE(has(page, "Shards:"));
  EXPECT_PRED2(has, to_html(sample(2, 3)), "Shards: 1 of 3");
}

TEST(Html, HasNoColumnOfRulesWhereAKitValidates) {
  Report report = sample();
  EXPECT_PRED2(has, to_html(report), ">rules</th>");
  report.question.validation = "the kit";
  EXPECT_FALSE(has(to_html(report), ">rules</th>"));
}

// A rule whose refusals the profile does not demand has no broken side in the borders.
TEST(Html, RulesThatAreNotDemandedAreNotMissing) {
  Report report = sample();
  OperatorReport& o = report.operators[ref::Operator::replication_pad2d];
  o.borders = {{"dtype self INT8 broken on Ascend910B", 3},
               {"view self broken on Ascend910B", 0},
               {"null-argument before alias", 1}};
  o.rule("view").arguments = {};
  o.rule("alias").arguments[{"Ascend910B", "gradInput"}] = {0, 2};
  EXPECT_EQ(share(covered_rules(o)), "1/2");
  EXPECT_EQ(covered_rules(o).missing, std::vector<std::string>{"view"});
  EXPECT_PRED2(has, to_html(report), "<title>replication_pad2d, view, broken: 0 calls</title>");
  EXPECT_PRED2(has, to_html(report),
               "<title>replication_pad2d, alias, broken: 0 calls, none expected</title>");
  o.borders.erase("view self broken on Ascend910B");
  EXPECT_EQ(share(covered_rules(o)), "1/1");
}

TEST(Html, SaysWhyNoOtherProductWasTested) {
  Report report = sample();
  const auto grounds = [&] {
    std::ostringstream out;
    print_grounds(out, report);
    return out.str();
  };
  EXPECT_PRED2(has, grounds(), "tested as Ascend910B only\n");
  report.question.why_products = ", the product that aclrtGetSocName returns";
  EXPECT_PRED2(has, grounds(), "tested as Ascend910B, the product that aclrtGetSocName returns\n");
  EXPECT_PRED2(has, to_html(report),
               "<dt>products</dt><dd class=\"mono\">Ascend910B, the product that aclrtGetSocName");
}

TEST(Html, TheCommandNamesWhatWasJudged) {
  Report report = sample();
  report.question.libraries = {{"libof the loader.so", 0, ""}};  // left to the loader
  report.question.files = {"two words.case"};
  EXPECT_PRED2(
      has, to_html(report),
      "gradproof verify &#39;two words.case&#39; --library &#39;libof the loader.so&#39; --cases");
  report.question.libraries.clear();
  report.question.exec = "python3 kernel.py";
  EXPECT_PRED2(has, to_html(report), "--exec &#39;python3 kernel.py&#39; --cases");
  EXPECT_PRED2(has, to_html(report), "<dt>process</dt><dd class=\"mono\">python3 kernel.py</dd>");
}

TEST(Html, SaysWhoValidates) {
  Report report = sample();
  EXPECT_FALSE(has(to_html(report), "validation"));
  report.question.validation = "by the kit";
  EXPECT_PRED2(has, to_html(report),
               "<dt>validation</dt><dd class=\"mono\">by the kit; only values are checked</dd>");
}

TEST(Html, SaysWhyAPropertyWasNotChecked) {
  Report report = sample();
  report.operators[ref::Operator::replication_pad2d].properties["adjoint"] = {0, 0, 0, 3,
                                                                              "no forward"};
  EXPECT_PRED2(has, to_html(report),
               "<title>replication_pad2d, adjoint: no check, because no forward</title>");
}

TEST(Html, SaysWhatWasNotMadeSmall) {
  constexpr std::string_view kRemark = "not shrunk: the time for shrinking";
  Report report = sample();
  EXPECT_FALSE(has(to_html(report), kRemark));
  report.failures[0].shrunk = false;
  std::ostringstream out;
  print_failures(out, report, 20);
  for (const std::string& text : {to_html(report), to_junit(report), out.str()})
    EXPECT_PRED2(has, text, kRemark);
}

TEST(Html, LetsNothingFromOutsideBecomeMarkup) {
  Report report = sample();
  const std::string bad = "<script>'\"&\x1b";
  report.question.libraries[0].path = bad;
  report.parts[0].started = bad;
  report.failures[0].kind = report.failures[0].repro = report.failures[0].picture =
      report.failures[0].where = bad;
  report.slowest[0].test = report.slowest[0].property = bad;
  report.files = {{bad, 1, 0, 0, 0, 0}};
  OperatorReport& o = report.operators[ref::Operator::replication_pad2d];
  o.classes[bad] = o.points[bad] = 0;
  o.properties[bad] = {};
  o.errors[bad];
  const std::string page = to_html(report);
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "\x1b"));
  EXPECT_PRED2(has, page, "&lt;script&gt;&#39;&quot;&amp;\\x1b");
}

TEST(Html, OfAnEmptyReportIsAPage) {
  const std::string page = to_html(Report{});
  EXPECT_PRED2(has, page, "0 cases");
  EXPECT_PRED2(has, page, "</html>");
}

}  // namespace
}  // namespace gradproof::report
