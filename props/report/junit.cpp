// Writes junit.xml.
#include "props/report/junit.h"

#include <cstdio>

#include "props/cases/counted.h"
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

/// The schemas allow one failure a test case: the first kind is its type, the text has all of them.
std::string failure(const Report& report, ref::Operator op, const std::string& property,
                    std::uint64_t failed) {
  std::string kind, text;
  for (const Failure& f : report.failures) {
    if (f.op != op || f.property != property) continue;
    if (kind.empty()) kind = f.kind;
    text += f.kind + " (" + props::counted(f.count, "time") + "): " + f.finding +
            "\nrepro: " + f.repro + "\n" + (f.shrunk ? "" : f.remark() + "\n") + f.picture + "\n";
  }
  return "      <failure" + attribute("message", props::counted(failed, "check") + " failed") +
         attribute("type", kind) + ">" + escaped(text) + "</failure>\n";
}

std::string suite(const Report& report, ref::Operator op, const OperatorReport& o, std::size_t id) {
  std::string cases;
  double seconds = 0;
  std::size_t failures = 0;
  const std::string stem(ref::signature(op).stem);
  for (const auto& [name, count] : o.properties) {
    seconds += count.seconds;
    cases += "    <testcase" + attribute("name", name) +
             attribute("classname", "gradproof." + stem) +
             attribute("time", decimal(count.seconds));
    if (count.failed > 0) {
      ++failures;
      cases += ">\n" + failure(report, op, name, count.failed) + "    </testcase>\n";
    } else {
      cases += "/>\n";
    }
  }
  const Part part = report.parts.empty() ? Part{} : report.parts.front();
  const std::string started =
      part.started.substr(0, part.started.find('Z'));  // the schemas know no zone
  return "  <testsuite" + attribute("name", stem) + attribute("package", "gradproof") +
         attribute("id", std::to_string(id)) + attribute("timestamp", started) +
         attribute("hostname", "localhost") +
         attribute("tests", std::to_string(o.properties.size())) +
         attribute("failures", std::to_string(failures)) + attribute("errors", "0") +
         attribute("time", decimal(seconds)) + ">\n    <properties>\n      <property" +
         attribute("name", "seed") + attribute("value", std::to_string(report.question.seed)) +
         "/>\n    </properties>\n" + cases +
         "    <system-out/>\n    <system-err/>\n  </testsuite>\n";
}

}  // namespace

std::string to_junit(const Report& report) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  std::size_t id = 0;
  for (const auto& [op, o] : report.operators) text += suite(report, op, o, id++);
  return text + "</testsuites>\n";
}

}  // namespace gradproof::report
