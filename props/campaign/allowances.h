// What a campaign's profile and its list of known findings say of the answers: entries are counted,
// and known findings do not fail.
#pragma once

#include "props/profiles/known.h"
#include "props/report/report.h"
#include "props/worker/examiner.h"

namespace gradproof::campaign {

class Allowances {
 public:
  /// `there` are the operators that the library has: an entry that says that an operator is absent
  /// is met if it is. What is counted goes into `entries`, which must outlive this, as the others
  /// must.
  Allowances(const profiles::Profile& profile, const profiles::KnownList& known,
             const std::vector<ref::Operator>& there, report::Entries& entries);

  /// Counts what the check met, and makes it one that passed if its finding is known: then true.
  bool apply(const props::Check& check, props::Answer& answer);

 private:
  bool silence(std::string_view kind, std::string_view property, const props::Case& c);

  /// Counts the entries that exclude a call which the kernel itself does not support.
  void stated(const props::Case& c);

  const profiles::Profile& profile_;
  const profiles::KnownList& known_;
  report::Entries& entries_;
};

/// Rules whose refusals the library does not promise: what they refuse is not tested.
std::vector<std::string> unpromised_rules(const profiles::Profile& profile);

}  // namespace gradproof::campaign
