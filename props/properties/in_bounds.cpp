// In bounds: a call accesses nothing beside its tensors and its workspace.
#include "props/cases/data/data.h"
#include "props/properties/property.h"

namespace gradproof::props {

bool in_bounds_applies(const Case& c) { return has_result(c); }

// An access beside them ends the worker process: the finding is that crash.
Verdict check_in_bounds(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  Verdict verdict;
  for (const Fence fence : {Fence::behind, Fence::before}) {
    const Outcome outcome = bench.session.perform(c, data, {.fence = fence});
    verdict = judge_outcome(c, data, outcome, bench.use);
    if (verdict.held) continue;
    verdict.finding += "\n  in this run" + std::string(words(fence));
    break;
  }
  return verdict;
}

}  // namespace gradproof::props
