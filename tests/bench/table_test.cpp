// Tables: narrow, nobody who took no part, and every ratio read the same way.
#include <gtest/gtest.h>

#include <sstream>

#include "bench/results.h"
#include "bench/write.h"
#include "ref/types.h"

namespace gradproof::bench {
namespace {

Timing timing(const std::string& name, double seconds) {
  Timing t;
  t.name = name;
  t.seconds = std::vector<double>(7, seconds);
  return t;
}

Result result(const std::string& name, std::vector<Timing> timings) {
  Result r;
  r.configuration.name = name;
  r.type = ACL_FLOAT;
  r.bytes = 1e6;
  r.kernel = "copies and edges";
  r.timings = std::move(timings);
  return r;
}

std::string row(const std::string& table, const std::string& name) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + " ")) return line;
  }
  return "";
}

std::string words(const std::string& text) {
  std::istringstream in(text);
  std::string joined;
  for (std::string word; in >> word;) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

TEST(BenchTable, AboveOneIsFasterForPeersAndLimitAlike) {
  const std::string text = table(
      {result("slow", {timing("gradproof", 2e-3), timing("limit", 1e-3), timing("aten", 1e-3)}),
       result("fast", {timing("gradproof", 1e-3), timing("limit", 2e-3), timing("aten", 4e-3)})});
  EXPECT_EQ(words(row(text, "slow")), "slow 2.00 0.5 0.50 0.50 copies and edges");
  EXPECT_EQ(words(row(text, "fast")), "fast 1.00 1.0 2.00 4.00 copies and edges");
  EXPECT_EQ(words(row(text, "geometric mean")), "geometric mean 1.00 1.41");
  EXPECT_EQ(words(row(text, "least")), "least 0.50 0.50");
  EXPECT_EQ(text.find("onednn"), std::string::npos) << text;
}

TEST(BenchTable, AtMostAHundredColumns) {
  std::vector<Timing> all;
  for (const char* name :
       {"gradproof", "limit", "aten", "onednn", "onednn_best", "ref", "contiguous", "another"})
    all.push_back(timing(name, 1));
  const std::string text = table({result(std::string(30, 'n'), all)});
  EXPECT_NE(text.find("another"), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(BenchTable, ViewsAreViewsWhoeverTookPart) {
  Result alone = result("one", {timing("gradproof", 1e-3)});
  alone.configuration.layout = Layout::gaps;
  Result with = result("two", {timing("gradproof", 1e-3), timing("contiguous", 1e-3)});
  with.configuration.layout = Layout::gaps;
  const std::string text = table({alone, with});
  EXPECT_NE(text.find("views, FLOAT"), std::string::npos) << text;
  EXPECT_EQ(text.find("the caches"), std::string::npos) << text;
}

TEST(BenchTable, WrongResultsAreMarked) {
  Timing aten = timing("aten", 3e-3);
  aten.wrong = true;
  const std::string text = table({result("one", {timing("gradproof", 1e-3), aten})});
  EXPECT_NE(row(text, "one").find("*3.00"), std::string::npos) << text;
}

TEST(BenchTable, WrongResultsAreInNoMeanAndNoPlot) {
  Timing wrong = timing("aten", 3e-3), also_wrong = timing("onednn", 5e-3);
  wrong.wrong = also_wrong.wrong = true;
  const Timing ours = timing("gradproof", 1e-3), limit = timing("limit", 1e-3);
  std::vector<Result> results = {result("one", {ours, limit, wrong, also_wrong}),
                                 result("two", {ours, limit, timing("aten", 2e-3)})};
  const std::string text = table(results);
  EXPECT_EQ(words(row(text, "geometric mean")), "geometric mean 1.00 2.00 -");
  EXPECT_EQ(words(row(text, "least")), "least 1.00 2.00 -");
  results.push_back(results.front());
  results.back().configuration.size = true;
  results.back().configuration.input = {1, 1, 2, 2};
  for (Result& one : results) one.additions = 1;
  std::string charts;
  for (const auto& [name, svg] : plots(results)) charts += svg;
  EXPECT_NE(charts.find("aten"), std::string::npos);
  EXPECT_EQ(charts.find("onednn"), std::string::npos);
}

/// Of `count` rounds in which A takes 1, 2, … times as long as B.
std::string compared(int count) {
  Timing a = timing("A", 1), b = timing("B", 1);
  a.seconds.clear();
  for (int i = 1; i <= count; ++i) a.seconds.push_back(i);
  b.seconds.assign(a.seconds.size(), 1);
  return words(row(comparison({result("one", {a, b})}), "one/FLOAT/1"));
}

TEST(BenchComparison, AboveOneIsFaster) {
  const Timing a = timing("A", 2), b = timing("B", 1);
  EXPECT_NE(comparison({result("one", {a, b})}).find("2.000 to 2.000  B is faster"),
            std::string::npos);
}

// The ranks of binomial tables; one further in, each would hold the median less often.
TEST(BenchComparison, IntervalHoldsTheMedianInNinetyFiveOfAHundred) {
  const std::vector<std::pair<int, std::string>> intervals = {
      {6, "1.000 to 6.000"},        {8, "1.000 to 8.000"},   {9, "2.000 to 8.000"},
      {11, "2.000 to 10.000"},      {15, "4.000 to 12.000"}, {21, "6.000 to 16.000"},
      {2000, "956.000 to 1045.000"}};
  for (const auto& [count, text] : intervals)
    EXPECT_NE(compared(count).find(' ' + text), std::string::npos) << compared(count);
}

TEST(BenchComparison, NoVerdictFromFewerThanSixRounds) {
  for (const int count : {1, 3, 5})
    EXPECT_TRUE(compared(count).ends_with(" none: too few rounds")) << compared(count);
}

}  // namespace
}  // namespace gradproof::bench
