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

/// The schemas allow one failure per test case: its type is the first kind, its text has all.
std::string failure(const Report& report, ref::Operator op, const std::string& property,
                    std::uint64_t failed) {
  std::string kind, text;
  for (const Failure& f : report.failures) {
    const bool here = (f.op == op && f.property == property) ||
                      std::any_of(f.also.begin(), f.also.end(), [&](const AlsoFailed& other) {
                        return other.op == op && other.property == property;
                      });
    if (!here) continue;
    if (kind.empty()) kind = f.kind;
    const std::string extent = extent_of(f);
    text += sort_of(f) + (extent.empty() ? "" : " (" + extent + ")") + ": " + f.finding +
            "\nrepro: " + f.repro + "\n" + (f.shrunk ? "" : f.remark() + "\n") + f.picture + "\n";
  }
  return "      <failure" + attribute("message", props::counted(failed, "check") + " failed") +
         attribute("type", kind) + ">" + escaped(text) + "</failure>\n";
}

std::string suite_head(const Report& report, const std::string& name, std::size_t id,
                       std::size_t tests, std::size_t failures, std::size_t errors,
                       double seconds) {
  const Part part = report.parts.empty() ? Part{} : report.parts.front();
  const std::string started =
      part.started.substr(0, part.started.find('Z'));  // the schemas allow no time zone
  return "  <testsuite" + attribute("name", name) + attribute("package", "gradproof") +
         attribute("id", std::to_string(id)) + attribute("timestamp", started) +
         attribute("hostname", "localhost") + attribute("tests", std::to_string(tests)) +
         attribute("failures", std::to_string(failures)) +
         attribute("errors", std::to_string(errors)) + attribute("time", decimal(seconds)) +
         ">\n    <properties>\n      <property" + attribute("name", "seed") +
         attribute("value", std::to_string(report.question.seed)) + "/>\n    </properties>\n";
}

constexpr char kSuiteEnd[] = "    <system-out/>\n    <system-err/>\n  </testsuite>\n";

std::string suite(const Report& report, ref::Operator op, const OperatorReport& o, std::size_t id) {
  std::string cases;
  double seconds = 0;
  std::size_t failures = 0, errors = 0;
  const std::string stem(ref::signature(op).stem);
  for (const auto& [name, count] : o.properties) {
    seconds += count.seconds;
    cases += "    <testcase" + attribute("name", name) +
             attribute("classname", "gradproof." + stem) +
             attribute("time", decimal(count.seconds));
    if (count.runs == 0) {
      const std::vector<std::string>& selected = report.question.selected_properties;
      const bool named = std::find(selected.begin(), selected.end(), name) != selected.end();
      errors += named ? 1 : 0;
      cases += ">\n      <" + std::string(named ? "error" : "skipped") +
               attribute("message", "no check ran" + (count.why.empty() ? "" : ": " + count.why)) +
               (named ? attribute("type", "incomplete") : "") + "/>\n    </testcase>\n";
    } else if (count.failed > 0) {
      ++failures;
      cases += ">\n" + failure(report, op, name, count.failed) + "    </testcase>\n";
    } else {
      cases += "/>\n";
    }
  }
  return suite_head(report, stem, id, o.properties.size(), failures, errors, seconds) + cases +
         kSuiteEnd;
}

/// A test case for each entry of the profile: contradicted ones fail.
std::string entries(const Report& report, std::size_t id) {
  std::string cases;
  std::size_t tests = 0;
  for (const EntryCount& entry : report.entries.counts) {
    if (entry.implied || entry.untested()) continue;
    ++tests;
    cases += "    <testcase" + attribute("name", entry.id) +
             attribute("classname", "gradproof.profile." + report.question.profile) +
             attribute("time", "0.000");
    if (entry.refuted()) {
      cases += ">\n      <failure" + attribute("message", "contradicted: " + entry.evidence()) +
               attribute("type", "contradicted") + ">" + escaped(entry.says + ": " + entry.reason) +
               "</failure>\n    </testcase>\n";
    } else {
      cases += "/>\n";
    }
  }
  if (tests == 0) return "";
  return suite_head(report, "profile " + report.question.profile, id, tests,
                    report.entries.refuted(), 0, 0) +
         cases + kSuiteEnd;
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
