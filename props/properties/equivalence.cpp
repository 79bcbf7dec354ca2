// Equivalence: what the library computes is what the reference computes, within the bound.
#include "props/cases/data.h"
#include "props/properties/property.h"

namespace gradproof::props {

bool equivalence_applies(const Case& c) { return is_plain(c); }

Verdict check_equivalence(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  return judge_outcome(c, data, bench.session.perform(c, data), bench.accuracy);
}

}  // namespace gradproof::props
