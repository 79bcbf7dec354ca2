// The findings of a campaign: failing checks sorted by cause, the first case of each shrunk.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "props/campaign/causes.h"
#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/kept.h"
#include "props/campaign/plain_failures.h"
#include "props/campaign/shrink.h"
#include "props/campaign/shrink_time.h"

namespace gradproof::campaign {

class Findings {
 public:
  /// Seconds since the campaign's begin.
  using Elapsed = std::function<double()>;
  /// Returns the origin of an edited case.
  using Ask = std::function<std::optional<Origin>()>;
  /// Of a case that is no edited one.
  static std::optional<Origin> no_origin() { return std::nullopt; }
  /// Is called when the report has a new finding as its last one, shrunk.
  using Found = std::function<void()>;

  /// Writes findings into the report and the database.
  Findings(
      const Settings& settings, const std::vector<const props::Property*>& properties,
      Checker& checker, report::Report& report, Database& database, Elapsed elapsed,
      Found found = [] {})
      : settings_(settings),
        checker_(checker),
        plain_failures_(checker, settings, properties),
        report_(report),
        database_(database),
        elapsed_(std::move(elapsed)),
        found_(std::move(found)) {}

  /// A check that held or failed.
  void saw(const props::Check& check, const props::Verdict& verdict);
  /// A check that failed, of the case with that number. If that throws, the report has it, too.
  void add(const Failure& found, std::uint64_t number, const Ask& origin);
  /// Whether the library has been lost over cases like that often enough: each loss costs a
  /// process, so most of such cases are left out.
  bool is_lost_again(const props::Case& c);
  /// At the end of the campaign: joins causes that turned out to be one, unless other jobs have
  /// findings too.
  /// @param search  whether to look for causes that were missed: the library can still be asked
  void settle(bool search = true);
  const Causes& causes() const { return causes_; }

  /// The names of the files that were written for the user.
  const std::set<std::string>& saved() const { return saved_; }

  /// Seconds until the first failure.
  double seconds_to_failure() const { return seconds_to_failure_; }

 private:
  /// What add() does.
  void find_cause(const Failure& found, std::uint64_t number, const Ask& origin);
  /// The report's last finding, as it was met: it stays if the campaign ends before it is shrunk.
  void write_down(const Failure& found, std::uint64_t number);

  struct Sorted {
    std::optional<std::size_t> cause;
    bool by_other_call = false;  ///< the cause is that of another call, which the check made
  };
  /// Shrinks the failure and returns its cause, for which the report then has a finding. Returns
  /// nothing if there is no time left and a cause of the same sort exists.
  /// @param apart what the cause must need, and the shrunk case have (Causes::apart)
  Sorted sort(const Failure& first, const props::Features& of_case, std::uint64_t number,
              const Ask& origin, const props::Features& apart);
  /// A failure after it was made plain and shrunk, and its cause if there is one already.
  struct Reduced {
    Failure found;
    props::Features features{};  ///< of the case that was found, or of another call
    bool by_other_call = false;
    std::optional<std::size_t> cause{};
    Deadline details = details_from_now();  ///< after the search
  };
  Reduced reduce(const Failure& first, const props::Features& of_case,
                 std::chrono::milliseconds limit, const Ask& origin, const props::Features& apart);
  /// None of a case without a sequence.
  std::set<ref::Operator> operators_of_sequence(const props::Case& c) const;
  void make_small(Reduced& of, std::chrono::milliseconds limit, const Ask& origin,
                  const props::Features& apart);
  /// Completes the report's last finding, and keeps it in files.
  void write_up(Reduced& of, bool shrunk);
  /// Counts the failing check for the cause.
  void joins(std::size_t cause, const Failure& found, const props::Features& features);
  /// Of failures of the property of that kind: the cause of the other calls, after enough of them
  /// had it.
  std::optional<std::size_t> usual_cause(const Failure& found);
  void keep_in_files(const Failure& found);
  void find_missed();

  const Settings& settings_;
  Checker& checker_;
  PlainFailures plain_failures_;
  report::Report& report_;
  Database& database_;
  const Elapsed elapsed_;
  const Found found_;
  Causes causes_{[this](const props::Property& property, const props::Case& c) {
    return checker_.attempt(property, c);
  }};  ///< of report_.failures, one each
  ShrinkTime shrink_time_{settings_};
  using Relation = std::tuple<ref::Operator, std::string_view, std::string, props::Fill::Kind>;
  /// Operator, property, kind and look of the failure, and its data.
  static Relation relation(const Failure& found);
  struct OfOtherCalls {
    std::size_t cause = 0;
    int failures = 0;  ///< in a row with that cause
    int taken = 0;     ///< that were counted for it since, or tried
  };
  std::map<Relation, OfOtherCalls> of_other_calls_;
  std::set<std::string> saved_;
  double seconds_to_failure_ = 0;
  std::uint64_t lost_again_ = 0;  ///< cases that is_lost_again was asked about in vain
};

}  // namespace gradproof::campaign
