// Tries a failing case with profile entries, and says what helped.
#include "props/campaign/hints.h"

#include "props/profiles/value_entries.h"
#include "props/report/report.h"

namespace gradproof::campaign {

Explanations explaining_entries(Checker& checker, const Failure& found) {
  const bool wrong_values = report::severity(found.verdict.kind) == report::kWrongResult &&
                            found.property->runs && found.test.sequence.empty();
  if (!wrong_values || checker.attempt(*found.property, found.test).held) return {};
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

std::vector<std::string> hints(const Causes::Cause& cause) {
  std::vector<std::string> all;
  if (!cause.entries.empty()) all.push_back(hint_of(cause.entries));
  return all;
}

}  // namespace gradproof::campaign
