// Counts what a campaign covers, for its report.
#pragma once

#include <set>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/mutate/contract.h"
#include "props/cases/mutate/mutations.h"
#include "props/report/report.h"
#include "props/subject/kernels.h"

namespace gradproof::report {

/// Result of one check: a property on a case.
struct Check {
  std::string_view property;
  bool held = true;
  std::string_view kind;  ///< kind of finding, if it failed
  double worst = 0;       ///< largest error as a fraction of its bound
  bool judges_values = false;
  double seconds = 0;
};

class Recorder {
 public:
  explicit Recorder(Report& report) : report_(report) {}

  /// Registers everything that a campaign over the operator has to cover on these products.
  void expect(ref::Operator op, const std::vector<ref::Product>& products);
  /// After expect(): removes case classes, coverage points and boundary sides by their names.
  void leave_out(ref::Operator op, const std::set<std::string>& names);
  /// After expect(): removes the refusals of a rule that the library does not promise.
  void leave_out_refusals(ref::Operator op, const std::vector<ref::Product>& products,
                          std::string_view rule);
  /// After expect(): removes what a kit is responsible for: boundary sides, misuse, and cases that
  /// no kernel computes.
  void leave_out_validation(ref::Operator op);
  /// Nothing of the operator can be checked in this run, and why.
  void no_case(ref::Operator op, const std::string& why);
  /// The property cannot be checked in this run, and why.
  void no_check(ref::Operator op, std::string_view property, const std::string& why);
  /// Counts a case of a file, and what it covers.
  void saw(const props::Case& c);
  void saw_valid(const props::Case& c, const props::CoveragePoint& point);
  /// Of a case that was drawn, no check was made, and why.
  void left_out(ref::Operator op, const std::string& why);
  /// The kernel said that it does not support a case of the point.
  void declined(ref::Operator op, const props::CoveragePoint& point);
  void saw_misuse(const props::Case& c);
  /// The case's misuse is impossible, such as a null workspace where none is needed: it is no
  /// longer expected, unless another case allows it.
  void no_misuse(const props::Case& c);
  /// The library's kernels for the operator.
  void expect_kernels(ref::Operator op, const std::vector<std::string>& kernels);
  void saw_kernels(const props::KernelUses& uses);
  /// Transitions that sequences over the operator's calls have to cover, and have covered.
  void expect_transitions(ref::Operator op, const std::vector<std::string>& required);
  void saw_transitions(ref::Operator op, const std::vector<std::string>& seen);
  /// @param judged  whether its status was checked: only then its boundary side counts as covered
  void saw_boundary_case(const props::Mutation& mutation, bool judged);
  /// A call that breaks two rules; the status must be that of the first.
  void saw_pair(const props::Case& c, const std::string& first, const std::string& second,
                bool judged);
  void checked(const props::Case& c, const Check& check);
  /// Nothing could be compared, and why.
  void not_checked(const props::Case& c, std::string_view property, const std::string& why);

 private:
  OperatorReport& of(const props::Case& c) { return report_.operators[c.call.op]; }

  Report& report_;
};

/// "Ascend910B FLOAT16 rank 5 NCDHW".
std::string point_name(const props::CoveragePoint& point);

/// Path, size and fingerprint of a library's file. Size 0 if it cannot be read, such as a name
/// without a slash, which the loader looks up.
LibraryFile describe_library(const std::string& path);
/// A part that starts now.
Part begin_part(int shard);

}  // namespace gradproof::report
