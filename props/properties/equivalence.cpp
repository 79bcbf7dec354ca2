// Equivalence: what the library computes is what the reference computes, within the bound.
#include "props/cases/data/data.h"
#include "props/properties/problem.h"

namespace gradproof::props {

bool equivalence_applies(const Case& c) { return is_plain(c); }

Verdict check_equivalence(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  const Outcome outcome = bench.session.perform(c, data);
  Verdict verdict = judge_outcome(c, data, outcome, bench.use);
  show_own(c, data, outcome, bench);
  const profiles::Terms terms = bench.terms(c.call);
  if ((terms.mask == nullptr && terms.mask_view == nullptr) || !verdict.checked) return verdict;
  const auto note = [&](void (profiles::Use::*how)(const profiles::Entry&)) {
    for (const profiles::Entry* entry : {terms.mask, terms.mask_view})
      if (entry != nullptr) (bench.use->*how)(*entry);
  };
  if (verdict.held) {
    note(&profiles::Use::met);
    return verdict;
  }
  bench.use->treat_masks_as_documented(true);
  const Verdict documented = judge_outcome(c, data, bench.session.perform(c, data), bench.use);
  bench.use->treat_masks_as_documented(false);
  if (!documented.held) return verdict;
  note(&profiles::Use::contradicted);
  return documented;
}

}  // namespace gradproof::props
