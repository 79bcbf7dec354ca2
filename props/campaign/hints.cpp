// Tries a failing case with profile entries, and says what helped.
#include "props/campaign/hints.h"

#include <set>

#include "props/cases/shapes.h"
#include "props/cases/shrink/simpler.h"
#include "props/profiles/finding_kinds.h"
#include "props/profiles/value_entries.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::campaign {
namespace {

/// Whether the case is wrong in FLOAT, too: then no sums in its own, narrower type are the reason,
/// though their bound may be wide enough for it.
bool fails_in_float(Checker& checker, const Failure& found) {
  const std::string_view type = ref::dtype_name(found.test.call.tensors.front().dtype);
  for (const props::Plainer& way : props::plainer(found.test)) {
    if (way.feature == type) return !checker.attempt(*found.property, way.test).held;
  }
  return false;
}

/// Leaves of several entries those that explain the failure on other data, too.
void narrow(Checker& checker, Failure found, Explanations& explaining, Deadline deadline) {
  constexpr int kOthers = 16;
  const props::Fill own = found.test.fills[props::data_slot(found.test.call.op)];
  for (int i = 0; i < kOthers && explaining.size() > 1 && !is_over(deadline); ++i) {
    ++found.test.seed;
    found.test.fills[props::data_slot(found.test.call.op)] =
        i % 2 == 0 ? own : props::Fill{props::Fill::Kind::uniform, -5, 5};
    if (checker.attempt(*found.property, found.test).held) continue;
    Explanations left = explaining;
    std::erase_if(left, [&](const profiles::Some& entries) {
      return !checker.attempt_with(*found.property, found.test, entries).held;
    });
    if (!left.empty()) explaining = std::move(left);
  }
}

bool are_of_different_kinds(const std::set<std::uint16_t>& entries) {
  std::set<profiles::Kind> kinds;
  for (const std::uint16_t entry : entries) kinds.insert(profiles::value_entries()[entry].kind);
  return kinds.size() == entries.size();
}

}  // namespace

Explanations explaining_entries(Checker& checker, const Failure& found, Deadline deadline) {
  // What passes by chance passes with any entry.
  if (!is_of_results(found) || !found.chance.empty() || is_over(deadline) ||
      checker.attempt(*found.property, found.test).held)
    return {};
  Explanations explaining;
  const auto attempt = [&](const profiles::Some& entries) {
    if (is_over(deadline)) return;
    const props::Verdict verdict = checker.attempt_with(*found.property, found.test, entries);
    if (verdict.held && verdict.checked) explaining.push_back(entries);
  };
  const bool bits = found.verdict.kind == "bits" || found.verdict.kind == "repeat";
  profiles::Some all = profiles::that_may_explain(found.test.call, bits);
  if (fails_in_float(checker, found)) {
    std::erase_if(all, [](std::uint16_t i) {
      const profiles::Entry& entry = profiles::value_entries()[i];
      return entry.kind == profiles::Kind::accumulation && entry.number != ref::kFloat;
    });
  }
  for (const std::uint16_t entry : all) {
    // Of what bits may depend on, the first that helps: each allows for more than the one before.
    if (!bits || explaining.empty()) attempt({entry});
  }
  for (std::size_t i = 0; i < all.size() && explaining.empty(); ++i) {
    for (std::size_t j = 0; j < i && explaining.empty(); ++j) attempt({all[j], all[i]});
  }
  narrow(checker, found, explaining, deadline);
  return is_over(deadline) ? Explanations() : explaining;
}

std::string hint_of(const Explanations& entries) {
  std::string text = "passes with the profile ";
  text += entries.front().size() > 1 ? "entries " : "entry ";
  const auto kind = [](const profiles::Some& some) {
    return profiles::value_entries()[some.front()].kind;
  };
  for (const profiles::Some& some : entries) {
    // Of one kind, the first says most: the others allow for more.
    const bool wider = some.size() == 1 && kind(some) == kind(entries.front());
    if (wider && &some != &entries.front()) continue;
    if (&some != &entries.front()) text += " or ";
    for (const std::uint16_t entry : some)
      text += (entry == some.front() ? "" : " and ") +
              profiles::as_written(profiles::value_entries()[entry]);
  }
  return text + " (docs/profile-format.md)";
}

bool passes_contiguous(Checker& checker, const Failure& found, Deadline deadline) {
  const bool crash =
      found.verdict.kind == "crash" && found.property->runs && found.test.sequence.empty();
  if ((!is_of_results(found) && !crash) || !found.chance.empty() || is_over(deadline)) return false;
  const std::optional<props::Case> plain = props::with_contiguous_tensors(found.test);
  if (!plain || !checker.meets(*found.property, *plain)) return false;
  const props::Verdict verdict = checker.attempt(*found.property, *plain);
  return verdict.held && verdict.checked;
}

std::optional<std::size_t> try_causes(Causes& causes, Checker& checker, const Failure& found,
                                      const props::Features& features,
                                      const props::Features& also) {
  const std::optional<std::size_t> of_strides = causes.of_strides(found.test.call.op);
  if (of_strides && passes_contiguous(checker, found, Deadline::max())) return of_strides;
  std::set<std::uint16_t> entries;  // of all causes together: a case may need several
  std::vector<std::size_t> by_entries;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].op != found.test.call.op || causes[i].entries.empty()) continue;
    entries.insert(causes[i].entries.front().begin(), causes[i].entries.front().end());
    by_entries.push_back(i);
  }
  if (by_entries.empty() ||
      profiles::gravity_of(found.verdict.kind) != profiles::Gravity::wrong_result)
    return causes.explaining(found, features, also);
  const auto with = [&](const profiles::Some& some) {
    return checker.attempt_with(*found.property, found.test, some);
  };
  // Two of one kind contradict each other: then each cause's own alone.
  const bool all_at_once = are_of_different_kinds(entries);
  if (all_at_once) {
    const props::Verdict verdict = with({entries.begin(), entries.end()});
    if (!verdict.held || !verdict.checked)
      return causes.explaining(found, features, also, !verdict.checked);
  }
  for (const std::size_t i : by_entries) {
    Explanations left = causes[i].entries;
    if (by_entries.size() == 1 && left.size() == 1) return i;
    std::erase_if(left, [&](const profiles::Some& some) {
      const props::Verdict one = with(some);
      return !one.held || !one.checked;
    });
    if (left.empty()) continue;
    causes.keep_entries(i, std::move(left));
    return i;
  }
  return all_at_once ? by_entries.front() : causes.explaining(found, features, also, false);
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
