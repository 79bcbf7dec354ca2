// Instruction sets: which vectors the sums are computed in must not show in the result.
#include "props/cases/data/data.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {

bool instruction_sets_apply(const Case& c) { return has_result(c); }

Verdict check_instruction_sets(const Case& c, Bench& bench) {
  Session& session = bench.session;
  const int threads = session.threads();
  const std::vector<ref::Dense> data = make_data(c);
  const Outcome usual = session.perform(c, data);
  Verdict verdict = Verdict::not_checked("the instruction set of the library cannot be chosen");
  for (const std::string_view set : session.instruction_sets()) {
    session.select(c.call.product, threads, set);
    verdict = same_bits(c, usual, session.perform(c, data), "with " + std::string(set), bench.use);
    if (!verdict.held || !verdict.checked) break;
  }
  session.select(c.call.product, threads);
  return verdict;
}

}  // namespace gradproof::props
