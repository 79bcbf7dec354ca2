// Finds the earlier call that a failure needs.
#include "props/campaign/earlier_call.h"

#include <algorithm>

#include "props/campaign/shrink.h"
#include "props/judge/compare.h"

namespace gradproof::campaign {
namespace {

/// Whether the case fails in the same way in a new process, after the earlier call.
bool fails_after(Checker& checker, Failure& found, const props::Case& earlier) {
  checker.renew();
  if (!checker.attempt(*found.property, earlier).checked) return false;
  props::Verdict verdict = checker.attempt(*found.property, found.test);
  if (verdict.held || verdict.kind != found.verdict.kind) return false;
  found.verdict = std::move(verdict);
  return true;
}

}  // namespace

Failure with_earlier_call(Checker& checker, Failure found, std::vector<props::Case> earlier,
                          std::chrono::milliseconds limit) {
  const auto begun = std::chrono::steady_clock::now();
  const auto left = [&] {
    return limit - std::chrono::duration_cast<std::chrono::milliseconds>(
                       std::chrono::steady_clock::now() - begun);
  };
  found.passes_alone = found.keeps_data = true;
  earlier.push_back(found.test);
  // The nearest first, and once more: it may have failed by chance.
  for (auto call = earlier.rbegin(); call != earlier.rend() && left().count() > 0; ++call) {
    if (!checker.meets(*found.property, *call) || !fails_after(checker, found, *call) ||
        !fails_after(checker, found, *call))
      continue;
    found.after = *call;
    found = shrink(checker, std::move(found), std::max(left(), limit / 2));
    if (props::Case same = found.test; fails_after(checker, found, same)) found.after = same;
    break;
  }
  found.verdict.look = props::kEarlierCall;
  found.verdict.finding +=
      found.after
          ? "\n  depends on an earlier call: it fails after the first case of the command, "
            "but not in a new process"
          : "\n  does not fail in a new process: an earlier call, or chance, may be the cause";
  return found;
}

}  // namespace gradproof::campaign
