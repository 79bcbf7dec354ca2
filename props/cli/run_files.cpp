// gradproof run: the cases of files.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "props/campaign/allowances.h"
#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/kept.h"
#include "props/campaign/picture.h"
#include "props/campaign/progress.h"
#include "props/cases/data/data.h"
#include "props/cases/input_error.h"
#include "props/cases/text/case_file.h"
#include "props/cli/select.h"
#include "props/cli/summary.h"
#include "props/report/write.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t kPictures = 20;  // failures whose values are kept

struct CaseFile {
  std::string path;
  std::vector<props::NamedCase> cases;
};

class FileRun {
 public:
  FileRun(campaign::Settings settings, const std::vector<std::string>& files)
      : settings_(std::move(settings)),
        progress_(settings_.progress, settings_.silent),
        usual_(parse_properties({"error-codes", "messages", "equivalence", "misuse"})) {
    campaign::Checker& checker = checker_for({});
    allowances_.emplace(checker.profile(), settings_.known, checker.operators(), report_.entries);
    report_.question = campaign::question(
        settings_, "run", checker.profile().name, {}, checker.operators(),
        settings_.properties.empty() ? usual_ : settings_.properties, checker.provision());
    report_.question.files = files;
    report_.parts = {report::begin_part(1)};
  }

  /// Throws InputError for a case that cannot be performed.
  void demand(const std::vector<props::NamedCase>& cases);
  void run(const std::string& path, const std::vector<props::NamedCase>& cases);
  /// Complete when all files have run.
  const report::Report& report();
  /// Whether there were as many failures as the settings allow.
  bool had_enough() const {
    return settings_.max_failures > 0 && report_.failures.size() >= settings_.max_failures;
  }

 private:
  bool skipped(const props::NamedCase& named);
  enum class Outcome { passed, failed, not_checked, stopped };
  Outcome run_case(const props::NamedCase& named, report::FileCount& row);
  void violated(const props::NamedCase& named, const campaign::Failure& failure);

  /// The properties that options name, else the one in the case line, else the defaults.
  std::vector<const props::Property*> properties_of(const props::NamedCase& named) const;
  /// A checker with the threads and the profile of the case line: one process for each combination.
  campaign::Checker& checker_for(const props::Shown& shown);

  const campaign::Settings settings_;
  std::map<std::pair<int, std::string>, std::unique_ptr<campaign::Checker>> checkers_;
  campaign::Progress progress_;
  const std::vector<const props::Property*> usual_;
  report::Report report_;
  report::Recorder recorder_{report_};
  std::optional<campaign::Allowances> allowances_;
};

std::vector<const props::Property*> FileRun::properties_of(const props::NamedCase& named) const {
  if (!settings_.properties.empty()) return settings_.properties;
  if (named.shown.property.empty()) return usual_;
  try {
    return parse_properties({named.shown.property});
  } catch (const props::InputError& e) {
    throw props::InputError(named.where + ": " + e.what());
  }
}

campaign::Checker& FileRun::checker_for(const props::Shown& shown) {
  const campaign::Settings settings = as_shown(settings_, shown);
  std::unique_ptr<campaign::Checker>& checker =
      checkers_[{settings.subject.threads, settings.subject.profile_file}];
  if (checker == nullptr) checker = std::make_unique<campaign::Checker>(settings);
  return *checker;
}

void FileRun::demand(const std::vector<props::NamedCase>& cases) {
  for (const props::NamedCase& named : cases) {
    if (skipped(named)) continue;
    for (const props::Property* property : properties_of(named)) {
      if (property->runs && checker_for({}).meets(*property, named.test))
        campaign::demand_runnable(named.where, named.test);
    }
  }
}

bool FileRun::skipped(const props::NamedCase& named) {
  campaign::Checker& checker = checker_for({});
  const std::vector<ref::Operator>& there = checker.operators();
  return std::find(there.begin(), there.end(), named.test.call.op) == there.end() ||
         !checker.is(named.test.call.product);
}

void FileRun::run(const std::string& path, const std::vector<props::NamedCase>& cases) {
  report::FileCount& row = report_.files.emplace_back();
  row.file = path;
  const auto start = std::chrono::steady_clock::now();
  for (const props::NamedCase& named : cases) {
    if (campaign::interrupted() || had_enough()) break;
    progress_.show(path + ": case " + std::to_string(row.cases + 1) + " of " +
                   std::to_string(cases.size()));
    if (skipped(named)) {
      ++row.skipped;
      continue;
    }
    const Outcome outcome = run_case(named, row);
    if (outcome == Outcome::stopped) break;
    ++(outcome == Outcome::not_checked ? row.skipped : row.cases);
    if (outcome == Outcome::failed) ++row.failed;
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress_.clear();
}

const report::Report& FileRun::report() {
  report::Part& part = report_.parts.front();
  part.cases = report_.cases();
  part.failures = report_.failed();
  part.seconds = 0;
  for (const report::FileCount& row : report_.files) part.seconds += row.seconds;
  part.interrupted = campaign::interrupted();
  return report_;
}

FileRun::Outcome FileRun::run_case(const props::NamedCase& named, report::FileCount& row) {
  campaign::Checker& checker = checker_for(named.shown);
  std::vector<props::Check> checks;
  for (const props::Property* property : properties_of(named)) {
    if (checker.meets(*property, named.test)) checks.push_back({property, &named.test});
  }
  const std::size_t before = report_.failures.size();
  bool checked = false;
  std::string why = "none of the selected properties applies";
  std::vector<props::Answer> answers = checker.check(checks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    props::Answer& answer = answers[i];
    allowances_->apply(checks[i], answer);
    if (answer.given_up) {
      why = "skipped after repeated crashes or hangs in similar checks";
      continue;
    }
    if (answer.verdict.checked) {
      checked = true;
      recorder_.checked(named.test,
                        campaign::check_of(*checks[i].property, answer.verdict, answer.seconds));
    } else {
      why = answer.verdict.finding;
      recorder_.not_checked(named.test, checks[i].property->name, answer.verdict.finding);
    }
    row.worst = std::max(
        row.worst, std::min(answer.verdict.worst_fraction, report::Distribution::kLargestShown));
    if (!answer.verdict.held)
      violated(named, {checks[i].property, named.test, answer.verdict, nullptr});
    if (answer.printed.empty()) continue;
    const campaign::Failure noise =
        campaign::printed(named.test, *checks[i].property, answer.printed);
    recorder_.checked(noise.test, campaign::check_of(*noise.property, noise.verdict, 0));
    violated(named, noise);
  }
  if (report_.failures.size() == before && answers.size() < checks.size()) return Outcome::stopped;
  if (report_.failures.size() == before && !checked) {
    // The line names this property, so a missing check counts.
    if (!named.shown.property.empty())
      row.untested.push_back(named.where + ": " + named.shown.property + ": " + why);
    return Outcome::not_checked;
  }
  recorder_.saw(named.test);
  return report_.failures.size() == before ? Outcome::passed : Outcome::failed;
}

void FileRun::violated(const props::NamedCase& named, const campaign::Failure& failure) {
  report_.failures.push_back(campaign::summary(failure, as_shown(settings_, named.shown)));
  if (report_.failures.size() <= kPictures)
    report_.failures.back().picture = campaign::picture(checker_for(named.shown), failure);
  report_.failures.back().where = named.where;
  progress_.clear();
  settings_.announce(report_.failures.back());
}

/// The given files, and all .txt and .json files of the given folders, sorted by name.
std::vector<std::string> files_of(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (word == "-" || !std::filesystem::is_directory(word, error)) {
      files.push_back(word);
      continue;
    }
    const std::size_t first = files.size();
    for (std::filesystem::recursive_directory_iterator file(word, error), end;
         !error && file != end; file.increment(error)) {
      const std::string extension = file->path().extension().string();
      if ((extension == ".txt" || extension == ".json") && file->is_regular_file(error))
        files.push_back(file->path().string());
    }
    if (error) throw props::InputError(word + ": " + error.message());
    if (files.size() == first) throw props::InputError(word + ": contains no .txt or .json file");
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

/// Keeps the cases that the settings select, and files that have any. If none is left, throws
/// InputError that lists the operators of the files.
void keep_selected(std::vector<CaseFile>& files, const campaign::Settings& settings) {
  const std::vector<ref::Operator> operators = selected_operators(settings);
  std::set<std::string_view> there;
  for (CaseFile& file : files) {
    std::erase_if(file.cases, [&](const props::NamedCase& named) {
      const ref::Operator op = named.test.call.op;
      there.insert(ref::signature(op).stem);
      return std::find(operators.begin(), operators.end(), op) == operators.end() ||
             !settings.selection.takes(named.test);
    });
  }
  std::erase_if(files, [](const CaseFile& file) { return file.cases.empty(); });
  if (!files.empty()) return;
  std::string text = "the options select no case of the files, whose operators are:";
  for (const std::string_view stem : there) text += "\n  " + std::string(stem);
  throw props::InputError(text);
}

}  // namespace

int run_files(const Options& options) {
  campaign::catch_interrupts();
  if (!options.report.empty()) report::prepare_folder(options.report);
  // All files are read and checked before any case runs, so that a bad file is reported at once and
  // costs no results.
  std::vector<CaseFile> files;
  for (const std::string& path : files_of(options.words))
    files.push_back({path == "-" ? "stdin" : path, props::read_case_file(path)});
  campaign::Settings settings = live_settings(options);
  keep_selected(files, settings);
  std::vector<std::string> paths;
  for (const CaseFile& file : files) paths.push_back(file.path);
  FileRun run(std::move(settings), paths);
  for (const CaseFile& file : files) run.demand(file.cases);
  for (const CaseFile& file : files) {
    if (!campaign::interrupted() && !run.had_enough()) run.run(file.path, file.cases);
  }
  const report::Report& report = run.report();
  if (run.had_enough()) print_ended(options);
  conclude_run(report, options);
  if (!report.failures.empty() || report.entries.refuted() > 0) return kFailed;
  return report.untested_of_run().empty() ? kPassed : kNotTested;
}

}  // namespace gradproof::cli
