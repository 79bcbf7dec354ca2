// Compares what a library did with what the reference says, element by element.
#pragma once

#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/subject/session.h"
#include "ref/bound.h"
#include "ref/rules.h"

namespace gradproof::props {

struct Verdict {
  bool held = true;
  std::string finding;        ///< what is wrong, in one or a few lines; empty if held
  double worst_fraction = 0;  ///< largest error as a fraction of its bound over all elements

  static Verdict violated(std::string finding) { return {false, std::move(finding), 0}; }
};

/// Phase 1 against the rule table: status; outputs left alone on failure; non-null executor on
/// success; a message that names operator, rule and argument.
Verdict judge_phase1(const ref::Call& call, const Phase1& got);

/// A whole call: phase 1, phase 2 and synchronisation statuses (bad indices, misuse), trespasses,
/// and every output element against exact value and bound.
Verdict judge_outcome(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                      ref::Accuracy accuracy = ref::Accuracy::contract);

}  // namespace gradproof::props
