// Checks the cases of files, for `gradproof run`.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "props/campaign/allowances.h"
#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/progress.h"
#include "props/cases/text/case_file.h"
#include "props/report/record.h"

namespace gradproof::cli {

struct CaseFile {
  /// Cases that follow each other in one process, because the last may need those before it.
  static constexpr std::size_t kTogether = 16;

  std::string path;
  std::vector<props::NamedCase> cases;

  /// How many parts of kTogether cases, or of what is left of them, a file has.
  std::size_t parts() const { return (cases.size() + kTogether - 1) / kTogether; }
};

class FileRun {
 public:
  /// Starts the library. A shard takes every N-th part of all files. Throws InputError for a case
  /// that cannot be performed.
  FileRun(campaign::Settings settings, const std::vector<CaseFile>& files);

  /// All cases, to the end, an interrupt or the last failure that the settings allow.
  void run();
  /// Complete after run().
  report::Report report() const;

  /// What a job sends.
  nlohmann::json told() const;
  /// The report of all jobs, as one job would have made it. Null stands for a job without one.
  static report::Report joined(const std::vector<nlohmann::json>& told);

 private:
  /// A case whose line names a property that was not checked.
  struct Untested {
    std::size_t file;
    std::uint64_t number;
    std::string text;
  };
  enum class Outcome { passed, failed, not_checked, stopped };

  bool had_enough() const {
    return settings_.max_failures > 0 && tally_.findings >= settings_.max_failures;
  }
  void demand() const;
  void run(std::size_t file);
  bool skipped(const props::NamedCase& named) const;
  Outcome run_case(const props::NamedCase& named, std::size_t file);
  void violated(const props::NamedCase& named, campaign::Failure failure);
  static void fill_in(report::Report& report, std::vector<Untested> untested);

  /// The properties that options name, else the one in the case line, else the defaults.
  std::vector<const props::Property*> properties_of(const props::NamedCase& named) const;
  /// A checker with the threads and the profile of the case line: one process for each combination.
  campaign::Checker& checker_for(const props::Shown& shown) const;

  const campaign::Settings settings_;
  const std::vector<CaseFile>& files_;
  mutable std::map<std::pair<int, std::string>, std::unique_ptr<campaign::Checker>> checkers_;
  campaign::Progress progress_;
  const std::vector<const props::Property*> usual_;
  report::Report report_;
  report::Recorder recorder_{report_};
  std::optional<campaign::Allowances> allowances_;
  campaign::Tally own_tally_;
  campaign::Tally& tally_ = settings_.tally != nullptr ? *settings_.tally : own_tally_;
  std::uint64_t next_ = 0;        ///< number of the next case of all files
  std::size_t parts_before_ = 0;  ///< of the files before this one
  std::vector<Untested> untested_;
};

}  // namespace gradproof::cli
