// Threads: how the work is divided must not show in the result.
#include "props/cases/data/data.h"
#include "props/cases/describe/size.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {
namespace {

/// Runs with each number of threads: a race shows in some runs only. Of calls too small to be
/// divided among threads one is enough.
constexpr int kRunsOfLarge = 6;
constexpr std::int64_t kLarge = 1 << 15;  // elements of the largest tensor

int runs(const Case& c) { return largest_tensor(c) >= kLarge ? kRunsOfLarge : 1; }

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
    for (int run = 0; run < runs(c) && verdict.held; ++run)
      verdict = same_bits(c, alone, bench.session.perform(c, data),
                          "between 1 thread and " + std::to_string(threads), bench.use,
                          profiles::Dependence::threads);
  }
  bench.session.select(c.call.product, threads_before);
  return verdict;
}

}  // namespace gradproof::props
