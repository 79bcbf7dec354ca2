// Counts, while a campaign runs, what its report will say.
#pragma once

#include "props/cases/describe/coverage_points.h"
#include "props/cases/mutate/contract.h"
#include "props/cases/mutate/mutations.h"
#include "props/report/report.h"
#include "props/subject/kernels.h"

namespace gradproof::report {

/// What a check of one property on one case came to.
struct Check {
  std::string_view property;
  bool held = true;
  std::string_view kind;  ///< kind of finding, if violated
  double worst = 0;       ///< largest error as a fraction of its bound
  bool judges_values = false;
  double seconds = 0;
};

class Recorder {
 public:
  explicit Recorder(Report& report) : report_(report) {}

  /// Everything that a campaign over the operator has to cover; points of other products are no
  /// part.
  void expect(ref::Operator op, const std::vector<ref::Product>& products);
  /// After expect: no refusal by that rule has to be covered, as the library does not promise any.
  void leave_out_refusals(ref::Operator op, std::string_view rule);
  /// After expect: neither borders of rules nor misuse has to be covered, as a kit answers for
  /// both.
  void leave_out_borders(ref::Operator op);
  /// A case that nobody planned: it counts, and covers what it covers.
  void saw(const props::Case& c);
  void saw_valid(const props::Case& c, const props::CoveragePoint& point);
  void saw_misuse(const props::Case& c);
  /// That the library offers no way to the case's misuse, such as a null workspace where none is
  /// needed: it is not expected any more unless another case offers one.
  void no_misuse(const props::Case& c);
  /// The library's kernels for the operator.
  void expect_kernels(ref::Operator op, const std::vector<std::string>& kernels);
  void saw_kernels(const props::KernelUses& uses);
  /// What sequences over the operator's calls have to go through, and have gone through.
  void expect_transitions(ref::Operator op, const std::vector<std::string>& required);
  void saw_transitions(ref::Operator op, const std::vector<std::string>& seen);
  /// @param judged  whether its status was: only then is its side of the rule's boundary covered
  void saw_boundary_case(const props::Mutation& mutation, bool judged);
  /// Two rules broken in one call, of which the first must be answered.
  void saw_pair(const props::Case& c, const std::string& first, const std::string& second,
                bool judged);
  void checked(const props::Case& c, const Check& check);
  /// That there was nothing to compare, and why.
  void not_checked(const props::Case& c, std::string_view property, const std::string& why);

 private:
  OperatorReport& of(const props::Case& c) { return report_.operators[c.call.op]; }

  Report& report_;
};

/// "Ascend910B FLOAT16 rank 5 NCDHW".
std::string point_name(const props::CoveragePoint& point);

/// Path, size and fingerprint of a library's file; a name without a slash is left to the loader.
LibraryFile describe_library(const std::string& path);
/// A part that begins now.
Part begin_part(int shard);

}  // namespace gradproof::report
