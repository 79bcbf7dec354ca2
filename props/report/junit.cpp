// Writes junit.xml.
#include "props/report/junit.h"

#include <algorithm>
#include <cstdio>

#include "props/cases/counted.h"
#include "props/report/findings.h"
#include "props/report/text.h"

namespace gradproof::report {
namespace {

std::string decimal(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

std::string attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + escaped(value, Place::attribute) + "\"";
}

/// Test cases, and how many of them failed or were not run.
struct Cases {
  std::string text;
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;

  /// @param content  of the element; empty: it passed
  void add(const std::string& name, const std::string& suite, double took,
           const std::string& content = "") {
    ++tests;
    seconds += took;
    text += "    <testcase" + attribute("name", name) + attribute("classname", suite) +
            attribute("time", decimal(took)) +
            (content.empty() ? "/>\n" : ">\n      " + content + "\n    </testcase>\n");
  }
};

/// "equivalence", or of another operator "equivalence of replication_pad2d".
std::string property_of(const std::string& property, ref::Operator of, ref::Operator op) {
  return property + (of == op ? "" : " of " + std::string(ref::signature(of).stem));
}

std::string failure(const Failure& f) {
  const std::string extent = extent_of(f);
  std::string text = sort_of(f) + (extent.empty() ? "" : " (" + extent + ")") + ": " + f.finding +
                     "\nrepro: " + f.repro + "\n" + f.remarks();
  for (std::size_t i = 0; i < f.also.size(); ++i) {
    text += (i == 0 ? "also failed: " : ", ") +
            property_of(f.also[i].property, f.also[i].op, f.op) +
            (i + 1 == f.also.size() ? "\n" : "");
  }
  return "<failure" + attribute("message", props::counted(f.count, "check") + " failed") +
         attribute("type", f.kind) + ">" + escaped(text + f.picture) + "\n</failure>";
}

/// A property whose failing checks all belong to findings of other properties: these are reported
/// there, once.
std::string elsewhere(const Report& report, ref::Operator op, const std::string& property,
                      std::uint64_t failed) {
  std::string where;
  for (const Failure& f : report.failures) {
    const bool here = std::ranges::any_of(f.also, [&](const AlsoFailed& other) {
      return other.op == op && other.property == property;
    });
    if (here) where += (where.empty() ? "" : ", ") + property_of(f.property, f.op, op);
  }
  const std::string message = props::counted(failed, "check") + " failed";
  return where.empty()
             ? "<failure" + attribute("message", message) + attribute("type", "other") + "/>"
             : "<skipped" + attribute("message", message + ": reported under " + where) + "/>";
}

std::string suite_head(const Report& report, const std::string& name, std::size_t id,
                       const Cases& cases) {
  const Part part = report.parts.empty() ? Part{} : report.parts.front();
  const std::string started =
      part.started.substr(0, part.started.find('Z'));  // the schemas allow no time zone
  return "  <testsuite" + attribute("name", name) + attribute("package", "gradproof") +
         attribute("id", std::to_string(id)) + attribute("timestamp", started) +
         attribute("hostname", "localhost") + attribute("tests", std::to_string(cases.tests)) +
         attribute("failures", std::to_string(cases.failures)) +
         attribute("errors", std::to_string(cases.errors)) +
         attribute("time", decimal(cases.seconds)) + ">\n    <properties>\n      <property" +
         attribute("name", "seed") + attribute("value", std::to_string(report.question.seed)) +
         "/>\n    </properties>\n";
}

constexpr char kSuiteEnd[] = "    <system-out/>\n    <system-err/>\n  </testsuite>\n";

/// One test case per property; each further finding of a property has one of its own, for the
/// schemas allow one failure per test case.
void add_property(Cases& cases, const Report& report, ref::Operator op, const std::string& name,
                  const PropertyCount& count) {
  const std::string in = "gradproof." + std::string(ref::signature(op).stem);
  if (count.runs == 0) {
    const std::vector<std::string>& selected = report.question.selected_properties;
    const bool named = std::find(selected.begin(), selected.end(), name) != selected.end();
    cases.errors += named ? 1 : 0;
    cases.add(
        name, in, count.seconds,
        "<" + std::string(named ? "error" : "skipped") +
            attribute("message", "no check ran" + (count.why.empty() ? "" : ": " + count.why)) +
            (named ? attribute("type", "incomplete") : "") + "/>");
    return;
  }
  std::size_t findings = 0;
  for (const Failure& f : report.failures) {
    if (f.op != op || f.property != name) continue;
    ++findings;
    cases.add(findings == 1 ? name : name + " (finding " + std::to_string(findings) + ")", in,
              findings == 1 ? count.seconds : 0, failure(f));
  }
  cases.failures += findings;
  if (findings > 0) return;
  const std::string other = count.failed > 0 ? elsewhere(report, op, name, count.failed) : "";
  cases.failures += other.starts_with("<failure") ? 1 : 0;
  cases.add(name, in, count.seconds, other);
}

std::string suite(const Report& report, ref::Operator op, const OperatorReport& o, std::size_t id) {
  Cases cases;
  for (const auto& [name, count] : o.properties) add_property(cases, report, op, name, count);
  return suite_head(report, std::string(ref::signature(op).stem), id, cases) + cases.text +
         kSuiteEnd;
}

/// A test case for each entry of the profile: contradicted ones fail.
std::string entries(const Report& report, std::size_t id) {
  Cases cases;
  for (const EntryCount& entry : report.entries.counts) {
    if (entry.implied || entry.untested()) continue;
    const std::string failure =
        entry.refuted() ? "<failure" + attribute("message", "contradicted: " + entry.evidence()) +
                              attribute("type", "contradicted") + ">" +
                              escaped(entry.says + ": " + entry.reason) + "</failure>"
                        : "";
    cases.failures += entry.refuted() ? 1 : 0;
    cases.add(entry.id, "gradproof.profile." + report.question.profile, 0, failure);
  }
  if (cases.tests == 0) return "";
  return suite_head(report, "profile " + report.question.profile, id, cases) + cases.text +
         kSuiteEnd;
}

}  // namespace

std::string to_junit(const Report& report) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  std::size_t id = 0;
  for (const auto& [op, o] : report.operators) text += suite(report, op, o, id++);
  text += entries(report, id);
  return text + "</testsuites>\n";
}

}  // namespace gradproof::report
