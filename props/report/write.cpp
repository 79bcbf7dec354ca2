// Writes a report's files.
#include "props/report/write.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "props/cases/input_error.h"
#include "props/profiles/finding_kinds.h"
#include "props/report/html.h"
#include "props/report/json.h"
#include "props/report/junit.h"
#include "ref/rules.h"

namespace gradproof::report {
namespace fs = std::filesystem;

void write_whole(const fs::path& file, const std::string& text) {
  const fs::path unfinished = file.string() + "." + std::to_string(getpid()) + ".part";
  std::error_code error;
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
      const std::string why = std::strerror(errno);
      fs::remove(unfinished, error);
      throw props::InputError(file.string() + ": cannot be written: " + why);
    }
  }
  fs::rename(unfinished, file, error);
  if (error) throw props::InputError(file.string() + ": " + error.message());
}

void prepare_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw props::InputError(folder + ": cannot be created: " + error.message());
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw props::InputError(folder + ": not writable");
}

void demand_writable_file(const std::string& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw props::InputError(file + ": cannot be written: " + std::strerror(errno));
  if (fs::is_directory(file)) throw props::InputError(file + ": is a folder");
}

void write_report(const Report& report, const std::string& folder) {
  prepare_folder(folder);
  const fs::path to(folder);
  write_whole(to / "report.html", to_html(report));
  write_whole(to / "junit.xml", to_junit(report));
  write_whole(to / "report.json", to_json(report));  // last: once it exists, the others do too
}

namespace {

/// The entry that silences the finding, in all operators where the same property found it.
profiles::Known entry_for(const Failure& failure) {
  const props::Case test = props::parse_case(failure.test);
  profiles::Known known =
      profiles::known_of(failure.kind, failure.property, test, failure.finding,
                         props::Features(failure.in_common.begin(), failure.in_common.end()));
  // A symptom of refused calls is the same whatever rule a call breaks.
  if (!failure.symptom.empty() && ref::expect(test.call).rule != nullptr) {
    known.when.arguments.clear();
    known.when.rules.clear();
    for (const ref::Rule& rule : ref::rules()) known.when.rules.emplace_back(rule.id);
  }
  std::vector<ref::Operator>& operators = known.when.operators;
  for (const AlsoFailed& other : failure.also) {
    const bool same = known.property.empty() || other.property == known.property;
    if (same && std::ranges::find(operators, other.op) == operators.end())
      operators.push_back(other.op);
  }
  return known;
}

}  // namespace

void write_known(const Report& report, const profiles::KnownList& before, const std::string& file) {
  std::vector<profiles::Known> list = before.list();
  for (const Failure& failure : report.failures) {
    if (profiles::is_damage(failure.kind)) continue;
    profiles::Known known = entry_for(failure);
    const bool there = std::any_of(
        list.begin(), list.end(), [&](const profiles::Known& of) { return of.silences_as(known); });
    if (!there) list.push_back(std::move(known));
  }
  write_whole(file, profiles::to_json(list));
}

void write_page(const std::string& html, const std::string& folder) {
  prepare_folder(folder);
  write_whole(fs::path(folder) / "report.html", html);
}

}  // namespace gradproof::report
