// gradproof run: the cases of files.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <set>

#include "props/cases/counted.h"
#include "props/cases/data.h"
#include "props/cases/input_error.h"
#include "props/cli/checker.h"
#include "props/cli/picture.h"
#include "props/cli/progress.h"
#include "props/cli/summary.h"
#include "props/report/write.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t kShown = 20;  // failures that are printed in full

class FileRun {
 public:
  explicit FileRun(const Options& options)
      : options_(options), checker_(options), progress_(options.progress) {
    const std::vector<std::string> usual = {"error-codes", "messages", "equivalence", "misuse"};
    properties_ = parse_properties(options.properties.empty() ? usual : options.properties);
    report_.question = ask(options, "run", {}, checker_.operators(), properties_);
    report_.question.files = options.words;
    report_.parts = {report::begin_part(1)};
  }

  /// Throws InputError for a case that cannot be performed.
  void demand(const std::vector<props::NamedCase>& cases);
  void run(const std::string& path, const std::vector<props::NamedCase>& cases);
  /// Complete when all files have run.
  const report::Report& report();
  std::vector<std::string> failures;  ///< as printed

 private:
  bool skipped(const props::NamedCase& named);
  /// Whether the case held; nothing if the user stopped it.
  std::optional<bool> run_case(const props::NamedCase& named, report::FileCount& row);
  void violated(const props::NamedCase& named, const Failure& failure);

  const Options& options_;
  Checker checker_;
  Progress progress_;
  std::vector<const props::Property*> properties_;
  report::Report report_;
  report::Recorder recorder_{report_};
};

void FileRun::demand(const std::vector<props::NamedCase>& cases) {
  for (const props::NamedCase& named : cases) {
    if (skipped(named)) continue;
    for (const props::Property* property : properties_) {
      if (property->runs && property->applies(named.test)) demand_runnable(named.where, named.test);
    }
  }
}

bool FileRun::skipped(const props::NamedCase& named) {
  const std::vector<ref::Operator>& there = checker_.operators();
  return std::find(there.begin(), there.end(), named.test.call.op) == there.end() ||
         !checker_.is(named.test.call.product);
}

void FileRun::run(const std::string& path, const std::vector<props::NamedCase>& cases) {
  report::FileCount& row = report_.files.emplace_back();
  row.file = path;
  const auto start = std::chrono::steady_clock::now();
  for (const props::NamedCase& named : cases) {
    if (interrupted()) break;
    progress_.show(path + ": case " + std::to_string(row.cases + 1) + " of " +
                   std::to_string(cases.size()));
    if (skipped(named)) {
      ++row.skipped;
      continue;
    }
    const std::optional<bool> held = run_case(named, row);
    if (!held) break;
    ++row.cases;
    if (!*held) ++row.failed;
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
  part.interrupted = interrupted();
  return report_;
}

std::optional<bool> FileRun::run_case(const props::NamedCase& named, report::FileCount& row) {
  std::vector<props::Check> checks;
  for (const props::Property* property : properties_) {
    if (property->applies(named.test)) checks.push_back({property, &named.test});
  }
  const std::size_t before = failures.size();
  const std::vector<props::Answer> answers = checker_.check(checks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const props::Answer& answer = answers[i];
    if (answer.given_up) {
      failures.push_back(named.where +
                         ": not checked: the library crashed or hung too often before\n");
      continue;
    }
    recorder_.checked(named.test, check_of(*checks[i].property, answer.verdict, answer.seconds));
    row.worst = std::max(row.worst, answer.verdict.worst_fraction);
    if (!answer.verdict.held) violated(named, {checks[i].property, named.test, answer.verdict});
    if (answer.printed.empty()) continue;
    const Failure noise = printed(named.test, answer.printed);
    recorder_.checked(noise.test, check_of(*noise.property, noise.verdict, 0));
    violated(named, noise);
  }
  if (failures.size() == before && answers.size() < checks.size()) return std::nullopt;
  recorder_.saw(named.test);
  return failures.size() == before;
}

void FileRun::violated(const props::NamedCase& named, const Failure& failure) {
  failures.push_back(named.where + ": " + describe(failure, options_));
  report_.failures.push_back(summary(failure, options_));
  if (failures.size() <= kShown) report_.failures.back().picture = picture(checker_, failure);
  report_.failures.back().where = named.where;
}

}  // namespace

int run_files(const Options& options) {
  catch_interrupts();
  if (!options.report.empty()) report::prepare_folder(options.report);
  // All files are read and judged before any case runs: a bad one is found at once, and no result
  // is lost over it.
  std::vector<std::vector<props::NamedCase>> files;
  for (const std::string& path : options.words) files.push_back(props::read_case_file(path));
  FileRun run(options);
  for (const std::vector<props::NamedCase>& cases : files) run.demand(cases);
  for (std::size_t i = 0; i < files.size() && !interrupted(); ++i)
    run.run(options.words[i], files[i]);
  const report::Report& report = run.report();
  const std::vector<report::FileCount>& rows = report.files;

  for (std::size_t i = 0; i < run.failures.size() && i < kShown; ++i)
    std::cout << run.failures[i] << '\n';
  if (run.failures.size() > kShown)
    std::cout << props::counted(run.failures.size() - kShown, "more failure") << " not shown\n\n";
  std::size_t width = 4;
  for (const report::FileCount& row : rows) width = std::max(width, row.file.size());
  char line[160];
  const auto print = [&](const std::string& file, const char* rest) {
    std::cout << file << std::string(width - file.size(), ' ') << rest << '\n';
  };
  print("file", "    cases  failed  skipped  worst error  seconds");
  report::FileCount sum;
  for (const report::FileCount& row : rows) {
    std::snprintf(line, sizeof line, " %8llu %7llu %8llu %12.4f %8.1f",
                  static_cast<unsigned long long>(row.cases),
                  static_cast<unsigned long long>(row.failed),
                  static_cast<unsigned long long>(row.skipped), row.worst, row.seconds);
    print(row.file, line);
    sum.cases += row.cases;
    sum.failed += row.failed;
    sum.skipped += row.skipped;
  }
  std::cout << (sum.failed == 0 ? "held: " : "VIOLATED: ") << props::counted(sum.cases, "case")
            << ", " << sum.failed << " failed";
  if (sum.skipped > 0)
    std::cout << ", " << sum.skipped << " skipped (the library lacks their operator or product)";
  std::cout << (interrupted() ? " (interrupted)\n" : "\n");
  if (!options.report.empty()) report::write_report(report, options.report);
  if (sum.failed > 0) return kViolated;
  if (sum.cases == 0 && !interrupted())
    throw props::InputError("the library has nothing that these files ask for");
  return kHeld;
}

}  // namespace gradproof::cli
