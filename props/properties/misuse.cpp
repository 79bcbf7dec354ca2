// Misuse of phase 2: the table in docs/contract.md.
#include "props/cases/data.h"
#include "props/properties/property.h"

namespace gradproof::props {

bool misuse_applies(const Case& c) {
  return c.misuse != Misuse::none && ref::expect(c.call).rule == nullptr;
}

Verdict check_misuse(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  return judge_outcome(c, data, bench.session.perform(c, data), bench.accuracy);
}

}  // namespace gradproof::props
