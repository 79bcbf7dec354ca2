// Files of findings.
#include "props/campaign/kept.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "props/campaign/checker.h"
#include "props/cases/input_error.h"
#include "props/report/text.h"

namespace gradproof::campaign {
namespace {

/// Without what introduces the next one.
std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), text.find("; the first:")));
}

/// FNV-1a: the same case has the same file on every machine.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

/// A file's name as one part of a joined name: no two lists of files have the same joined name.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '+' ? "%2B" : c == '%' ? "%25" : std::string(1, c);
  return text;
}

/// The file appears whole or not at all: other runs may read the folder.
void write_whole(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::filesystem::path half = path;
  half += '.' + std::to_string(getpid());
  std::ofstream file(half);
  file << text;
  file.close();
  if (file) std::filesystem::rename(half, path, error);
  if (!file || error) throw props::InputError(path.string() + ": cannot be written");
}

}  // namespace

props::Shown shown(const Failure& failure, const Settings& settings) {
  const props::Property* property = failure.during != nullptr ? failure.during : failure.property;
  return {property != nullptr ? std::string(property->name) : "", settings.subject.threads,
          settings.subject.profile_file};
}

Settings as_shown(Settings settings, const props::Shown& shown) {
  props::Subject& subject = settings.subject;
  if (subject.threads == 0 && shown.threads > 0) {
    subject.threads = shown.threads;
    settings.repro_options += " --threads " + std::to_string(shown.threads);
  }
  if (subject.profile.empty() && !shown.profile.empty()) {
    const profiles::Profile profile = profiles::find_profile(shown.profile);
    subject.profile = profile.text;
    subject.profile_file = profile.file;
    settings.repro_options += " --profile " + report::shell_word(shown.profile);
  }
  return settings;
}

std::string keep(const std::filesystem::path& folder, const Failure& failure,
                 const Settings& settings) {
  const std::string line = to_text(failure.test, shown(failure, settings));
  char name[40];
  std::snprintf(name, sizeof name, "-%08llx.txt",
                static_cast<unsigned long long>(hash_of(line) >> 32));
  const std::string stem(ref::signature(failure.test.call.op).stem);
  const std::string file = stem + "-" + std::string(failure.property->name) + name;
  write_whole(folder / file, "# " + std::string(failure.property->name) + " of " + stem + ": " +
                                 report::printable(first_line(failure.verdict.finding)) + '\n' +
                                 line + '\n');
  return file;
}

void demand_writable(const std::filesystem::path& folder) {
  const std::filesystem::path probe = folder / ".gradproof-probe";
  try {
    write_whole(probe, "");
  } catch (const props::InputError&) {
    throw props::InputError(folder.string() + ": cannot be written");
  }
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
}

Database::Database(const std::string& folder, const props::Subject& subject) {
  if (folder.empty()) return;
  std::string names;
  for (const std::string& path : subject.libraries)
    names += (names.empty() ? "" : "+") + escaped(std::filesystem::path(path).filename().string());
  if (!subject.command.empty()) {
    char hash[24];
    std::snprintf(hash, sizeof hash, "exec-%08llx",
                  static_cast<unsigned long long>(hash_of(subject.command) >> 32));
    names = hash;
  }
  folder_ = std::filesystem::path(folder) / names;
}

std::vector<Database::Entry> Database::entries(const Settings& settings) const {
  std::vector<Entry> found;
  if (folder_.empty()) return found;
  std::error_code error;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  for (std::filesystem::directory_iterator file(folder_, error), end; !error && file != end;
       file.increment(error)) {
    if (file->path().extension() == ".txt" && file->is_regular_file(error))
      files.emplace_back(file->last_write_time(error), file->path());
  }
  std::sort(files.begin(), files.end());
  const props::Shown here = shown({}, settings);
  for (const auto& [time, path] : files) {
    try {
      for (const props::NamedCase& named : props::read_case_file(path.string())) {
        const props::Property* property = props::find_property(named.shown.property);
        if (property == nullptr)
          throw props::InputError(named.where + ": unknown property '" + named.shown.property +
                                  "'");
        if (property->runs && ref::expect(named.test.call).rule == nullptr)
          demand_runnable(named.where, named.test);
        if (named.shown.threads == here.threads && named.shown.profile == here.profile)
          found.push_back({path, property, named.test});
      }
    } catch (const props::InputError& e) {
      std::cerr << "gradproof: skipped in the database of earlier findings: " << e.what() << '\n';
    }
  }
  return found;
}

void Database::keep(const Failure& failure, const Settings& settings) {
  if (folder_.empty() || unwritable_) return;
  try {
    campaign::keep(folder_, failure, settings);
  } catch (const props::InputError& e) {
    unwritable_ = true;
    std::cerr << "gradproof: cannot store findings for the next run: " << e.what() << '\n';
  }
}

void Database::drop(const std::filesystem::path& file) const {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

}  // namespace gradproof::campaign
