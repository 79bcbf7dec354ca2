// Every call of the small scope (props/cases/generate/small_scope.h), instead of a sample.
#pragma once

#include <map>
#include <vector>

#include "props/campaign/allowances.h"
#include "props/campaign/checker.h"
#include "props/campaign/findings.h"
#include "props/campaign/kept.h"
#include "props/campaign/progress.h"
#include "props/cases/generate/small_scope.h"
#include "props/report/record.h"

namespace gradproof::campaign {

class Exhaustion {
 public:
  /// Starts the library. A shard takes every N-th batch of calls.
  /// @param at_most  the largest extent and parameter; 0: the whole scope
  Exhaustion(Settings settings, std::int64_t at_most);

  /// All operators, to the end, an interrupt or the last finding that the settings allow.
  void run();

  /// Complete after run(). An operator's cases are valid calls, its boundary cases refused ones.
  const report::Report& report() const { return report_; }
  const Causes& causes() const { return findings_.causes(); }
  std::uint64_t given_up() const { return given_up_; }
  /// As of a campaign.
  std::uint64_t told_findings() const { return told_findings_; }
  /// Axis configurations that were checked, by operator; none of an operator that the library has
  /// on none of the products.
  const std::map<ref::Operator, std::uint64_t>& configurations() const { return configurations_; }

 private:
  bool over() const { return interrupted() || had_enough(); }
  bool had_enough() const {
    return settings_.max_failures > 0 && tally_.findings >= settings_.max_failures;
  }
  void run(ref::Operator op);
  void close(bool interrupted);
  bool is_selected(const props::ScopeCall& call) const;
  /// Returns false to stop.
  bool take(const props::ScopeCall& call);
  /// Checks the calls in batch_. Returns false to stop.
  bool flush();
  void judge(const props::Check& check, props::Answer answer, std::uint64_t number);
  bool select_product_of(ref::Operator op, ref::Product& product);
  std::string progress_line(ref::Operator op) const;

  const Settings settings_;
  const std::int64_t at_most_;
  const std::vector<const props::Property*> properties_;
  Checker checker_;
  report::Report report_;
  report::Recorder recorder_{report_};
  Allowances allowances_{checker_.profile(), settings_.known, checker_.operators(),
                         report_.entries};
  Database database_{"", settings_.subject};
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Findings findings_;
  Tally own_tally_;
  Tally& tally_ = settings_.tally != nullptr ? *settings_.tally : own_tally_;
  Progress progress_{settings_.progress, settings_.silent};
  std::map<ref::Operator, std::uint64_t> configurations_;
  std::vector<props::ScopeCall> batch_;
  std::uint64_t batches_ = 0;  ///< that were filled, by whichever shard they are checked
  std::uint64_t next_ = 0;     ///< number of the next call of the operator
  std::uint64_t given_up_ = 0;
  std::uint64_t told_findings_ = 0;
};

}  // namespace gradproof::campaign
