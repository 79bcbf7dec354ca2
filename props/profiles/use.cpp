// Entries that match a case, sorted by what they decide.
#include "props/profiles/use.h"

#include <algorithm>
#include <utility>

#include "props/cases/describe/promises.h"
#include "props/profiles/course.h"

namespace gradproof::profiles {
namespace {

/// Puts an entry into its place; two that disagree must not both be there, unless one of them wins.
void decide(const Entry*& place, const Entry& entry) {
  if (place != nullptr && place->wins_over(entry)) return;
  if (place != nullptr && entry.wins_over(*place)) place = nullptr;
  if (place != nullptr && contradict(*place, entry)) {
    throw Contradiction("entries '" + place->id + "' (" + place->place() + ") and '" + entry.id +
                        "' (" + entry.place() + ") contradict each other on the same case");
  }
  if (place == nullptr) place = &entry;
}

void merge(ref::Numerics& into, const Entry& entry) {
  switch (entry.kind) {
    case Kind::coordinates: into.coordinates = static_cast<std::int32_t>(entry.number); break;
    case Kind::accumulation: into.accumulation = static_cast<std::int32_t>(entry.number); break;
    case Kind::subnormals: into.flushes_subnormals = true; break;
    case Kind::zero_times_infinity: into.zero_times_infinity = true; break;
    case Kind::ties: into.ties = entry.winner; break;
    case Kind::nans: into.nans = entry.winner; break;
    case Kind::out_of_window: into.drops_out_of_window = true; break;
    case Kind::scales: into.scales = ref::Scales::both; break;
    default: break;
  }
}

/// Whether one of these entries, of the same kind, wins over the entry.
bool overruled(const Entry& entry, const std::vector<const Entry*>& holding) {
  return std::ranges::any_of(holding, [&](const Entry* other) {
    return other->kind == entry.kind && other->wins_over(entry);
  });
}

}  // namespace

const Entry* Terms::lets_depend(Dependence d) const {
  for (const Entry* entry : bits) {
    // What differs from run to run differs whatever else changes.
    if (entry->depends_on.count(d) > 0 || entry->depends_on.count(Dependence::runs) > 0)
      return entry;
  }
  return nullptr;
}

const Entry* Terms::taken_by(Kind kind) const {
  const auto found = std::find_if(taken.begin(), taken.end(),
                                  [&](const Entry* entry) { return entry->kind == kind; });
  return found != taken.end() ? *found : nullptr;
}

bool Terms::runs() const {
  if (status != 0 || answer != nullptr || taken.empty()) return false;
  return taken_by(Kind::status) == nullptr;
}

ref::Numerics numerics_of(const Entry& entry) {
  ref::Numerics numerics;
  merge(numerics, entry);
  return numerics;
}

bool Use::decides(Kind kind) const {
  return std::any_of(profile_.entries.begin(), profile_.entries.end(),
                     [&](const Entry& entry) { return entry.kind == kind; });
}

Terms Use::terms(const ref::Call& call, props::Misuse misuse,
                 const std::vector<ref::Dense>* data) const {
  Terms terms;
  if (profile_.entries.empty()) return terms;
  Course course(call);
  std::vector<const Entry*> by_kind(kinds().size()), holding;
  for (const Entry& entry : profile_.entries) {
    if (!entry.when.holds(call, misuse, data, &course.broken())) continue;
    if (entry.answers())
      decide(terms.answer, entry);
    else
      holding.push_back(&entry);
  }
  for (const Entry* entry : holding) {
    if (overruled(*entry, holding)) continue;
    decide(by_kind[static_cast<std::size_t>(entry->kind)], *entry);
    if (entry->kind == Kind::bits) terms.bits.push_back(entry);
    const ref::Numerics numerics = terms.numerics;
    merge(terms.numerics, *entry);
    if (terms.numerics != numerics) terms.computing.push_back(entry);
  }
  const auto of = [&](Kind kind) { return by_kind[static_cast<std::size_t>(kind)]; };
  terms.phase2 = of(Kind::phase2);
  terms.out_of_range = of(Kind::out_of_range);
  terms.mask = of(Kind::mask);
  terms.mask_view = of(Kind::mask_view);
  terms.nan_bits = of(Kind::nan_bits);
  if (terms.phase2 != nullptr && terms.answer != nullptr && terms.answer->implied)
    terms.answer = nullptr;
  while (terms.answer != nullptr && terms.answer->takes()) {
    terms.taken.push_back(std::exchange(terms.answer, nullptr));
    if (course.broken().rule == nullptr) break;
    course.pass();
    for (const Entry& entry : profile_.entries) {
      if (entry.answers() && entry.when.holds(call, misuse, data, &course.broken()))
        decide(terms.answer, entry);
    }
  }
  for (const Entry& entry : profile_.entries) {  // of the rule that refuses in the end
    if (entry.kind == Kind::refused_workspace &&
        entry.when.holds(call, misuse, data, &course.broken()))
      decide(terms.refused_workspace, entry);
  }
  const bool answers = terms.answer != nullptr && terms.answer->kind == Kind::status;
  terms.status = answers ? static_cast<std::int32_t>(terms.answer->number) : course.broken().status;
  return terms;
}

bool Use::decides(std::string_view promise, const ref::Call& call) const {
  return promise == props::kNonFittingScales && decides(Kind::scales) &&
         terms(call).numerics.scales != ref::Scales::each;
}

void Use::admit(const ref::Call& call, props::Misuse misuse,
                const std::vector<ref::Dense>* data) const {
  if (profile_.entries.empty()) return;
  const Terms terms = this->terms(call, misuse, data);
  const Entry* const writes = terms.taken_by(Kind::writes);
  if (writes != nullptr && !judges_refusals_)
    throw NotJudged{"not computed: " + named(*writes, profile_)};
  if (terms.answer == nullptr) return;
  const Entry& entry = *terms.answer;
  if (entry.kind == Kind::untested)
    throw NotJudged{std::string(kNotSpecified) + named(entry, profile_)};
  const bool refused = entry.kind == Kind::absent || entry.number != 0;
  if (refused && !judges_refusals_)
    throw NotJudged{std::string(kNotSupported) + named(entry, profile_)};
}

Notes Use::take_notes() { return std::exchange(notes_, {}); }

void Use::note(std::vector<std::uint16_t>& list, const Entry& entry) const {
  const auto place = static_cast<std::uint16_t>(&entry - profile_.entries.data());
  if (std::find(list.begin(), list.end(), place) == list.end()) list.push_back(place);
}

std::string named(const Entry& entry, const Profile& profile) {
  return "entry '" + entry.id + "' of profile " + profile.name;
}

}  // namespace gradproof::profiles
