// Equivalence: what the library computes is what the reference computes, within the bound.
#include "props/cases/data.h"
#include "props/properties/property.h"

namespace gradproof::props {

bool equivalence_applies(const Case& c) { return is_plain(c); }

Verdict check_equivalence(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  Verdict verdict = judge_outcome(c, data, bench.session.perform(c, data), bench.use);
  const profiles::Entry* mask = bench.terms(c.call).mask;
  if (mask == nullptr || !verdict.checked) return verdict;
  if (verdict.held) {
    bench.use->met(*mask);
    return verdict;
  }
  bench.use->treat_masks_as_documented(true);
  const Verdict in_bits = judge_outcome(c, data, bench.session.perform(c, data), bench.use);
  bench.use->treat_masks_as_documented(false);
  if (!in_bits.held) return verdict;
  bench.use->contradicted(*mask);
  return in_bits;
}

}  // namespace gradproof::props
