// A campaign: operators, and within them kinds of work, take turns until a number of cases or a
// time is reached.
#pragma once

#include <map>
#include <memory>

#include "props/campaign/allowances.h"
#include "props/campaign/checker.h"
#include "props/campaign/findings.h"
#include "props/campaign/kept.h"
#include "props/campaign/progress.h"
#include "props/campaign/tell_found.h"
#include "props/campaign/work.h"
#include "props/report/record.h"

namespace gradproof::campaign {

class Campaign {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the library and finds out which operators it has and which products it can be.
  explicit Campaign(Settings settings);
  /// Throws bad_alloc if memory runs out, and HostError if threads or disk do; the report then has
  /// all but the checks under way.
  void run();

  /// Complete after run().
  const report::Report& report() const { return report_; }
  /// Whether there were as many findings, of all jobs, as the settings allow.
  bool had_enough() const {
    return settings_.max_failures > 0 && tally_.findings >= settings_.max_failures;
  }
  /// Checks or cases skipped after repeated crashes or hangs in similar ones.
  std::uint64_t given_up() const { return given_up_; }
  /// Of the report's failures.
  const Causes& causes() const { return findings_.causes(); }
  /// How many findings were told while it ran, and the files that were saved: findings that have
  /// one cause after all are joined later.
  std::uint64_t told_findings() const { return told_findings_; }
  const std::set<std::string>& saved() const { return findings_.saved(); }
  /// When something was violated first.
  double seconds_to_failure() const { return findings_.seconds_to_failure(); }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  /// The operator that a check of the property on this one would call too, and that is not there.
  std::optional<ref::Operator> missing_operator(const props::Property& property,
                                                ref::Operator op) const;
  /// Why an operator has no case.
  std::string obstacle() const;
  /// The same without the time of properties of the library, which belongs to no operator.
  double elapsed_on_operators() const { return elapsed() - about_library_; }
  bool over() const;
  /// That the library cannot be started says more than any case.
  void take_refusals();
  /// What earlier runs found comes first.
  void replay();
  void take_turns();
  bool swept() const;
  void close(bool interrupted, bool swept);

  /// A turn in a campaign by time: some work of the kind that has had least.
  void take_kind(Work& work);
  /// A turn in a campaign by cases: one case, and what its number brings along.
  void take_case(Work& work);
  /// False if the user wants to stop.
  bool take_step(Work& work);
  void take_boundary(Work& work);
  /// What was checked of a boundary case.
  struct Seen {
    bool any = false, status = false;
  };
  /// @param run  whether by the properties that call phase 2, or by the others
  void check_boundary(Work& work, std::span<const BoundaryCase> batch, bool run,
                      std::span<Seen> seen);
  void take_sequence(Work& work, std::uint64_t s);
  /// Small cases, whose kernels are compared with each other.
  void take_small(Work& work, std::uint64_t s);
  void take_kernel_uses();

  /// Case j of an operator, as cases are numbered through the campaign.
  std::uint64_t number(const Work& work, std::uint64_t j) const;
  bool due(const Work& work, const props::Property& property, std::uint64_t j) const;
  /// Every property that is due. False if the user wants to stop before the last one. `why_not`
  /// becomes empty if any of them was checked, else it says why the first one was not.
  bool check_all(Work& work, const props::Case& c, std::uint64_t j, std::string& why_not,
                 bool every_set = false);
  /// Whether the property was checked.
  bool judge(const props::Check& check, props::Answer answer, std::uint64_t number,
             const Findings::Ask& origin);
  /// Adds to the tally what was done since the last time.
  void tell();
  std::string progress_line() const;

  const Settings settings_;
  Clock::time_point start_ = Clock::now();
  std::vector<const props::Property*> properties_;
  Checker checker_;
  std::vector<ref::Product> products_;
  std::vector<ref::Operator> operators_;
  const props::Property* life_cycle_ = nullptr;  ///< null if it was not asked for
  const props::Property* kernels_ = nullptr;     ///< likewise
  std::vector<std::unique_ptr<Work>> work_;      ///< operators that the library's products have
  PropertyTime property_time_;                   ///< of all operators
  double about_library_ = 0;                     ///< seconds of properties that are of_library
  report::Report report_;
  report::Recorder recorder_{report_};
  Allowances allowances_;
  Database database_{settings_.database, settings_.subject};
  Findings findings_{settings_,
                     properties_,
                     checker_,
                     report_,
                     database_,
                     [this] { return elapsed(); },
                     [this] {
                       if (tell_found(report_.failures.back(), settings_, tally_, progress_))
                         ++told_findings_;
                     }};
  std::uint64_t told_findings_ = 0;
  Tally own_tally_;
  Tally& tally_ = settings_.tally != nullptr ? *settings_.tally : own_tally_;
  Progress progress_{settings_.progress, settings_.silent};
  props::KernelUses kernel_uses_;
  std::uint64_t steps_ = 0;  ///< cases taken from the schedules
  std::uint64_t told_steps_ = 0, told_cases_ = 0, told_boundary_cases_ = 0;
  std::uint64_t given_up_ = 0;
};

}  // namespace gradproof::campaign
