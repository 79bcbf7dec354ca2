// Charts as SVG files that stand alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gradproof::bench {

struct Axis {
  std::string label;
  bool logarithmic = false;
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< in drawing order
  enum class Style : unsigned char { dots, line, both } style = Style::both;
};

/// Points and lines in one frame; the axes reach as far as the points do. On logarithmic axes all
/// values must be positive.
std::string curves(const std::string& title, const Axis& x, const Axis& y,
                   const std::vector<Series>& series);

/// A row a category with a bar a series, on a logarithmic scale that begins at `from`; a value of 0
/// leaves the bar out. `marks` are vertical lines with their values. Series differ in hatching too.
struct Bars {
  std::string title, label;
  std::vector<std::string> categories, series;
  std::vector<std::vector<double>> values;  ///< by category, then series
  double from = 1;
  std::vector<double> marks;
};
std::string bars(const Bars& chart);

}  // namespace gradproof::bench
