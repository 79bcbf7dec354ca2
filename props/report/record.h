// Counts, while a campaign runs, what its report will say.
#pragma once

#include "props/cases/contract.h"
#include "props/report/report.h"

namespace gradproof::report {

/// What a check of one property on one case came to.
struct Check {
  std::string_view property;
  bool held = true;
  std::string_view kind;  ///< sort of finding, if violated
  double worst = 0;       ///< largest error as a fraction of its bound
  bool judges_values = false;
  double seconds = 0;
};

class Recorder {
 public:
  explicit Recorder(Report& report) : report_(report) {}

  /// Everything that a campaign over the operator has to cover; cells of other products are no
  /// part.
  void expect(ref::Operator op, const std::vector<ref::Product>& products);
  /// A case that nobody planned: it counts, and covers what it covers.
  void saw(const props::Case& c);
  void saw_valid(const props::Case& c, const props::Cell& cell);
  void saw_misuse(const props::Case& c);
  /// What sequences over the operator's calls have to go through, and have gone through.
  void expect_transitions(ref::Operator op, const std::vector<std::string>& required);
  void saw_transitions(ref::Operator op, const std::vector<std::string>& seen);
  void saw_attack(const props::Attack& attack);
  /// Two rules broken in one call, of which the first must be answered.
  void saw_pair(const props::Case& c, const std::string& first, const std::string& second);
  /// What of the contract no call has covered yet.
  std::vector<props::RuleCell> missing(ref::Operator op, ref::Product product) const;
  void checked(const props::Case& c, const Check& check);

 private:
  OperatorReport& of(const props::Case& c) { return report_.operators[c.call.op]; }

  Report& report_;
};

/// "Ascend910B FLOAT16 rank 5 NCDHW".
std::string cell_name(const props::Cell& cell);

/// Path, size and fingerprint of a library's file; a name without a slash is left to the loader.
LibraryFile describe_library(const std::string& path);
/// A part that begins now.
Part begin_part(int shard);

}  // namespace gradproof::report
