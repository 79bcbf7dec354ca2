// The table of faults: what it sums up, on the terminal and as a page.
#include "props/report/faults.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gradproof::report {
namespace {

FaultRow fault(const char* name, double seconds, std::set<std::string> properties) {
  FaultRow row;
  row.name = name;
  row.defect = "<wrong> & bad.";
  row.property = *properties.begin();
  row.properties = std::move(properties);
  row.seconds = seconds;
  row.elements = 12;
  row.limit = 64;
  row.test = "a case";
  return row;
}

FaultTable table() {
  FaultTable table;
  table.rows.resize(1);
  table.rows[0].seconds = 30;
  table.rows.push_back(fault("one", 0.25, {"layout"}));
  table.rows.push_back(fault("two", 1, {"equivalence", "layout"}));
  table.rows.push_back(fault("three", 4, {"layout"}));
  table.rows.back().limit = 200;
  table.rows.back().reason = "its plane is that large";
  table.properties = {"equivalence", "layout", "nhwc"};
  table.ablation = true;
  table.seconds = 36;
  return table;
}

std::string printed(const FaultTable& table) {
  std::ostringstream out;
  print_faults(out, table);
  return out.str();
}

TEST(Faults, AreSummedUp) {
  const FaultTable t = table();
  EXPECT_TRUE(t.good());
  EXPECT_EQ(t.quantile(0.5), 1);
  EXPECT_EQ(t.quantile(0.9), 4);
  EXPECT_EQ(t.caught_by("layout"), 3u);
  EXPECT_EQ(t.caught_only_by("layout"), (std::vector<std::string>{"one", "three"}));
  EXPECT_TRUE(t.caught_only_by("equivalence").empty());
  EXPECT_EQ(
      verdict_of(t),
      "recall 3 of 3 (100 %), time to detection: median 1.00 s, 90 % within 4.00 s; unmodified "
      "library: no finding in 30 s; took 36 s");
  const std::string text = printed(t);
  for (const char* part : {"\nlayout: 3, alone: one, three\n", "\nnhwc: 0\n", "12/200",
                           "three, at most 200: its plane is that large", " layout\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Faults, ARowInTroubleIsNotRecalled) {
  FaultTable t = table();
  t.rows[2].trouble = "TOO LARGE: two";
  EXPECT_FALSE(t.good());
  EXPECT_EQ(t.recalled(), 2u);
  EXPECT_NE(printed(t).find("\nTOO LARGE: two\n"), std::string::npos);
  t = table();
  t.rows[0].trouble = "FALSE POSITIVE: layout";
  EXPECT_FALSE(t.good());
  EXPECT_EQ(t.recalled(), 3u);
  EXPECT_NE(verdict_of(t).find("unmodified library: FALSE POSITIVE"), std::string::npos);
}

TEST(Faults, ThePageShowsThemAll) {
  const std::string page = to_html(table());
  for (const char* part :
       {"recall 3 of 3", "&lt;wrong&gt; &amp; bad.",
        "one is caught by layout and by no other property", "two is caught by equivalence first",
        "two is caught by layout<", "12/200"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("<wrong>"), std::string::npos);
  FaultTable bad = table();
  bad.ablation = false;
  bad.rows[1].trouble = "ESCAPED: one";
  EXPECT_NE(to_html(bad).find("✗ ESCAPED: one"), std::string::npos);
  EXPECT_EQ(to_html(bad).find("class=\"matrix\""), std::string::npos);
}

}  // namespace
}  // namespace gradproof::report
