// Counts entries and silences known findings.
#include "props/campaign/allowances.h"

#include <algorithm>

namespace gradproof::campaign {
namespace {

report::EntryCount count_of(const profiles::Entry& entry) {
  report::EntryCount count;
  count.id = entry.id;
  const std::string value = entry.value();
  count.says = std::string(profiles::name(entry.kind)) + (value.empty() ? "" : " " + value);
  count.reason = entry.reason;
  count.source = entry.source.repository + ", " + entry.source.file + ", " + entry.source.function;
  count.varies = entry.varies;
  count.implied = entry.implied;
  return count;
}

/// Whether the entry says that operators are absent, and the library has none of them.
bool names_missing_operators(const profiles::Entry& entry,
                             const std::vector<ref::Operator>& there) {
  const std::vector<ref::Operator>& named = entry.when.operators;
  return entry.kind == profiles::Kind::absent && !named.empty() &&
         std::none_of(named.begin(), named.end(), [&](ref::Operator op) {
           return std::find(there.begin(), there.end(), op) != there.end();
         });
}

}  // namespace

Allowances::Allowances(const profiles::Profile& profile, const profiles::KnownList& known,
                       const std::vector<ref::Operator>& there, report::Entries& entries)
    : profile_(profile), known_(known), entries_(entries) {
  for (const profiles::Entry& entry : profile.entries) {
    entries_.counts.push_back(count_of(entry));
    if (names_missing_operators(entry, there)) ++entries_.counts.back().met;
  }
  for (const profiles::Known& one : known.list())
    entries_.known.push_back({one.kind, one.calls(), one.reason, 0});
}

bool Allowances::apply(const props::Check& check, props::Answer& answer) {
  const auto add = [&](const std::vector<std::uint16_t>& places, auto member) {
    for (const std::uint16_t place : places) {
      // The notes come from a process that the library shares.
      if (place < entries_.counts.size()) ++(entries_.counts[place].*member);
    }
  };
  add(answer.notes.met, &report::EntryCount::met);
  add(answer.notes.contradicted, &report::EntryCount::contradicted);
  add(answer.notes.unused, &report::EntryCount::unused);
  if (const std::string& why = answer.verdict.finding; !answer.verdict.checked) {
    if (why.starts_with(profiles::kDeclined)) {
      report::count_reason(entries_.declined, why.substr(profiles::kDeclined.size()));
      stated(*check.test);
    } else if (why.starts_with(profiles::kNotSpecified) ||
               why.starts_with(profiles::kNotSupported)) {
      ++entries_.not_supported;
    }
  }
  const bool known =
      !answer.verdict.held && silence(answer.verdict.kind, check.property->name, *check.test);
  if (known) answer.verdict = {};
  if (!answer.printed.empty() && silence("stdout", "quiet", *check.test)) answer.printed.clear();
  return known;
}

void Allowances::stated(const props::Case& c) {
  for (std::size_t i = 0; i < profile_.entries.size(); ++i) {
    const profiles::Entry& entry = profile_.entries[i];
    if (entry.kind == profiles::Kind::absent && entry.when.holds(c.call, c.misuse))
      ++entries_.counts[i].stated;
  }
}

std::vector<std::string> unpromised_rules(const profiles::Profile& profile) {
  std::vector<std::string> rules;
  for (const profiles::Entry& entry : profile.entries) {
    if (entry.implied && entry.kind == profiles::Kind::untested)
      rules.insert(rules.end(), entry.when.rules.begin(), entry.when.rules.end());
  }
  return rules;
}

bool Allowances::silence(std::string_view kind, std::string_view property, const props::Case& c) {
  const profiles::Known* known = known_.find(kind, property, c);
  if (known == nullptr) return false;
  ++entries_.known[static_cast<std::size_t>(known - known_.list().data())].count;
  return true;
}

}  // namespace gradproof::campaign
