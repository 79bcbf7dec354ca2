// Prints what was measured: a table for each place, type and number of threads.
#include <algorithm>
#include <cstdio>
#include <map>

#include "bench/results.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

constexpr std::size_t kWidest = 100;

/// Contestants in the order of their columns; others come after them.
const std::vector<std::string> kUsual = {"limit",       "aten", "onednn",
                                         "onednn_best", "ref",  "contiguous"};

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string milliseconds(double seconds) {
  return number(seconds * 1e3, seconds < 1e-5 ? 6 : seconds < 1e-3 ? 4 : seconds < 0.1 ? 2 : 1);
}

std::string ratio_text(double ratio) { return number(ratio, ratio < 10 ? 2 : 1); }

std::string padded(const std::string& text, std::size_t width, bool left = false) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return left ? text + space : space + text;
}

struct Column {
  std::string header;
  std::vector<std::string> cells;
  bool left = false;
  /// Of columns that a narrow table leaves out, the one with the highest number goes first; 0
  /// stays.
  int dispensable = 0;

  /// A header of two words takes two lines: "onednn best".
  std::string first_line() const { return header.substr(0, header.find('_')); }
  std::string second_line() const {
    const std::size_t at = header.find('_');
    return at == std::string::npos ? "" : header.substr(at + 1);
  }
  std::size_t width() const {
    std::size_t most = std::max(first_line().size(), second_line().size());
    for (const std::string& cell : cells) most = std::max(most, cell.size());
    return most;
  }
};

std::size_t width_of(const std::vector<Column>& columns) {
  std::size_t sum = 0;
  for (const Column& column : columns) sum += column.width() + 2;
  return sum - 2;
}

void leave_out_what_does_not_fit(std::vector<Column>& columns) {
  while (width_of(columns) > kWidest) {
    const auto least = std::max_element(
        columns.begin(), columns.end(),
        [](const Column& a, const Column& b) { return a.dispensable < b.dispensable; });
    if (least->dispensable == 0) return;
    columns.erase(least);
  }
}

std::string line(const std::vector<Column>& columns, const auto& text_of) {
  std::string text;
  for (const Column& column : columns)
    text += (text.empty() ? "" : "  ") + padded(text_of(column), column.width(), column.left);
  return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
}

std::string print(std::vector<Column> columns) {
  leave_out_what_does_not_fit(columns);
  std::string text = line(columns, [](const Column& c) { return c.first_line(); });
  const bool two = std::any_of(columns.begin(), columns.end(),
                               [](const Column& c) { return !c.second_line().empty(); });
  if (two) text += line(columns, [](const Column& c) { return c.second_line(); });
  for (std::size_t i = 0; i < columns.front().cells.size(); ++i)
    text += line(columns, [&](const Column& c) { return c.cells[i]; });
  return text;
}

/// Everybody but the first one who was timed in the group.
std::vector<std::string> others(const std::vector<const Result*>& group) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool there = std::any_of(group.begin(), group.end(), [&](const Result* result) {
      return name != result->timings.front().name && result->find(name) != nullptr;
    });
    if (there && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& name : kUsual) add(name);
  for (const Result* result : group) {
    for (const Timing& timing : result->timings) add(timing.name);
  }
  return names;
}

/// Over sizes from a hundred elements to millions a mean says nothing.
bool has_means(const std::vector<const Result*>& group) {
  return group.size() > 1 && !group.front()->configuration.size;
}

Column ratios_to(const std::string& other, const std::vector<const Result*>& group) {
  Column column{other, {}};
  std::vector<double> all;
  for (const Result* result : group) {
    const std::optional<double> ratio = result->ratio(other, result->timings.front().name);
    const bool right = result->find_right(other) != nullptr;
    if (ratio && right) all.push_back(*ratio);
    column.cells.push_back(ratio ? (right ? "" : "*") + ratio_text(*ratio) : "-");
  }
  if (!has_means(group)) return column;
  if (all.empty()) {
    column.cells.insert(column.cells.end(), {"-", "-"});
    return column;
  }
  column.cells.push_back(ratio_text(geometric_mean(all)));
  column.cells.push_back(ratio_text(*std::min_element(all.begin(), all.end())));
  return column;
}

std::string table_of(const std::vector<const Result*>& group) {
  Column names{"configuration", {}, true}, times{"ms", {}}, bandwidths{"GB/s", {}, false, 2},
      kernels{"kernel", {}, true, 1};
  for (const Result* result : group) {
    const double seconds = result->timings.front().median();
    names.cells.push_back(result->configuration.name);
    times.cells.push_back(milliseconds(seconds));
    bandwidths.cells.push_back(number(result->bytes / seconds / 1e9, 1));
    kernels.cells.push_back(result->kernel);
  }
  if (has_means(group)) {
    names.cells.insert(names.cells.end(), {"geometric mean", "least"});
    for (Column* column : {&times, &bandwidths, &kernels})
      column->cells.insert(column->cells.end(), {"", ""});
  }
  std::vector<Column> columns = {names, times, bandwidths};
  for (const std::string& other : others(group)) columns.push_back(ratios_to(other, group));
  const bool told = std::any_of(group.begin(), group.end(),
                                [](const Result* result) { return !result->kernel.empty(); });
  if (told) columns.push_back(kernels);
  return print(std::move(columns));
}

std::string place_of(const Result& result) {
  const Configuration& c = result.configuration;
  return std::string(c.tiny                        ? "tiny"
                     : c.size                      ? "sizes"
                     : c.is_view()                 ? "views"
                     : c.caches == Caches::flushed ? "beyond the caches"
                                                   : "in the caches") +
         ", " + ref::dtype_name(result.type) + ", " + std::to_string(result.threads) +
         (result.threads == 1 ? " thread" : " threads");
}

}  // namespace

std::string table(const std::vector<Result>& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Result*>> groups;
  for (const Result& result : results) {
    std::vector<const Result*>& group = groups[place_of(result)];
    if (group.empty()) order.push_back(place_of(result));
    group.push_back(&result);
  }
  std::string text =
      "Ratios are times of others divided by gradproof's: above 1, gradproof is faster.\n"
      "limit: a copy of the same bytes. *: the result was wrong; left out of the means.\n";
  for (const std::string& place : order) text += "\n" + place + "\n" + table_of(groups[place]);
  return text;
}

}  // namespace gradproof::bench
