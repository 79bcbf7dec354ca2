// Tries a failing case with profile entries, and says what helped.
#include "props/campaign/hints.h"

#include "props/cases/shrink/simpler.h"
#include "props/profiles/value_entries.h"
#include "props/report/report.h"

namespace gradproof::campaign {
namespace {

bool is_wrong_result(const Failure& found) {
  return report::severity(found.verdict.kind) == report::kWrongResult && found.property->runs &&
         found.test.sequence.empty();
}

}  // namespace

Explanations explaining_entries(Checker& checker, const Failure& found) {
  if (!is_wrong_result(found) || checker.attempt(*found.property, found.test).held) return {};
  Explanations explaining;
  const auto attempt = [&](const profiles::Some& entries) {
    const props::Verdict verdict = checker.attempt_with(*found.property, found.test, entries);
    if (verdict.held && verdict.checked) explaining.push_back(entries);
  };
  const profiles::Some all = profiles::that_may_explain(found.test.call);
  for (const std::uint16_t entry : all) attempt({entry});
  for (std::size_t i = 0; i < all.size() && explaining.empty(); ++i) {
    for (std::size_t j = 0; j < i && explaining.empty(); ++j) attempt({all[j], all[i]});
  }
  return explaining;
}

std::string hint_of(const Explanations& entries) {
  std::string text = "passes with the profile ";
  text += entries.front().size() > 1 ? "entries " : "entry ";
  for (const profiles::Some& some : entries) {
    if (&some != &entries.front()) text += " or ";
    for (const std::uint16_t entry : some)
      text += (entry == some.front() ? "" : " and ") +
              profiles::as_written(profiles::value_entries()[entry]);
  }
  return text + " (docs/profile-format.md)";
}

bool passes_contiguous(Checker& checker, const Failure& found) {
  if (!is_wrong_result(found)) return false;
  const std::optional<props::Case> plain = props::with_contiguous_tensors(found.test);
  if (!plain || !checker.meets(*found.property, *plain)) return false;
  const props::Verdict verdict = checker.attempt(*found.property, *plain);
  return verdict.held && verdict.checked;
}

std::vector<std::string> hints(const Causes::Cause& cause, const report::Question& question) {
  std::vector<std::string> all;
  if (cause.of_strides) {
    const bool by_kit = !question.validation.empty() && question.exec.empty();
    all.push_back(std::string("passes with contiguous tensors") +
                  (by_kit ? ": correct the strides, or add GRADPROOF_CONTIGUOUS" : ""));
  }
  if (!cause.entries.empty()) all.push_back(hint_of(cause.entries));
  return all;
}

}  // namespace gradproof::campaign
