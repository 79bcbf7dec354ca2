// Compares what a library did with what the reference says, element by element.
#pragma once

#include <cstdint>
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
  /// Sort of finding ("status kernel-value", "values", "trespass", …), to tell failures apart.
  std::string kind;

  static Verdict violated(std::string kind, std::string finding) {
    return {false, std::move(finding), 0, std::move(kind)};
  }
};

/// Phase 1 against the rule table: status; outputs left alone on failure; on success a workspace
/// size and an executor.
Verdict judge_phase1(const ref::Call& call, const Phase1& got);

/// What a message has to say about the argument. Of several that break the rule any may be named.
enum class Naming : std::uint8_t { the_argument, any_argument };

/// The message of a refused phase 1: names the operator, the rule and the argument.
Verdict judge_message(const ref::Call& call, const Phase1& got,
                      Naming naming = Naming::the_argument);

/// A whole call: phase 1, phase 2 and synchronisation statuses (bad indices, misuse), trespasses,
/// repeats, and every output element against exact value and bound.
Verdict judge_outcome(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                      ref::Accuracy accuracy = ref::Accuracy::contract);

/// What phase 2 must answer to a misuse (docs/contract.md); 0 for none.
std::int32_t misuse_status(Misuse misuse);

}  // namespace gradproof::props
