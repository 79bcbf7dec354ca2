// Draws the charts.
#include "props/report/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "props/cases/counted.h"
#include "props/report/text.h"

namespace gradproof::report {
namespace {

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string open(std::string_view label, double width, double height, std::string_view kind) {
  return "<svg class=\"" + std::string(kind) + "\" role=\"img\" aria-label=\"" +
         escaped(label, Place::attribute) + "\" width=\"" + fixed(width) + "\" height=\"" +
         fixed(height) + "\" viewBox=\"0 0 " + fixed(width) + " " + fixed(height) + "\">";
}

std::string rectangle(double x, double y, double width, double height, std::string_view kind,
                      std::string_view title) {
  return "<rect class=\"" + std::string(kind) + "\" x=\"" + fixed(x) + "\" y=\"" + fixed(y) +
         "\" width=\"" + fixed(width) + "\" height=\"" + fixed(height) + "\">" +
         (title.empty() ? "" : "<title>" + escaped(title) + "</title>") + "</rect>";
}

std::string text(double x, double y, std::string_view anchor, std::string_view words,
                 std::string_view more = "") {
  return "<text x=\"" + fixed(x) + "\" y=\"" + fixed(y) + "\" text-anchor=\"" +
         std::string(anchor) + "\"" + std::string(more) + ">" + escaped(words) + "</text>";
}

std::string_view kind_of(State state) {
  return state == State::good ? "good" : state == State::bad ? "bad" : "none";
}

}  // namespace

std::string compact(std::uint64_t count) {
  char words[32];
  if (count < 10000) return std::to_string(count);
  if (count < 1000000) return std::to_string(count / 1000) + "k";
  std::snprintf(words, sizeof words, "%.1fM", static_cast<double>(count) / 1e6);
  return words;
}

std::string histogram(std::string_view label, const std::uint64_t* bins, std::size_t count) {
  constexpr double kBar = 9, kHeight = 56, kTop = 12, kLeft = 4, kApart = 6;
  const double most = std::log1p(
      static_cast<double>(std::max<std::uint64_t>(*std::max_element(bins, bins + count), 1)));
  const auto left = [&](std::size_t i) {
    return kLeft + static_cast<double>(i) * kBar + (i == 0 ? 0 : kApart) +
           (i + 1 == count ? kApart : 0);
  };
  const double width = left(count - 1) + kBar + kLeft, base = kTop + kHeight;
  std::string svg = open(label, width, base + 16, "histogram");
  const auto steps = static_cast<double>(count - 2);
  for (std::size_t i = 0; i < count; ++i) {
    if (bins[i] == 0) continue;
    const double height = std::max(kHeight * std::log1p(static_cast<double>(bins[i])) / most, 1.5);
    char range[64];
    if (i == 0)
      std::snprintf(range, sizeof range, "exactly 0");
    else if (i + 1 == count)
      std::snprintf(range, sizeof range, "beyond the bound");
    else
      std::snprintf(range, sizeof range, "%.2f to %.2f", static_cast<double>(i - 1) / steps,
                    static_cast<double>(i) / steps);
    svg += rectangle(left(i), base - height, kBar - 1, height, i + 1 == count ? "bar over" : "bar",
                     std::string(range) + ": " + props::counted(bins[i], "check"));
  }
  svg += "<path class=\"axis\" d=\"M" + fixed(kLeft) + " " + fixed(base + 0.5) + "H" +
         fixed(width - kLeft) + "\"/>";
  svg += text(left(0) + kBar / 2, base + 12, "middle", "0") +
         text((left(1) + left(count - 1)) / 2, base + 12, "middle", "½") +
         text(left(count - 1) - kApart, base + 12, "middle", "1") +
         text(left(count - 1) + kBar / 2 + 1, base + 12, "middle", ">");
  return svg + "</svg>";
}

std::string matrix(const Matrix& m) {
  constexpr double kCell = 42, kMark = 15, kLetter = 6.7, kGap = 2;
  std::size_t longest_row = 0, longest_column = 0, marks = 1;
  for (const std::string& row : m.rows) longest_row = std::max(longest_row, row.size());
  for (const std::string& column : m.columns)
    longest_column = std::max(longest_column, column.size());
  for (const auto& cell : m.cells) marks = std::max(marks, cell.size());
  const double left = static_cast<double>(longest_row) * kLetter + 10,
               slant = static_cast<double>(longest_column) * kLetter * 0.71;
  const double top = slant + 14, height = static_cast<double>(marks) * kMark + kGap;
  std::string svg =
      open(m.label, left + static_cast<double>(m.columns.size()) * (kCell + kGap) + slant,
           top + static_cast<double>(m.rows.size()) * height + 2, "matrix");
  for (std::size_t column = 0; column < m.columns.size(); ++column) {
    const double x = left + (static_cast<double>(column) + 0.5) * (kCell + kGap);
    svg += text(x, top - 5, "start", m.columns[column],
                " transform=\"rotate(-45 " + fixed(x) + " " + fixed(top - 5) + ")\"");
  }
  for (std::size_t row = 0; row < m.rows.size(); ++row) {
    const double y = top + static_cast<double>(row) * height;
    svg += text(left - 6, y + height / 2 + 3, "end", m.rows[row]);
    for (std::size_t column = 0; column < m.columns.size(); ++column) {
      const std::vector<Mark>& cell = m.cells[row * m.columns.size() + column];
      const double x = left + static_cast<double>(column) * (kCell + kGap),
                   each =
                       (height - kGap) / static_cast<double>(std::max<std::size_t>(cell.size(), 1));
      for (std::size_t i = 0; i < cell.size(); ++i) {
        const double at = y + static_cast<double>(i) * each;
        svg += rectangle(x, at, kCell, each - 0.5, kind_of(cell[i].state), cell[i].title);
        svg += text(x + kCell / 2, at + each / 2 + 4, "middle", cell[i].text,
                    " pointer-events=\"none\"");
      }
    }
  }
  return svg + "</svg>";
}

std::string bar(std::string_view label, double part, State state) {
  constexpr double kLength = 120, kHeight = 10;
  return open(label, kLength, kHeight, "level") + rectangle(0, 0, kLength, kHeight, "none", "") +
         rectangle(0, 0, kLength * std::clamp(part, 0.0, 1.0), kHeight,
                   state == State::bad ? "bar over" : "bar", label) +
         "</svg>";
}

}  // namespace gradproof::report
