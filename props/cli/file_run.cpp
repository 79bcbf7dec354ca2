// Checks the cases of files one by one, and joins what several processes found.
#include "props/cli/file_run.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <tuple>

#include "props/campaign/kept.h"
#include "props/campaign/picture.h"
#include "props/cases/data/data.h"
#include "props/cases/input_error.h"
#include "props/cli/options.h"
#include "props/report/json.h"
#include "props/report/merge.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t kPictures = 20;  // failures whose values are kept

}  // namespace

FileRun::FileRun(campaign::Settings settings, const std::vector<CaseFile>& files)
    : settings_(std::move(settings)),
      files_(files),
      progress_(settings_.progress, settings_.silent),
      usual_(parse_properties({"error-codes", "messages", "equivalence", "misuse"})) {
  campaign::Checker& checker = checker_for({});
  allowances_.emplace(checker.profile(), settings_.known, checker.operators(), report_.entries);
  report_.question = campaign::question(
      settings_, "run", checker.profile(), {}, checker.operators(),
      settings_.properties.empty() ? usual_ : settings_.properties, checker.provision());
  for (const CaseFile& file : files_) report_.question.files.push_back(file.path);
  report_.shards = settings_.shard.count;
  report_.parts = {report::begin_part(settings_.shard.index)};
  demand();
}

std::vector<const props::Property*> FileRun::properties_of(const props::NamedCase& named) const {
  if (!settings_.properties.empty()) return settings_.properties;
  if (named.shown.property.empty()) return usual_;
  try {
    return parse_properties({named.shown.property});
  } catch (const props::InputError& e) {
    throw props::InputError(named.where + ": " + e.what());
  }
}

campaign::Checker& FileRun::checker_for(const props::Shown& shown) const {
  const campaign::Settings settings = as_shown(settings_, shown);
  std::unique_ptr<campaign::Checker>& checker =
      checkers_[{settings.subject.threads, settings.subject.profile_file}];
  if (checker == nullptr) checker = std::make_unique<campaign::Checker>(settings);
  return *checker;
}

void FileRun::demand() const {
  for (const CaseFile& file : files_) {
    for (const props::NamedCase& named : file.cases) {
      if (skipped(named)) continue;
      for (const props::Property* property : properties_of(named)) {
        if (property->runs && checker_for({}).meets(*property, named.test))
          campaign::demand_runnable(named.where, named.test);
      }
    }
  }
}

bool FileRun::skipped(const props::NamedCase& named) const {
  campaign::Checker& checker = checker_for({});
  const std::vector<ref::Operator>& there = checker.operators();
  return std::find(there.begin(), there.end(), named.test.call.op) == there.end() ||
         !checker.is(named.test.call.product);
}

void FileRun::run() {
  for (std::size_t i = 0; i < files_.size() && !campaign::interrupted() && !had_enough(); ++i)
    run(i);
}

void FileRun::run(std::size_t file) {
  const auto& [path, cases] = files_[file];
  report_.files.emplace_back().file = path;
  const auto start = std::chrono::steady_clock::now();
  const auto shards = static_cast<std::size_t>(settings_.shard.count);
  for (std::size_t i = 0; i < cases.size(); ++i, ++next_) {
    if (campaign::interrupted() || had_enough()) break;
    const std::size_t part = parts_before_ + i / CaseFile::kTogether;
    if (part % shards != static_cast<std::size_t>(settings_.shard.index - 1)) continue;
    progress_.show(path + ": case " + std::to_string(i + 1) + " of " +
                   std::to_string(cases.size()));
    report::FileCount& row = report_.files.back();
    if (skipped(cases[i])) {
      ++row.skipped;
      continue;
    }
    const Outcome outcome = run_case(cases[i], file);
    if (outcome == Outcome::stopped) break;
    ++(outcome == Outcome::not_checked ? row.skipped : row.cases);
    if (outcome == Outcome::failed) ++row.failed;
  }
  parts_before_ += files_[file].parts();
  report_.files.back().seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress_.clear();
}

report::Report FileRun::report() const {
  report::Report report = report_;
  report::Part& part = report.parts.front();
  part.cases = report.cases();
  part.failures = report.failed();
  part.seconds = 0;
  for (const report::FileCount& row : report.files) part.seconds += row.seconds;
  part.interrupted = campaign::interrupted();
  fill_in(report, untested_);
  return report;
}

/// Gives each file what was not tested of it, in the order of its cases.
void FileRun::fill_in(report::Report& report, std::vector<Untested> untested) {
  std::sort(untested.begin(), untested.end(),
            [](const Untested& a, const Untested& b) { return a.number < b.number; });
  for (report::FileCount& row : report.files) row.untested.clear();
  for (Untested& one : untested) report.files[one.file].untested.push_back(std::move(one.text));
}

nlohmann::json FileRun::told() const {
  nlohmann::json untested = nlohmann::json::array();
  for (const Untested& one : untested_) untested.push_back({one.file, one.number, one.text});
  return {{"report", report::to_json(report())}, {"untested", untested}};
}

report::Report FileRun::joined(const std::vector<nlohmann::json>& all_told) {
  std::vector<report::NamedReport> reports;
  std::vector<report::Failure> failures;
  std::vector<report::FileCount> files;
  std::vector<Untested> untested;
  for (std::size_t i = 0; i < all_told.size(); ++i) {
    if (all_told[i].is_null()) continue;
    const std::string name = "job " + std::to_string(i + 1);
    report::Report one = report::from_json(all_told[i]["report"], name);
    failures.insert(failures.end(), one.failures.begin(), one.failures.end());
    one.failures.clear();
    // A job that was stopped has no rows of the last files.
    if (one.files.size() > files.size()) files.resize(one.files.size());
    for (std::size_t k = 0; k < one.files.size(); ++k) {
      const report::FileCount& from = one.files[k];
      report::FileCount& to = files[k];
      to.file = from.file;
      to.cases += from.cases;
      to.failed += from.failed;
      to.skipped += from.skipped;
      to.worst = std::max(to.worst, from.worst);
      to.seconds = std::max(to.seconds, from.seconds);
    }
    for (const nlohmann::json& line : all_told[i]["untested"])
      untested.push_back({line.at(0), line.at(1), line.at(2)});
    reports.push_back({name, std::move(one)});
  }
  if (reports.size() < all_told.size()) throw props::HostError("not all jobs finished");
  report::Report all = report::as_one_part(report::merge(reports, true), 1, 1);
  all.files = std::move(files);
  fill_in(all, std::move(untested));
  std::stable_sort(
      failures.begin(), failures.end(),
      [](const report::Failure& a, const report::Failure& b) { return a.number < b.number; });
  for (std::size_t i = kPictures; i < failures.size(); ++i) failures[i].picture.clear();
  all.failures = std::move(failures);
  return all;
}

FileRun::Outcome FileRun::run_case(const props::NamedCase& named, std::size_t file) {
  campaign::Checker& checker = checker_for(named.shown);
  std::vector<props::Check> checks;
  const std::vector<const props::Property*> properties = properties_of(named);
  for (const props::Property* property : properties) {
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
      checked = checked || props::performs(*checks[i].property, properties);
      recorder_.checked(named.test,
                        campaign::check_of(*checks[i].property, answer.verdict, answer.seconds));
    } else {
      why = answer.verdict.finding;
      recorder_.not_checked(named.test, checks[i].property->name, answer.verdict.finding);
    }
    double& worst = report_.files[file].worst;
    worst = std::max(worst,
                     std::min(answer.verdict.worst_fraction, report::Distribution::kLargestShown));
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
      untested_.push_back({file, next_, named.where + ": " + named.shown.property + ": " + why});
    return Outcome::not_checked;
  }
  recorder_.saw(named.test);
  return report_.failures.size() == before ? Outcome::passed : Outcome::failed;
}

void FileRun::violated(const props::NamedCase& named, campaign::Failure failure) {
  std::string seen;
  if (report_.failures.size() < kPictures)
    seen = campaign::picture(checker_for(named.shown), failure);
  report_.failures.push_back(campaign::summary(failure, as_shown(settings_, named.shown)));
  report_.failures.back().picture = std::move(seen);
  report_.failures.back().where = named.where;
  report_.failures.back().number = next_;
  ++tally_.findings;
  progress_.clear();
  settings_.announce(report_.failures.back());
}

}  // namespace gradproof::cli
