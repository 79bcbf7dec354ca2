// Prints the matrix, the properties and the slowest checks.
#include "props/report/details.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "props/cases/mutate/contract.h"
#include "props/report/table.h"
#include "props/report/text.h"
#include "ref/rules.h"

namespace gradproof::report {

void print_matrix(std::ostream& out, const Report& report) {
  if (const std::string& by = report.question.validation; !by.empty()) {
    out << "no matrix: calls are not validated by the library, but " << printable(by) << '\n';
    return;
  }
  struct Row {
    Covered kept, broken;
  };
  char line[200];
  for (const auto& [op, o] : report.operators) {
    std::map<std::pair<std::string, std::string>, Row> rows;
    for (int i = 0; i < ref::kProductCount; ++i) {
      const auto product = static_cast<ref::Product>(i);
      for (const props::BoundarySide& boundary : props::boundary_sides(op, product)) {
        const auto count = o.borders.find(props::to_text(boundary));
        if (count == o.borders.end()) continue;  // the library does not support that product
        Row& row = rows[{boundary.rule, boundary.argument}];
        Covered& side = boundary.broken ? row.broken : row.kept;
        ++side.all;
        if (count->second > 0) ++side.covered;
      }
    }
    std::snprintf(line, sizeof line, "%-50s %9s %9s\n",
                  std::string(ref::signature(op).stem).c_str(), "kept", "broken");
    out << line;
    for (const ref::Rule& rule : ref::rules()) {
      for (const auto& [key, row] : rows) {
        if (key.first != rule.id) continue;
        const auto text = [](const Covered& c) { return c.all == 0 ? std::string("-") : share(c); };
        std::snprintf(line, sizeof line, "  %-16s %-31s %9s %9s\n", key.first.c_str(),
                      key.second.c_str(), text(row.kept).c_str(), text(row.broken).c_str());
        out << line;
      }
    }
  }
}

void print_properties(std::ostream& out, const Report& report, const Style& style) {
  Table table({{"property"}, {"checks", 4}, {"failures", 3}, {"skipped", 1}, {"seconds", 2}});
  for (const std::string& name : report.question.properties) {
    PropertyCount sum;
    for (const auto& [op, o] : report.operators) {
      const auto count = o.properties.find(name);
      if (count == o.properties.end()) continue;
      sum.runs += count->second.runs;
      sum.failed += count->second.failed;
      sum.not_checked += count->second.not_checked;
      sum.seconds += count->second.seconds;
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.2f", sum.seconds);
    table.add({name, std::to_string(sum.runs), std::to_string(sum.failed),
               std::to_string(sum.not_checked), seconds});
  }
  table.print(out, style);
}

void print_kernel_runs(std::ostream& out, const Report& report, const Style& style) {
  // By element type, the runs of each instruction set.
  using Runs = std::map<std::string, std::map<std::string, std::uint64_t>>;
  const auto by_type = [](const std::map<std::string, std::uint64_t>& ways) {
    Runs runs;
    for (const auto& [how, count] : ways) {
      const std::size_t blank = how.find(' ');
      runs[how.substr(0, blank)][how.substr(std::min(blank + 1, how.size()))] += count;
    }
    return runs;
  };
  std::map<std::string, std::uint64_t> sets;
  for (const auto& [op, o] : report.operators) {
    for (const auto& [kernel, ways] : o.kernels) {
      for (const auto& [type, runs] : by_type(ways)) {
        for (const auto& [set, count] : runs) sets[set] += count;
      }
    }
  }
  if (sets.empty()) return;
  std::vector<Table::Column> columns{{"operator, kernel and type"}};
  for (const auto& [set, count] : sets) columns.push_back({set, 1});
  Table table(columns);
  for (const auto& [op, o] : report.operators) {
    for (const auto& [kernel, ways] : o.kernels) {
      const std::string name = std::string(ref::signature(op).stem) + ", " + printable(kernel);
      if (ways.empty()) {
        std::vector<std::string> row(columns.size(), "0");
        row.front() = name;
        table.add(std::move(row));
      }
      for (const auto& [type, runs] : by_type(ways)) {
        std::vector<std::string> row{name + ", " + type};
        for (const auto& [set, count] : sets) {
          const auto at = runs.find(set);
          row.push_back(std::to_string(at == runs.end() ? 0 : at->second));
        }
        table.add(std::move(row));
      }
    }
  }
  table.print(out, style);
}

void print_durations(std::ostream& out, const Report& report, std::size_t most,
                     const Style& style) {
  struct Row {
    std::string_view op, property;
    std::uint64_t checks;
    double seconds;
  };
  std::vector<Row> rows;
  for (const auto& [op, o] : report.operators) {
    for (const auto& [name, count] : o.properties)
      rows.push_back({ref::signature(op).stem, name, count.runs, count.seconds});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.seconds > b.seconds; });
  rows.resize(std::min(most, rows.size()));
  Table table({{"slowest properties"}, {"of", 2}, {"checks", 1}, {"seconds", 3}});
  char seconds[32];
  for (const Row& row : rows) {
    std::snprintf(seconds, sizeof seconds, "%.3f", row.seconds);
    table.add(
        {std::string(row.property), std::string(row.op), std::to_string(row.checks), seconds});
  }
  table.print(out, style);
  out << style.heading("slowest checks") << '\n';
  for (const SlowCheck& check :
       std::span(report.slowest).first(std::min(most, report.slowest.size()))) {
    std::snprintf(seconds, sizeof seconds, "%9.3f s  ", check.seconds);
    out << shortened(seconds + check.property + ": " + printable(check.test), style.width) << '\n';
  }
}

}  // namespace gradproof::report
