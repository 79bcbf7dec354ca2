// Facts of a report, as an HTML list.
#include "props/report/facts.h"

#include <cstdio>
#include <string_view>
#include <vector>

#include "props/report/text.h"

namespace gradproof::report {
namespace {

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string shortest(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", seconds);
  return text;
}

}  // namespace

std::string command_of(const Report& report) {
  const Question& q = report.question;
  std::string command = "gradproof " + q.command;
  const auto option = [&](const char* name, const std::string& value) {
    command += " --" + std::string(name) + " " + value;
  };
  for (const std::string& file : q.files) command += " " + shell_word(file);
  if (q.exec.empty()) {
    for (const LibraryFile& file : q.libraries) option("library", shell_word(file.path));
  } else {
    option("exec", shell_word(q.exec));
  }
  for (const std::string& op : q.selected_operators) option("operator", op);
  for (const std::string& property : q.selected_properties) option("property", property);
  command += q.selection;
  if (q.cases > 0) option("cases", std::to_string(q.cases));
  if (q.cases == 0 && q.seconds > 0) option("seconds", shortest(q.seconds));
  if (q.command == "verify") option("seed", std::to_string(q.seed));
  if (q.threads > 0) option("threads", std::to_string(q.threads));
  if (!q.profile.empty()) option("profile", q.profile);
  if (q.phase1_only) option("phase", "1");
  return command;
}

std::string facts_to_html(const Report& report) {
  const Question& q = report.question;
  std::string html = "<dl>\n";
  const auto fact = [&](std::string_view name, const std::string& value) {
    if (!value.empty())
      html += "<dt>" + std::string(name) + "</dt><dd class=\"mono\">" + escaped(value) + "</dd>\n";
  };
  if (q.providers.empty()) {
    for (const LibraryFile& file : q.libraries) fact("library", file.path);
  }
  fact("process", q.exec);
  for (const Provider& provider : q.providers) fact("tested", provider.file);
  if (!q.command.empty()) fact("command", command_of(report));
  fact("products", list(q.products) + q.why_products);
  if (!report.parts.empty()) fact("started", report.parts.front().started);
  fact("runtime", q.runtime + (q.conformance.empty() ? "" : ", conformance " + q.conformance));
  fact("validation", q.validation.empty() ? "" : q.validation + "; only values are checked");
  fact("tensors of the kernels", q.tensors);
  fact("floating-point mode", q.float_mode);
  fact("version", "gradproof " GRADPROOF_VERSION);
  return html + "</dl>\n";
}

}  // namespace gradproof::report
