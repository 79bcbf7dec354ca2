// Threads: how the work is divided must not show in the result.
#include "props/cases/data.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {

bool threads_apply(const Case& c) { return has_result(c); }

Verdict check_threads(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  const int threads_before = bench.session.threads();
  Verdict verdict;
  bench.session.select(c.call.product, 1);
  const Outcome alone = bench.session.perform(c, data);
  for (int threads = 2; threads <= 3 && verdict.held; ++threads) {
    bench.session.select(c.call.product, threads);
    verdict = same_bits(c, alone, bench.session.perform(c, data),
                        "between 1 thread and " + std::to_string(threads), bench.use,
                        profiles::Dependence::threads);
  }
  bench.session.select(c.call.product, threads_before);
  return verdict;
}

}  // namespace gradproof::props
