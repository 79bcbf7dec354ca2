// Early destruction: an executor needs neither tensors nor arrays once phase 1 has returned.
#include "props/cases/data/data.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {

bool early_destruction_applies(const Case& c) { return has_result(c); }

Verdict check_early_destruction(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  const Outcome usual = bench.session.perform(c, data);
  const Outcome early = bench.session.perform(c, data, {.early_destruction = true});
  // What fails only then is the finding; what fails always is another property's.
  if (usual.ran && early.phase2 != usual.phase2)
    return Verdict::violated("early destruction",
                             "phase 2 returned " + std::to_string(early.phase2) + " instead of " +
                                 std::to_string(usual.phase2) +
                                 " after tensors and arrays were destroyed");
  return same_bits(c, usual, early, "with tensors and arrays destroyed after phase 1", bench.use);
}

}  // namespace gradproof::props
