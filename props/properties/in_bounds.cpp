// In bounds: a call accesses nothing beside its tensors and its workspace.
#include "props/cases/data/data.h"
#include "props/properties/property.h"

namespace gradproof::props {

bool in_bounds_applies(const Case& c) { return has_result(c); }

// An access beside them ends the worker process: the finding is that crash.
Verdict check_in_bounds(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  const auto judged = [&](Fence fence) {
    return judge_outcome(c, data, bench.session.perform(c, data, {.fence = fence}), bench.use);
  };
  Verdict verdict;
  for (const Fence fence : {Fence::behind, Fence::before}) {
    verdict = judged(fence);
    if (verdict.held) continue;
    // What fails without pages too is another property's finding.
    if (!judged(Fence::none).held) return {};
    verdict.finding += "\n  in this run" + std::string(words(fence));
    break;
  }
  return verdict;
}

}  // namespace gradproof::props
