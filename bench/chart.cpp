// Draws the charts.
#include "bench/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "props/report/text.h"

namespace gradproof::bench {
namespace {

using report::escaped;

/// Told apart with colour blindness too (Okabe and Ito's choice); shapes, dashes and hatching
/// differ besides.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#56b4e9", "#e69f00", "#555555"};
/// Widths of a letter of the font at sizes 11 and 14, generous.
constexpr double kLetter = 6.6, kTitleLetter = 8.6;

const char* colour(std::size_t i) { return kColours[i % std::size(kColours)]; }

double width_of(const std::string& text) { return static_cast<double>(text.size()) * kLetter; }
double width_of_title(const std::string& title) {
  return 24 + static_cast<double>(title.size()) * kTitleLetter;
}

std::string print(const char* format, auto... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string words(double x, double y, const char* anchor, const std::string& text,
                  const char* more = "") {
  return print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more) +
         escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* stroke) {
  return print("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1,
               x2, y2, stroke);
}

std::string open(const std::string& title, double width, double height) {
  return print(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
             "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             width, height, width, height) +
         words(12, 20, "start", title, " font-size=\"14\" font-weight=\"bold\"");
}

/// Where values lie between two places.
struct Scale {
  double low, high, from, to;
  bool logarithmic;

  double at(double value) const {
    const double part =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + part * (to - from);
  }

  std::vector<double> ticks() const {
    std::vector<double> all;
    if (!logarithmic) {
      const double rough = (high - low) / 6, power = std::pow(10, std::floor(std::log10(rough)));
      const double step = power * (rough / power > 5   ? 10
                                   : rough / power > 2 ? 5
                                   : rough / power > 1 ? 2
                                                       : 1);
      for (double v = std::ceil(low / step) * step; v <= high * 1.0001; v += step) all.push_back(v);
      return all;
    }
    const bool few = high / low < 200;
    for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double v = decade * digit;
        if ((few || digit == 1.0) && v >= low * 0.9999 && v <= high * 1.0001) all.push_back(v);
      }
    }
    return all;
  }
};

std::string tick_text(double value) {
  if (value >= 1e6) return print("%gM", value / 1e6);
  if (value >= 1e4) return print("%gk", value / 1e3);
  return print("%g", value);
}

Scale scale_of(const std::vector<Series>& all, bool is_x, bool logarithmic, double from,
               double to) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& series : all) {
    for (const auto& [x, y] : series.points) {
      low = std::min(low, is_x ? x : y);
      high = std::max(high, is_x ? x : y);
    }
  }
  if (logarithmic) return {low / 1.3, high * 1.3, from, to, true};
  low = std::min(low, 0.0);
  return {low, low == high ? low + 1 : high + 0.05 * (high - low), from, to, false};
}

/// Each series has a shape of its own.
std::string dot(double x, double y, std::size_t series) {
  constexpr const char* kShapes[] = {
      "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",  // disc
      "m-3 -3h6v6h-6z",                                 // square
      "m0 -4l4 7h-8z",                                  // triangle
      "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z",            // diamond
      "m-3.5 -3.5l7 7m0 -7l-7 7",                       // cross
      "m0 -4.5v9m-4.5 -4.5h9",                          // plus
      "m0 4l4 -7h-8z",                                  // triangle on its head
  };
  const char* shape = kShapes[series % std::size(kShapes)];
  return print("<path class=\"dot\" d=\"M%.1f %.1f%s\" fill=\"%s\" stroke=\"%s\"/>\n", x, y, shape,
               colour(series), colour(series));
}

const char* dashes(std::size_t series) {
  constexpr const char* kDashes[] = {"none", "6 3", "2 2", "8 3 2 3", "12 3", "4 4", "1 3"};
  return kDashes[series % std::size(kDashes)];
}

/// Fills of bars: each colour with lines of another direction and distance.
std::string hatchings(std::size_t count) {
  constexpr const char* kLines[] = {"",
                                    "M0 6L6 0M-1 1L1 -1M5 7L7 5",
                                    "M0 0L6 6M-1 5L1 7M5 -1L7 1",
                                    "M1.5 0V6M4.5 0V6",
                                    "M0 1.5H6M0 4.5H6",
                                    "M0 0L6 6M0 6L6 0",
                                    "M3 0V6M0 3H6"};
  std::string text = "<defs>\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += print(
        "<pattern id=\"fill%zu\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"6\" height=\"6\" fill=\"%s\"/><path d=\"%s\" stroke=\"white\" "
        "stroke-width=\"1.2\"/></pattern>\n",
        i, colour(i), kLines[i % std::size(kLines)]);
  }
  return text + "</defs>\n";
}

}  // namespace

std::string curves(const std::string& title, const Axis& x_axis, const Axis& y_axis,
                   const std::vector<Series>& series) {
  constexpr double kHeight = 460, kLeft = 62, kTop = 36, kRight = 640, kBottom = 412;
  double legend = 0;
  for (const Series& one : series) legend = std::max(legend, width_of(one.name));
  const double width = std::max(kRight + 44 + legend, width_of_title(title));
  const Scale x = scale_of(series, true, x_axis.logarithmic, kLeft, kRight);
  const Scale y = scale_of(series, false, y_axis.logarithmic, kBottom, kTop);
  std::string svg = open(title, width, kHeight);
  for (const double tick : x.ticks()) {
    svg += line(x.at(tick), kTop, x.at(tick), kBottom, "#ddd");
    svg += words(x.at(tick), kBottom + 15, "middle", tick_text(tick));
  }
  for (const double tick : y.ticks()) {
    svg += line(kLeft, y.at(tick), kRight, y.at(tick), "#ddd");
    svg += words(kLeft - 6, y.at(tick) + 4, "end", tick_text(tick));
  }
  svg += words((kLeft + kRight) / 2, kBottom + 36, "middle", x_axis.label);
  svg += words(16, (kTop + kBottom) / 2, "middle", y_axis.label,
               print(" transform=\"rotate(-90 16 %.1f)\"", (kTop + kBottom) / 2).c_str());
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Series& one = series[i];
    if (one.style != Series::Style::dots) {
      svg += print(
          "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"%s\" d=\"",
          colour(i), dashes(i));
      char command = 'M';
      for (const auto& [px, py] : one.points) {
        svg += print("%c%.1f %.1f", command, x.at(px), y.at(py));
        command = 'L';
      }
      svg += "\"/>\n";
    }
    if (one.style != Series::Style::line) {
      for (const auto& [px, py] : one.points) svg += dot(x.at(px), y.at(py), i);
    }
    const double at = kTop + 12 + 18 * static_cast<double>(i);
    if (one.style == Series::Style::line)
      svg += line(kRight + 14, at - 4, kRight + 26, at - 4, colour(i));
    else
      svg += dot(kRight + 20, at - 4, i);
    svg += words(kRight + 32, at, "start", one.name);
  }
  return svg + "</svg>\n";
}

std::string bars(const Bars& chart) {
  constexpr double kBar = 10, kGap = 8, kTop = 76, kPlot = 620;
  double longest = 0, most = chart.from * 10;
  for (const std::string& name : chart.categories) longest = std::max(longest, width_of(name));
  for (const auto& row : chart.values) {
    for (const double value : row) most = std::max(most, value);
  }
  const double left = 20 + longest;
  const double row_height = static_cast<double>(chart.series.size()) * kBar + kGap;
  const double bottom = kTop + static_cast<double>(chart.categories.size()) * row_height;
  const Scale x = {chart.from, most * 1.1, left, left + kPlot, true};

  double legend = left;
  for (const std::string& name : chart.series) legend += 34 + width_of(name);
  const double width = std::max({left + kPlot + 60, width_of_title(chart.title), legend});
  std::string svg = open(chart.title, width, bottom + 46) + hatchings(chart.series.size());
  legend = left;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    svg += print("<rect x=\"%.1f\" y=\"34\" width=\"12\" height=\"12\" fill=\"url(#fill%zu)\"/>\n",
                 legend, i);
    svg += words(legend + 16, 45, "start", chart.series[i]);
    legend += 34 + width_of(chart.series[i]);
  }
  for (const double tick : x.ticks()) {
    svg += line(x.at(tick), kTop - 4, x.at(tick), bottom, "#ddd");
    svg += words(x.at(tick), bottom + 15, "middle", tick_text(tick));
  }
  for (std::size_t row = 0; row < chart.categories.size(); ++row) {
    const double top = kTop + static_cast<double>(row) * row_height;
    svg += words(left - 6, top + (row_height - kGap) / 2 + 4, "end", chart.categories[row]);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      const double value = chart.values[row][i];
      if (value <= 0) continue;
      const double end = std::max(x.at(value), left + 1), y = top + static_cast<double>(i) * kBar;
      svg += print(
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"url(#fill%zu)\"/>\n",
          left, y, end - left, kBar - 1, i);
      svg += words(end + 3, y + kBar - 2, "start", print("%.3g", value), " font-size=\"9\"");
    }
  }
  for (const double mark : chart.marks) {
    svg += line(x.at(mark), kTop - 8, x.at(mark), bottom, "#000");
    svg += words(x.at(mark), kTop - 10, "middle", print("%g", mark));
  }
  svg += words(left + kPlot / 2, bottom + 34, "middle", chart.label);
  return svg + "</svg>\n";
}

}  // namespace gradproof::bench
