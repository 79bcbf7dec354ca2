// Renews the process, and tries the case.
#include "props/campaign/new_process.h"

#include <string>
namespace gradproof::campaign {
namespace {

/// Notes in how many runs the case fails, if not in all.
void note_chance(Checker& checker, Failure& found, Deadline deadline) {
  constexpr int kMost = 10;
  int runs = 1, fails = 1;
  for (; runs < kMost && !is_over(deadline); ++runs) {
    const props::Verdict verdict = checker.attempt(*found.property, found.test);
    if (!verdict.checked) return;
    fails += verdict.held ? 0 : 1;
  }
  if (fails == runs) return;
  found.chance = "fails in " + std::to_string(fails) + " of " + std::to_string(runs) +
                 " runs: chance, such as threads that race, or an effect of earlier runs";
}

}  // namespace

bool ends_process(const Failure& found) {
  return props::is_loss(found.verdict) && found.verdict.kind != "hang";
}

bool passes_alone(Checker& checker, const Failure& found) {
  if (found.verdict.kind == "hang" || found.property->of_library) return false;
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    checker.renew();
    const props::Verdict verdict = checker.attempt(*found.property, found.test);
    if (!verdict.held || !verdict.checked) return false;
  }
  return true;
}

props::Verdict repeat(Checker& checker, Failure& found) {
  checker.renew();
  props::Verdict verdict = checker.attempt(*found.property, found.test);
  if (verdict.kind == found.verdict.kind) found.verdict = verdict;
  return verdict;
}

Failure alone(Checker& checker, Failure found, Deadline deadline) {
  if (found.verdict.kind == "hang" || found.property->of_library) return found;
  const std::string kind = found.verdict.kind;
  const props::Verdict verdict = repeat(checker, found);
  if (!verdict.checked) return found;
  found.passes_alone = verdict.held;
  if (verdict.held)
    found.verdict.finding +=
        "\n  does not fail in a new process: an earlier call, or chance, may be the cause";
  else if (verdict.kind != found.verdict.kind)
    found.verdict.finding += "\n  fails in another way in a new process";
  else if (is_of_results(found))
    note_chance(checker, found, deadline);
  return found;
}

}  // namespace gradproof::campaign
