// Threads: how the work is divided must not show in the result.
#include "props/cases/data/data.h"
#include "props/cases/describe/size.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {
namespace {

/// Runs: a race shows in some only, one in six perhaps. Of calls too small to be divided among
/// threads one is enough; the larger a call, the dearer a run. Two threads meet most often.
constexpr int kRunsOfTwo = 12, kRuns = 6;
constexpr std::int64_t kDivided = 1 << 15, kLarge = 1 << 18;  // elements of the largest tensor

int runs(const Case& c, int threads) {
  const std::int64_t elements = largest_tensor(c);
  if (elements < kDivided) return 1;
  return threads == 2 && elements < kLarge ? kRunsOfTwo : kRuns;
}

}  // namespace

bool threads_apply(const Case& c) { return has_result(c); }

Verdict check_threads(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  const int threads_before = bench.session.threads();
  Verdict verdict;
  bench.session.select(c.call.product, 1);
  const Outcome alone = bench.session.perform(c, data);
  for (int threads = 2; threads <= 3 && verdict.held; ++threads) {
    bench.session.select(c.call.product, threads);
    for (int run = 0; run < runs(c, threads) && verdict.held; ++run)
      verdict = same_bits(c, alone, bench.session.perform(c, data),
                          "between 1 thread and " + std::to_string(threads), bench.use,
                          profiles::Dependence::threads);
  }
  bench.session.select(c.call.product, threads_before);
  return verdict;
}

}  // namespace gradproof::props
