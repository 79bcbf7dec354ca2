// The HTML page of the selftest.
#include <algorithm>

#include "props/report/faults.h"
#include "props/report/page.h"
#include "props/report/svg.h"
#include "props/report/text.h"

namespace gradproof::report {
namespace {

std::string mono(std::string_view text) {
  return "<span class=\"mono\">" + escaped(text) + "</span>";
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// One row per fault, one column per property.
std::string chart(const FaultTable& table) {
  Matrix m;
  m.label = "properties that catch each fault";
  m.columns = table.properties;
  for (const FaultRow& row : table.rows) {
    if (row.name.empty()) continue;
    m.rows.push_back(row.name);
    for (const std::string& property : table.properties) {
      std::vector<Mark>& cell = m.cells.emplace_back();
      if (!row.properties.contains(property)) continue;
      const bool first = property == row.property, alone = row.properties.size() == 1;
      cell.push_back({State::good,
                      alone   ? "only"
                      : first ? "first"
                              : "✓",
                      row.name + " is caught by " + property +
                          (alone   ? " and by no other property"
                           : first ? " first"
                                   : "")});
    }
  }
  return matrix(m);
}

std::string faults(const FaultTable& table) {
  std::string out = page_section(
      "Faults",
      "One library with one deliberate defect per row. Tracker: where the defect was reported; "
      "empty for defects of our own. Elements: size of the largest tensor in the shrunk "
      "counterexample.");
  out += "<div class=\"scroll\"><table>\n" +
         page_row({"fault", "defect", "tracker", "caught by", "cases", "boundary cases", "seconds",
                   "elements"},
                  "th", 4);
  for (const FaultRow& row : table.rows) {
    if (row.name.empty()) continue;
    out += page_row(
        {mono(row.name), escaped(row.defect), escaped(row.tracker),
         escaped(row.property) + (row.trouble.empty() ? "" : " <span class=\"over\">✗</span>"),
         std::to_string(row.cases), std::to_string(row.boundary_cases),
         fixed_digits(row.seconds, 2), elements_of(row)},
        "td", 4);
  }
  return out + "</table></div>\n";
}

std::string counterexamples(const FaultTable& table) {
  std::string out = "<details><summary>Counterexamples</summary>\n<div class=\"scroll\"><table>\n" +
                    page_row({"fault", "case", "finding"}, "th", 3);
  for (const FaultRow& row : table.rows) {
    if (row.test.empty()) continue;
    out += page_row({mono(row.name.empty() ? "the unmodified library" : row.name),
                     "<span class=\"mono\">" + escaped(row.test) + "</span>",
                     escaped(row.finding.substr(0, row.finding.find('\n')))},
                    "td", 3);
  }
  return out + "</table></div></details>\n";
}

std::string properties(const FaultTable& table) {
  std::string out = page_section("Properties",
                                 "Number of faults that each property catches, and the faults that "
                                 "no other property catches.") +
                    "<div class=\"scroll\"><table>\n" +
                    page_row({"property", "faults", "caught by it only"}, "th", 3);
  for (const std::string& property : table.properties) {
    out += page_row({mono(property), std::to_string(table.caught_by(property)),
                     escaped(listed(table.caught_only_by(property)))},
                    "td", 3);
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string to_html(const FaultTable& table) {
  std::string out = page_head("gradproof selftest", table.good() ? "passed" : "failed") + "<p>" +
                    escaped(verdict_of(table)) + ".</p>\n";
  for (const FaultRow& row : table.rows) {
    if (!row.trouble.empty()) out += "<pre class=\"wrap\">✗ " + escaped(row.trouble) + "</pre>\n";
  }
  out += faults(table) + counterexamples(table);
  if (!table.ablation) return out + std::string(kPageEnd);
  out += page_section("Properties and faults",
                      "First: the property caught the fault first in the campaign. ✓: it also "
                      "catches the fault. Only: no other property catches it.") +
         "<div class=\"scroll\">" + chart(table) + "</div>\n";
  return out + properties(table) + std::string(kPageEnd);
}

}  // namespace gradproof::report
