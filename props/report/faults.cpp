// Counts over the table of faults, and prints the table.
#include "props/report/faults.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "props/cases/describe/size.h"
#include "props/report/text.h"

namespace gradproof::report {
namespace {

std::string count_text(std::int64_t count) {
  return count == props::kHuge ? "huge" : std::to_string(count);
}

void print_rows(std::ostream& out, const FaultTable& table) {
  std::size_t width = 5;
  for (const FaultRow& row : table.rows) width = std::max(width, row.name.size());
  char line[512];
  std::snprintf(line, sizeof line, "%-*s %-6s %7s %8s %8s %9s  %s\n", static_cast<int>(width),
                "fault", "caught", "cases", "boundary", "seconds", "elements", "caught by");
  out << line;
  for (const FaultRow& row : table.rows) {
    if (row.name.empty()) continue;
    std::snprintf(line, sizeof line, "%-*s %-6s %7llu %8llu %8.2f %9s  ", static_cast<int>(width),
                  row.name.c_str(), row.trouble.empty() ? "yes" : "NO",
                  static_cast<unsigned long long>(row.cases),
                  static_cast<unsigned long long>(row.boundary_cases), row.seconds,
                  elements_of(row).c_str());
    out << line << row.property;
    for (const std::string& property : row.properties) {
      if (property != row.property) out << ' ' << property;
    }
    out << '\n';
  }
}

void print_ablation(std::ostream& out, const FaultTable& table) {
  out << "\nproperty: number of faults caught, and faults that no other property catches\n";
  for (const std::string& property : table.properties) {
    out << property << ": " << table.caught_by(property);
    const char* separator = ", alone: ";
    for (const std::string& fault : table.caught_only_by(property)) {
      out << separator << fault;
      separator = ", ";
    }
    out << '\n';
  }
}

void print_larger(std::ostream& out, const FaultTable& table) {
  bool first = true;
  for (const FaultRow& row : table.rows) {
    if (row.name.empty() || row.limit == props::kReadable) continue;
    if (first) out << "\nfaults that need more than " << props::kReadable << " elements\n";
    first = false;
    out << row.name << ", at most " << count_text(row.limit) << ": " << row.reason << '\n';
  }
}

}  // namespace

std::size_t FaultTable::faults() const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const FaultRow& row) { return !row.name.empty(); }));
}

std::size_t FaultTable::recalled() const {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const FaultRow& row) {
    return !row.name.empty() && row.trouble.empty();
  }));
}

bool FaultTable::sound() const {
  return std::none_of(rows.begin(), rows.end(),
                      [](const FaultRow& row) { return row.name.empty() && !row.trouble.empty(); });
}

double FaultTable::quantile(double share) const {
  std::vector<double> times;
  for (const FaultRow& row : rows) {
    if (!row.name.empty() && row.trouble.empty()) times.push_back(row.seconds);
  }
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  const double rank = std::ceil(share * static_cast<double>(times.size()));
  return times[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::vector<std::string> FaultTable::caught_only_by(const std::string& property) const {
  std::vector<std::string> names;
  for (const FaultRow& row : rows) {
    if (!row.name.empty() && row.properties.size() == 1 && *row.properties.begin() == property)
      names.push_back(row.name);
  }
  return names;
}

std::size_t FaultTable::caught_by(const std::string& property) const {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const FaultRow& row) {
    return !row.name.empty() && row.properties.contains(property);
  }));
}

std::string elements_of(const FaultRow& row) {
  if (row.test.empty()) return "-";
  return count_text(row.elements) +
         (row.limit == props::kReadable ? "" : "/" + count_text(row.limit));
}

std::string verdict_of(const FaultTable& table) {
  const std::size_t all = table.faults(), recalled = table.recalled();
  char line[300];
  std::snprintf(
      line, sizeof line,
      "recall %zu of %zu (%.0f %%), time to detection: median %.2f s, 90 %% within %.2f s",
      recalled, all,
      all == 0 ? 100.0 : 100.0 * static_cast<double>(recalled) / static_cast<double>(all),
      table.quantile(0.5), table.quantile(0.9));
  std::string text = line;
  for (const FaultRow& row : table.rows) {
    if (!row.name.empty()) continue;
    std::snprintf(line, sizeof line, "; unmodified library: %s in %.0f s",
                  row.trouble.empty() ? "no finding" : "FALSE POSITIVE", row.seconds);
    text += line;
  }
  std::snprintf(line, sizeof line, "; took %.0f s", table.seconds);
  return text + line;
}

void print_faults(std::ostream& out, const FaultTable& table) {
  print_rows(out, table);
  print_larger(out, table);
  if (table.ablation) print_ablation(out, table);
  out << '\n';
  for (const FaultRow& row : table.rows) {
    if (!row.trouble.empty()) out << printable(row.trouble) << '\n';
  }
  out << verdict_of(table) << '\n';
}

}  // namespace gradproof::report
