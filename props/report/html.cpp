// Writes report.html.
#include "props/report/html.h"

#include <algorithm>
#include <set>

#include "props/cases/counted.h"
#include "props/cases/describe/classes.h"
#include "props/report/entries_text.h"
#include "props/report/facts.h"
#include "props/report/findings.h"
#include "props/report/page.h"
#include "props/report/partial.h"
#include "props/report/svg.h"
#include "props/report/table.h"
#include "props/report/text.h"
#include "ref/rules.h"

namespace gradproof::report {
namespace {

using props::counted;

std::string number(double value, int digits) { return fixed_digits(value, digits); }

std::string stem(ref::Operator op) { return std::string(ref::signature(op).stem); }

class Page {
 public:
  explicit Page(const Report& report) : report_(report) {}
  std::string make();

 private:
  void head();
  void summary();
  void failures();
  void errors();
  void rules();
  void classes();
  void properties();
  void slowest();
  void question();

  void section(std::string_view title, std::string_view says) { out_ += page_section(title, says); }
  void row(const std::vector<std::string>& cells, const char* tag = "td", std::size_t words = 1) {
    out_ += page_row(cells, tag, words);
  }
  /// A cell with covered/all; red and with a cross if something is missing.
  static std::string share(const Covered& c) {
    const std::string text = std::to_string(c.covered) + "/" + std::to_string(c.all);
    return c.covered == c.all
               ? text
               : "<span class=\"over\" title=\"" + escaped(list(c.missing), Place::attribute) +
                     "\">" + text + " ✗</span>";
  }
  static std::string list(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  const Report& report_;
  std::string out_;
};

std::string Page::make() {
  head();
  failures();
  summary();
  errors();
  rules();
  classes();
  properties();
  out_ += entries_to_html(report_);
  slowest();
  question();
  return out_ + std::string(kPageEnd);
}

void Page::head() {
  out_ = page_head("gradproof", name(report_.result())) + "<p>" + counted(report_.cases(), "case") +
         ", " + counted(report_.boundary_cases(), "boundary case") + " and " +
         counted(report_.checks(), "check") + " in " + number(report_.seconds(), 1) + " s; " +
         counted(report_.failures.size(), "finding") + ", " +
         counted(report_.failed(), "failing check") + refuted_text(report_) +
         (report_.interrupted() ? "; interrupted" : "") + ".</p>\n" + facts_to_html(report_);
}

void Page::summary() {
  // `run` plans no boundary cases, and a kit, not the kernel, validates arguments.
  const bool with_rules = report_.question.command != "run" && report_.question.validation.empty();
  section("Operators",
          std::string("A case is one call whose results are compared element by element; a "
                      "boundary case is a valid call changed to be at the boundary of a rule. "
                      "The worst error is a fraction of its bound; points are coverage points.") +
              (with_rules ? " A rule is covered if both sides of its boundary were tested; rules "
                            "whose refusals the profile does not demand are not counted."
                          : ""));
  out_ += "<div class=\"scroll\"><table>\n";
  const auto with_last = [&](std::vector<std::string> cells, const std::string& rules) {
    if (with_rules) cells.push_back(rules);
    return cells;
  };
  row(with_last(
          {"operator", "cases", "boundary cases", "failures", "worst error", "classes", "points"},
          "rules"),
      "th");
  for (const auto& [op, o] : report_.operators) {
    row(with_last(
        {"<span class=\"mono\">" + stem(op) + "</span>", std::to_string(o.cases),
         std::to_string(o.boundary_cases),
         o.failures == 0 ? "0"
                         : "<span class=\"over\"><b>" + std::to_string(o.failures) + "</b></span>",
         worst_text(o.worst()), share(covered(o.classes)), share(covered_points(o))},
        share(covered_rules(o))));
  }
  out_ += "</table></div>\n";
  if (report_.files.empty()) return;
  out_ += "<h3>Files</h3>\n<div class=\"scroll\"><table>\n";
  row({"file", "cases", "failed", "skipped", "worst error", "seconds"}, "th");
  for (const FileCount& f : report_.files) {
    row({escaped(f.file), std::to_string(f.cases), std::to_string(f.failed),
         std::to_string(f.skipped), worst_text(f.worst), number(f.seconds, 1)});
  }
  out_ += "</table></div>\n";
}

void Page::failures() {
  if (report_.failures.empty()) return;
  section(
      "Findings",
      "One for each cause, most severe first, shrunk if time allowed. The command runs the call "
      "again.");
  for (const Failure& f : report_.failures) {
    out_ += "<details" + std::string(report_.failures.size() <= 5 ? " open" : "") +
            "><summary><b>" + escaped(f.property) + "</b> of <span class=\"mono\">" + stem(f.op) +
            "</span>: " + escaped(sort_of(f)) +
            (f.total() > 1 ? "; " + escaped(extent_of(f)) : "") +
            (f.where.empty() ? "" : ", " + escaped(f.where)) + "</summary>\n<pre>" +
            escaped(f.finding) + "</pre>\n<pre class=\"wrap\">" + escaped(f.repro) + "\n" +
            escaped(f.remarks()) + "</pre>\n" +
            (f.picture.empty() ? "" : "<pre>" + escaped(f.picture) + "</pre>\n") + "</details>\n";
  }
}

void Page::errors() {
  bool any = false;
  for (const auto& [op, o] : report_.operators) any = any || !o.errors.empty();
  if (!any) return;
  section("Errors",
          "Checks of equivalence by their largest error, as a fraction of the bound: 0 (every "
          "element correctly rounded), twenty steps up to 1 (the bound), and beyond it. Height: "
          "number of checks, on a logarithmic scale.");
  for (const auto& [op, o] : report_.operators) {
    if (o.errors.empty()) continue;
    out_ += "<h3 class=\"mono\">" + stem(op) + "</h3>\n<div class=\"charts\">\n";
    for (const auto& [dtype, errors] : o.errors) {
      std::uint64_t checks = 0;
      for (const std::uint64_t bin : errors.bins) checks += bin;
      const std::string caption =
          dtype + ": " + counted(checks, "check") + ", worst " + worst_text(errors.worst) +
          (errors.bins.back() > 0 ? ", " + std::to_string(errors.bins.back()) + " beyond the bound"
                                  : "");
      out_ += "<figure>" +
              histogram("errors of " + stem(op) + " in " + caption, errors.bins.data(),
                        errors.bins.size()) +
              "<figcaption>" + escaped(caption) + "</figcaption></figure>\n";
    }
    out_ += "</div>\n";
  }
}

void Page::rules() {
  Matrix m;
  m.label = "calls at the boundary of each rule, by operator";
  for (const ref::Rule& rule : ref::rules()) {
    const bool used =
        std::any_of(report_.operators.begin(), report_.operators.end(), [&](const auto& entry) {
          return std::any_of(entry.second.rules.begin(), entry.second.rules.end(),
                             [&](const RuleCount& r) { return r.rule == rule.id; });
        });
    if (used) m.columns.emplace_back(rule.id);
  }
  if (m.columns.empty() || !report_.question.validation.empty()) return;
  const bool planned = report_.question.command == "verify";
  section("Rules", planned ? "Above: calls just outside the rule's boundary, which must be refused "
                             "with its status. Below: calls just inside, "
                             "which must be accepted. ✗: not covered; –: not expected, as the "
                             "profile, the products or the selection leave it out; empty: the rule "
                             "does not apply to the operator."
                           : "Calls by the first rule that they break.");
  for (const auto& [op, o] : report_.operators) {
    m.rows.push_back(stem(op));
    for (const std::string& column : m.columns) {
      std::vector<Mark>& cell = m.cells.emplace_back();
      const auto rule = std::find_if(o.rules.begin(), o.rules.end(),
                                     [&](const RuleCount& r) { return r.rule == column; });
      if (rule == o.rules.end()) continue;
      const Sides sides = rule->total();
      const auto mark = [&](std::uint64_t count, const char* side, bool expected) {
        const State state = count > 0 ? State::good : expected ? State::bad : State::none;
        cell.push_back({state,
                        count > 0 || !planned ? compact(count)
                        : expected            ? "✗"
                                              : "–",
                        stem(op) + ", " + column + ", " + side + ": " + counted(count, "call") +
                            (count > 0 || !planned || expected ? "" : ", none expected")});
      };
      mark(sides.broken, "broken", planned && expects_refusals(o, column));
      if (planned) mark(sides.kept, "kept", true);
    }
  }
  out_ +=
      "<div class=\"scroll\">" + matrix(m) +
      "</div>\n<details><summary>By product and argument</summary><div class=\"scroll\"><table>\n";
  row({"operator", "rule", "product", "argument", "broken", "kept"}, "th", 4);
  for (const auto& [op, o] : report_.operators) {
    for (const RuleCount& rule : o.rules) {
      for (const auto& [where, sides] : rule.arguments) {
        row({stem(op), escaped(rule.rule), escaped(where.first), escaped(where.second),
             std::to_string(sides.broken), std::to_string(sides.kept)},
            "td", 4);
      }
    }
  }
  out_ += "</table></div></details>\n";
}

void Page::classes() {
  section("Case classes and coverage points",
          "Kinds of calls, and combinations of product, type, rank and format: how many were "
          "covered.");
  out_ += "<div class=\"scroll\"><table>\n";
  row({"operator", "", "classes", "", "points", "not covered"}, "th", 6);
  for (const auto& [op, o] : report_.operators) {
    const Covered classes = covered(o.classes), points = covered_points(o);
    const auto level = [&](const Covered& c, const char* what) {
      const std::string label =
          stem(op) + ": " + std::to_string(c.covered) + " of " + std::to_string(c.all) + " " + what;
      return bar(label,
                 c.all == 0 ? 0 : static_cast<double>(c.covered) / static_cast<double>(c.all),
                 c.missing.empty() ? State::good : State::bad);
    };
    std::vector<std::string> missing = classes.missing;
    missing.insert(missing.end(), points.missing.begin(), points.missing.end());
    const std::string names = missing.empty()
                                  ? ""
                                  : "<details><summary>" + std::to_string(missing.size()) +
                                        "</summary>" + escaped(list(missing)) + "</details>";
    row({"<span class=\"mono\">" + stem(op) + "</span>", level(classes, "classes"), share(classes),
         level(points, "points"), share(points), names},
        "td", 6);
  }
  out_ +=
      "</table></div>\n<details><summary>Number of cases of each class</summary><div "
      "class=\"scroll\"><table>\n";
  row({"operator", "class", "cases"}, "th", 2);
  for (const auto& [op, o] : report_.operators) {
    for (const auto& [label, count] : o.classes)
      row({stem(op), escaped(label), std::to_string(count)}, "td", 2);
  }
  out_ += "</table></div></details>\n";
}

void Page::properties() {
  std::set<std::string> names;
  for (const auto& [op, o] : report_.operators) {
    for (const auto& [name, count] : o.properties) names.insert(name);
  }
  if (names.empty()) return;
  section("Properties", "How often each property was checked; after ✗, how often it failed.");
  Matrix m;
  m.label = "checks of each property, by operator";
  m.columns.assign(names.begin(), names.end());
  for (const auto& [op, o] : report_.operators) {
    m.rows.push_back(stem(op));
    for (const std::string& name : m.columns) {
      std::vector<Mark>& cell = m.cells.emplace_back();
      const auto found = o.properties.find(name);
      if (found == o.properties.end()) continue;
      const PropertyCount& count = found->second;
      if (count.runs == 0) {
        cell.push_back({State::none, "–",
                        stem(op) + ", " + name + ": no check" +
                            (count.why.empty() ? "" : ", because " + count.why)});
        continue;
      }
      cell.push_back({count.failed == 0 ? State::good : State::bad,
                      count.failed == 0 ? compact(count.runs) : "✗" + compact(count.failed),
                      stem(op) + ", " + name + ": " + counted(count.runs, "check") + ", " +
                          std::to_string(count.failed) + " failed, " + number(count.seconds, 2) +
                          " s"});
    }
  }
  out_ += "<div class=\"scroll\">" + matrix(m) + "</div>\n";
}

void Page::slowest() {
  if (report_.slowest.empty()) return;
  section("Slowest checks", "The single checks that took longest.");
  out_ += "<div class=\"scroll\"><table>\n";
  row({"", "ms", "property", "case"}, "th", 4);
  const double most = std::max(report_.slowest.front().seconds, 1e-9);
  for (const SlowCheck& s : report_.slowest) {
    out_ += "<tr><td>" + bar(number(s.seconds * 1e3, 1) + " ms", s.seconds / most, State::good) +
            "</td><td class=\"n\">" + number(s.seconds * 1e3, 1) + "</td><td>" +
            escaped(s.property) + "</td><td class=\"case mono\">" + escaped(s.test) +
            "</td></tr>\n";
  }
  out_ += "</table></div>\n";
}

void Page::question() {
  const Question& q = report_.question;
  section("This run", "The selection, and the shards in this report.");
  out_ += "<div class=\"scroll\"><table>\n";
  const auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty())
      out_ += "<tr><th scope=\"row\">" + std::string(name) + "</th><td>" + escaped(value) +
              "</td></tr>\n";
  };
  for (const LibraryFile& file : q.libraries) {
    fact("library", file.path + (file.fingerprint.empty() ? ""
                                                          : " (" + counted(file.bytes, "byte") +
                                                                ", " + file.fingerprint + ")"));
  }
  fact("process", q.exec);
  fact("operators", list(q.operators));
  fact("operators that were not tested", list(other_operators(report_)));
  fact("properties", list(q.properties));
  fact("files", list(q.files));
  fact("threads", q.threads == 0 ? "chosen by the library" : std::to_string(q.threads));
  fact("profile", q.profile);
  out_ += "</table></div>\n";
  if (report_.shards > 1)
    out_ += "<h3>Shards: " + std::to_string(report_.parts.size()) + " of " +
            std::to_string(report_.shards) + "</h3>\n";
  out_ += "<div class=\"scroll\"><table>\n";
  row({"shard", "started", "seconds", "cases", "failures", ""}, "th", 2);
  for (const Part& p : report_.parts) {
    row({std::to_string(p.shard) + "/" + std::to_string(report_.shards), escaped(p.started),
         number(p.seconds, 1), std::to_string(p.cases), std::to_string(p.failures),
         p.interrupted ? "interrupted" : ""},
        "td", 2);
  }
  out_ += "</table></div>\n";
}

}  // namespace

std::string to_html(const Report& report) { return Page(report).make(); }

}  // namespace gradproof::report
