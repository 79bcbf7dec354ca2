// Files of findings.
#include "props/campaign/kept.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "props/campaign/checker.h"
#include "props/cases/hash.h"
#include "props/cases/input_error.h"
#include "props/report/text.h"
#include "props/report/write.h"

namespace gradproof::campaign {
namespace {

/// Without what introduces the next one.
std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), text.find("; the first:")));
}

/// The same text has the same on every machine.
std::string short_hash(const std::string& text) {
  char digits[12];
  std::snprintf(digits, sizeof digits, "%08x",
                static_cast<unsigned int>(props::hash_of(text) >> 32));
  return digits;
}

/// A file's name as one part of a joined name: no two lists of files have the same joined name.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '+' ? "%2B" : c == '%' ? "%25" : std::string(1, c);
  return text;
}

/// Writes a file of a folder that may be missing.
void write_into(const std::filesystem::path& folder, const std::string& name,
                const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  report::write_whole(folder / name, text);
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
  const props::Shown as = shown(failure, settings);
  const std::string line = to_text(failure.test, as);
  const std::string stem(ref::signature(failure.test.call.op).stem);
  const std::string earlier = failure.after ? "# fails after this call, in one process:\n" +
                                                  to_text(*failure.after, as) + '\n'
                                            : "";
  const std::string file =
      stem + "-" + std::string(failure.property->name) + '-' + short_hash(line) + ".txt";
  write_into(folder, file,
             "# " + std::string(failure.property->name) + " of " + stem + ": " +
                 report::printable(first_line(failure.verdict.finding)) + '\n' + earlier + line +
                 '\n');
  return file;
}

void demand_writable(const std::filesystem::path& folder) {
  const std::string probe = ".gradproof-probe";
  try {
    write_into(folder, probe, "");
  } catch (const props::InputError&) {
    throw props::InputError(folder.string() + ": cannot be written");
  }
  std::error_code ignored;
  std::filesystem::remove(folder / probe, ignored);
}

Database::Database(const std::string& folder, const props::Subject& subject) {
  if (folder.empty()) return;
  std::string names;
  for (const std::string& path : subject.libraries)
    names += (names.empty() ? "" : "+") + escaped(std::filesystem::path(path).filename().string());
  if (!subject.command.empty()) names = "exec-" + short_hash(subject.command);
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
    const std::size_t first = found.size();
    bool whole = true;
    try {
      for (const props::NamedCase& named : props::read_case_file(path.string())) {
        const props::Property* property = props::find_property(named.shown.property);
        if (property == nullptr)
          throw props::InputError(named.where + ": unknown property '" + named.shown.property +
                                  "'");
        if (property->runs && ref::expect(named.test.call).rule == nullptr)
          demand_runnable(named.where, named.test);
        if (named.shown.threads == here.threads && named.shown.profile == here.profile)
          found.push_back({path, property, named.test, true});
        else
          whole = false;
      }
    } catch (const props::InputError& e) {
      whole = false;
      std::cerr << "gradproof: skipped in the database of earlier findings: " << e.what() << '\n';
    }
    for (std::size_t i = first; i < found.size(); ++i) found[i].file_is_whole = whole;
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
