// Entries that match a case, sorted by what they decide.
#include "props/profiles/use.h"

#include <algorithm>
#include <utility>

namespace gradproof::profiles {
namespace {

/// Puts an entry into its place; two that disagree must not both be there.
void decide(const Entry*& place, const Entry& entry, const Profile& profile) {
  if (place != nullptr && contradict(*place, entry)) {
    throw Contradiction(profile.file + ": entries '" + place->id + "' (line " +
                        std::to_string(place->line) + ") and '" + entry.id + "' (line " +
                        std::to_string(entry.line) + ") contradict each other about one case");
  }
  if (place == nullptr) place = &entry;
}

void merge(ref::Numerics& into, const Entry& entry) {
  switch (entry.kind) {
    case Kind::coordinates:
      into.float_coordinates = true;
      break;
    case Kind::accumulation:
      into.accumulation = static_cast<std::int32_t>(entry.number);
      break;
    case Kind::subnormals:
      into.flushes_subnormals = true;
      break;
    case Kind::zero_times_infinity:
      into.zero_times_infinity = true;
      break;
    case Kind::ties:
      into.ties = entry.winner;
      break;
    case Kind::nans:
      into.nans = entry.winner;
      break;
    case Kind::out_of_window:
      into.drops_out_of_window = true;
      break;
    default:
      break;
  }
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
  std::vector<const Entry*> by_kind(static_cast<std::size_t>(Kind::mask) + 1);
  for (const Entry& entry : profile_.entries) {
    if (!entry.when.holds(call, misuse, data)) continue;
    switch (entry.kind) {
      case Kind::absent:
      case Kind::untested:
      case Kind::status:
        decide(terms.answer, entry, profile_);
        break;
      case Kind::phase2:
        decide(terms.phase2, entry, profile_);
        break;
      case Kind::out_of_range:
        decide(terms.out_of_range, entry, profile_);
        break;
      case Kind::mask:
        decide(terms.mask, entry, profile_);
        break;
      case Kind::nan_bits:
        decide(terms.nan_bits, entry, profile_);
        break;
      case Kind::bits:
        terms.bits.push_back(&entry);
        break;
      default:
        decide(by_kind[static_cast<std::size_t>(entry.kind)], entry, profile_);
        terms.computing.push_back(&entry);
        merge(terms.numerics, entry);
    }
  }
  return terms;
}

void Use::admit(const ref::Call& call, props::Misuse misuse,
                const std::vector<ref::Dense>* data) const {
  if (profile_.entries.empty()) return;
  const Terms terms = this->terms(call, misuse, data);
  if (terms.answer == nullptr) return;
  const Entry& entry = *terms.answer;
  if (entry.kind == Kind::untested) throw NotJudged{"not specified: " + named(entry, profile_)};
  const bool refused = entry.kind == Kind::absent || entry.number != 0;
  if (refused && !judges_refusals_) throw NotJudged{"not supported: " + named(entry, profile_)};
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
