// Renews the process, and tries the case.
#include "props/campaign/new_process.h"

namespace gradproof::campaign {

bool ends_process(const Failure& found) {
  return props::is_loss(found.verdict) && found.verdict.kind != "hang";
}

bool passes_alone(Checker& checker, const Failure& found) {
  if (found.verdict.kind == "hang" || found.property->of_library) return false;
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    checker.renew();
    if (!checker.attempt(*found.property, found.test).held) return false;
  }
  return true;
}

props::Verdict repeat(Checker& checker, Failure& found) {
  checker.renew();
  props::Verdict verdict = checker.attempt(*found.property, found.test);
  if (verdict.kind == found.verdict.kind) found.verdict = verdict;
  return verdict;
}

Failure alone(Checker& checker, Failure found) {
  if (found.verdict.kind == "hang" || found.property->of_library) return found;
  const props::Verdict verdict = repeat(checker, found);
  found.passes_alone = verdict.held;
  if (verdict.held)
    found.verdict.finding +=
        "\n  does not fail in a new process: an earlier call, or chance, may be the cause";
  else if (verdict.kind != found.verdict.kind)
    found.verdict.finding += "\n  fails in another way in a new process";
  return found;
}

}  // namespace gradproof::campaign
