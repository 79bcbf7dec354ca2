// Misuse of phase 2: the table in docs/contract.md.
#include "props/cases/data/data.h"
#include "props/properties/problem.h"

namespace gradproof::props {

bool misuse_applies(const Case& c) {
  return c.misuse != Misuse::none && ref::expect(c.call).rule == nullptr;
}

Verdict check_misuse(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  const Outcome outcome = bench.session.perform(c, data);
  if (outcome.phase1.failure.empty() && outcome.phase1.status == 0 && !outcome.misused)
    return Verdict::not_checked("the misuse is impossible: the call needs no workspace");
  Verdict verdict = judge_outcome(c, data, outcome, bench.use);
  show_own(c, data, outcome, bench);
  const bool messages = bench.session.library().api().recent_error != nullptr &&
                        bench.use != nullptr && bench.use->promises("messages");
  if (!verdict.held || !verdict.checked || !messages) return verdict;
  Verdict message = judge_misuse_message(c, outcome);
  return message.held ? verdict : message;
}

}  // namespace gradproof::props
