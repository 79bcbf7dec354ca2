// Charts: everything is drawn, inside the frame, and is XML.
#include "bench/chart.h"

#include <gtest/gtest.h>

#include <regex>

namespace gradproof::bench {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(Chart, CurvesHaveAPointAValueAndStayInTheFrame) {
  const std::string svg =
      curves("a < b", {"x", true}, {"y", true},
             {{"one", {{10, 1}, {1e6, 50}}}, {"roof", {{10, 2}, {1e6, 2}}, Series::Style::line}});
  EXPECT_EQ(count(svg, "<circle"), 3U);  // two points and the legend's
  EXPECT_EQ(count(svg, "<path fill=\"none\""), 2U);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  const std::regex centre("cx=\"([0-9.-]+)\" cy=\"([0-9.-]+)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), centre), end; it != end; ++it) {
    EXPECT_GE(std::stod((*it)[1]), 62);
    EXPECT_LE(std::stod((*it)[1]), 860);
    EXPECT_GE(std::stod((*it)[2]), 36);
    EXPECT_LE(std::stod((*it)[2]), 412);
  }
}

TEST(Chart, BarsGrowWithTheirValuesAndLeaveOutWhatIsNotThere) {
  const std::string svg =
      bars({"title", "axis", {"row"}, {"short", "long", "absent"}, {{2, 20, 0}}, 1, {1.6}});
  const std::regex bar("width=\"([0-9.]+)\" height=\"6.0\"");
  std::vector<double> widths;
  for (std::sregex_iterator it(svg.begin(), svg.end(), bar), end; it != end; ++it)
    widths.push_back(std::stod((*it)[1]));
  ASSERT_EQ(widths.size(), 2U);
  EXPECT_LT(widths[0], widths[1]);
  EXPECT_NEAR(widths[1] / widths[0], 4.32, 0.05);  // log 20 / log 2
}

}  // namespace
}  // namespace gradproof::bench
