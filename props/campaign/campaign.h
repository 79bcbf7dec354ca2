// A campaign: operators, and within them kinds of work, take turns until a number of cases or a
// time is reached.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "props/campaign/allowances.h"
#include "props/campaign/causes.h"
#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/kept.h"
#include "props/campaign/progress.h"
#include "props/campaign/shrink.h"
#include "props/campaign/shrink_time.h"
#include "props/campaign/work.h"
#include "props/report/record.h"

namespace gradproof::campaign {

class Campaign {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the library and finds out which operators it has and which products it can be.
  explicit Campaign(Settings settings);
  /// Throws bad_alloc if memory runs out; the report then has all but the checks under way.
  void run();

  /// Complete after run().
  const report::Report& report() const { return report_; }
  /// Checks that were left out because the library had been lost too often over the like of them.
  std::uint64_t given_up() const { return given_up_; }
  /// When something was violated first.
  double seconds_to_failure() const { return seconds_to_failure_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  bool over() const;
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

  /// Case j of an operator, as cases are numbered through the campaign.
  std::uint64_t number(const Work& work, std::uint64_t j) const;
  bool due(const Work& work, const props::Property& property, std::uint64_t j) const;
  /// Every property that is due. False if the user wants to stop before the last one. `checked`
  /// tells whether any of them was.
  bool check_all(Work& work, const props::Case& c, std::uint64_t j, bool& checked);
  /// `origin` says where the case comes from, if it was edited.
  using Ask = std::function<std::optional<Origin>()>;
  /// Whether the property was checked.
  bool judge(const props::Check& check, props::Answer answer, std::uint64_t number,
             const Ask& origin);
  void violated(Failure found, std::uint64_t number, const Ask& origin);
  /// That the failing check, of a case with these features, is another instance of the cause.
  void joins(std::size_t cause, const Failure& found, const props::Features& features);
  /// The failure that a relation between calls found, as equivalence sees it, if that fails too:
  /// a wrong value says more than two values that do not fit together.
  Failure plainer(Failure found);
  /// Joins causes that turned out to be one, orders findings and says what their cases share.
  void settle_findings();
  std::string progress_line() const;

  const Settings settings_;
  Clock::time_point start_ = Clock::now();
  std::vector<const props::Property*> properties_;
  Checker checker_;
  std::vector<ref::Operator> operators_;
  std::vector<ref::Product> products_;
  const props::Property* life_cycle_ = nullptr;  ///< null if it was not asked for
  std::vector<std::unique_ptr<Work>> work_;      ///< operators that the library's products have
  report::Report report_;
  report::Recorder recorder_{report_};
  Allowances allowances_;
  Causes causes_;  ///< of report_.failures, one each
  Database database_{settings_.database, settings_.subject.libraries};
  ShrinkTime shrink_time_{settings_};
  std::uint64_t steps_ = 0;  ///< cases taken from the schedules
  std::uint64_t given_up_ = 0;
  double seconds_to_failure_ = 0;
};

}  // namespace gradproof::campaign
