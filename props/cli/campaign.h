// A campaign: steps of a schedule checked until a number of cases or a time is reached.
#pragma once

#include <map>
#include <tuple>

#include "props/cli/checker.h"
#include "props/cli/coverage.h"
#include "props/cli/schedule.h"

namespace gradproof::cli {

/// Failures of one kind: the same operator, property and sort of finding.
struct FailureGroup {
  Failure first;  ///< made small
  std::uint64_t count = 0;
};

class Campaign {
 public:
  using Key = std::tuple<ref::Operator, std::string_view, std::string>;
  using Clock = std::chrono::steady_clock;

  /// Finds out which products the library can be.
  Campaign(const props::Library& library, const Options& options);
  void run();

  const Coverage& coverage() const { return coverage_; }
  const std::map<Key, FailureGroup>& failures() const { return failures_; }
  const std::vector<ref::Product>& products() const { return products_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  std::vector<ref::Product> available();
  bool over() const;
  void take(std::uint64_t k);
  void check_all(const props::Case& c, std::uint64_t k);
  void report(const props::Property& property, const props::Case& c, props::Verdict verdict);
  std::string progress_line(std::uint64_t k) const;

  const Options& options_;
  Clock::time_point start_ = Clock::now();
  std::vector<const props::Property*> properties_;
  std::vector<ref::Operator> operators_;
  Checker checker_;
  std::vector<ref::Product> products_;
  Schedule schedule_;
  Coverage coverage_;
  std::map<Key, FailureGroup> failures_;
};

}  // namespace gradproof::cli
