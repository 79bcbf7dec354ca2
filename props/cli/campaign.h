// A campaign: steps of a schedule checked until a number of cases or a time is reached.
#pragma once

#include <functional>
#include <map>
#include <tuple>

#include "props/cli/checker.h"
#include "props/cli/progress.h"
#include "props/cli/schedule.h"
#include "props/cli/shrink_time.h"
#include "props/report/record.h"
#include "props/sequences/model.h"

namespace gradproof::cli {

class Campaign {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the library and finds out which operators it has and which products it can be.
  explicit Campaign(const Options& options);
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
  /// The campaign itself. Whether the whole contract was walked.
  bool walk();
  void close(bool interrupted, bool swept);
  void take(std::uint64_t k);
  /// An attacked case, and what it was made by.
  struct Attacked {
    const props::Case* test;
    const props::Attack* first;
    const props::Attack* second = nullptr;
  };
  /// Attacked calls, by the properties that ask for no result. False if time ran out.
  bool check_statuses(const props::Case& valid, const std::vector<Attacked>& cases,
                      std::uint64_t k);
  void attack_in_pairs(const props::Case& valid, const std::vector<props::Attack>& attacks,
                       std::uint64_t k);
  /// What chance left out of the sweep. False if time ran out.
  bool complete_contract(std::uint64_t k);
  /// Sequences through all transitions of the life-cycle model. False if time ran out.
  bool sweep_sequences(Progress& progress, std::uint64_t done);
  void check_sequence(const props::Case& c, const props::World& world, std::uint64_t k);
  /// Every property that is due. False if the user wants to stop before the last one.
  bool check_all(const props::Case& c, std::uint64_t k);
  void check_attacks(const props::Case& valid, std::uint64_t k);
  /// `origin` says where the case comes from, if it was attacked.
  using Ask = std::function<std::optional<Origin>()>;
  void judge(const props::Check& check, props::Answer answer, std::uint64_t k, const Ask& origin);
  void violated(Failure found, std::uint64_t k, const Ask& origin);
  std::string progress_line(std::uint64_t k) const;

  const Options& options_;
  Clock::time_point start_ = Clock::now();
  std::vector<const props::Property*> properties_;
  Checker checker_;
  std::vector<ref::Operator> operators_;
  std::vector<ref::Product> products_;
  const props::Property* life_cycle_ = nullptr;  ///< null if it was not asked for
  Schedule schedule_;
  report::Report report_;
  report::Recorder recorder_{report_};
  /// By operator, property and sort of finding: where in report_.failures it stands.
  std::map<std::tuple<ref::Operator, std::string_view, std::string>, std::size_t> kinds_;
  ShrinkTime shrink_time_{options_};
  std::uint64_t given_up_ = 0;
  double seconds_to_failure_ = 0;
};

}  // namespace gradproof::cli
