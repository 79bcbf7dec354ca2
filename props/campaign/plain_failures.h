// A failure as the plainest check sees it: wrong values of a call, on plain data.
#pragma once

#include <vector>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"

namespace gradproof::campaign {

class PlainFailures {
 public:
  /// @param properties  that the campaign checks
  PlainFailures(Checker& checker, const Settings& settings,
                const std::vector<const props::Property*>& properties)
      : checker_(checker), known_(settings.known), properties_(properties) {}

  /// The failure as equivalence sees it on plain data: that of a relation between calls, if the
  /// case or another call that was made fails there, too, since a wrong value says more than two
  /// values that do not fit together; and wrong values of special data, if plain data are wrong,
  /// too.
  Failure of(Failure found);

 private:
  Failure with_plain_data(Failure found);
  /// The calls of the case's operator that the check made on its own, each once, as cases.
  std::vector<props::Case> other_calls(const Failure& found);
  /// Whether the list of known findings has that one.
  bool is_known(const props::Property& property, const props::Case& c,
                const props::Verdict& verdict) const {
    return known_.find(verdict.kind, property.name, c) != nullptr;
  }

  Checker& checker_;
  const profiles::KnownList& known_;
  const std::vector<const props::Property*>& properties_;
};

}  // namespace gradproof::campaign
