// Charts: everything is drawn, inside the frame, and is XML.
#include "bench/chart.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

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
  EXPECT_EQ(count(svg, "class=\"dot\""), 3U);  // two points and the legend's
  EXPECT_EQ(count(svg, "<path fill=\"none\""), 2U);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  const std::regex centre("class=\"dot\" d=\"M([0-9.-]+) ([0-9.-]+)");
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
  const std::regex bar("width=\"([0-9.]+)\" height=\"9.0\"");
  std::vector<double> widths;
  for (std::sregex_iterator it(svg.begin(), svg.end(), bar), end; it != end; ++it)
    widths.push_back(std::stod((*it)[1]));
  ASSERT_EQ(widths.size(), 2U);
  EXPECT_LT(widths[0], widths[1]);
  EXPECT_NEAR(widths[1] / widths[0], 4.32, 0.05);  // log 20 / log 2
}

/// The ends of all texts that begin or end at their place, by six units a letter.
void expect_texts_inside(const std::string& svg) {
  const std::regex size("<svg [^>]*width=\"([0-9]+)\"");
  std::smatch width;
  ASSERT_TRUE(std::regex_search(svg, width, size));
  const std::regex text(
      "<text x=\"([0-9.-]+)\" y=\"[0-9.-]+\" text-anchor=\"(start|end)\"[^>]*>([^<]*)<");
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const double long_as = 6 * static_cast<double>((*it)[3].length());
    const double at = std::stod((*it)[1]);
    EXPECT_LE((*it)[2] == "start" ? at + long_as : at, std::stod(width[1])) << (*it)[3];
    EXPECT_GE((*it)[2] == "start" ? at : at - long_as, 0) << (*it)[3];
  }
}

TEST(Chart, NoTextIsCutOff) {
  const std::string name = "a_contestant_whose_name_is_longer_than_usual";
  expect_texts_inside(curves("title", {"x"}, {"y"}, {{name, {{1, 1}, {2, 2}}}}));
  expect_texts_inside(
      bars({std::string(120, 't'), "axis", {name}, {name, name, name}, {{1, 2, 3}}, 1, {}}));
}

TEST(Chart, SeriesDifferWithoutColour) {
  std::vector<Series> all;
  std::vector<std::string> names;
  std::vector<double> values;
  for (int i = 0; i < 7; ++i) {
    all.push_back({std::to_string(i), {{1, i + 1.0}, {2, i + 2.0}}});
    names.push_back(std::to_string(i));
    values.push_back(i + 1.0);
  }
  const auto shapes = [](const std::string& svg, const char* pattern) {
    std::set<std::string> found;
    const std::regex shape(pattern);
    for (std::sregex_iterator it(svg.begin(), svg.end(), shape), end; it != end; ++it)
      found.insert((*it)[1]);
    return found.size();
  };
  const std::string lines = curves("t", {"x"}, {"y"}, all);
  EXPECT_EQ(shapes(lines, "class=\"dot\" d=\"M[0-9.-]+ [0-9.-]+(m[^\"]*)\""), 7U);
  EXPECT_EQ(shapes(lines, "stroke-dasharray=\"([^\"]*)\""), 7U);
  EXPECT_EQ(shapes(bars({"t", "l", {"row"}, names, {values}, 1, {}}), "/><path d=\"([^\"]*)\""),
            7U);
}

}  // namespace
}  // namespace gradproof::bench
