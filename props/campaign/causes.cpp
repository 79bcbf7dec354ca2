// Telling causes apart by the features of shrunk cases.
#include "props/campaign/causes.h"

#include <algorithm>
#include <iterator>

#include "props/cases/traits.h"

namespace gradproof::campaign {
namespace {

using props::Features;

/// Judged cases that are kept of an operator.
constexpr std::size_t kRecords = 4000;
/// Of those that come into question the nearest are looked at: a fraction of them, so many at most.
/// That fraction of these must fail, as defects may need more than features tell.
constexpr std::size_t kFraction = 8, kNearest = 16;
constexpr double kAsOften = 0.5;
/// Before there are so many, similar causes are kept apart; in the end they are joined.
constexpr std::size_t kEnough = 128;

bool has_all(const Features& of, const Features& wanted) {
  return std::includes(of.begin(), of.end(), wanted.begin(), wanted.end());
}

/// Whether findings of the property may have one cause in both operators. Services know no
/// operator, and a gradient and its forward are mostly validated by one piece of code.
bool same_place(const props::Property& property, ref::Operator a, ref::Operator b) {
  if (a == b || property.of_library) return true;
  return !property.runs && &props::family(a) == &props::family(b);
}

bool same_sort(const Causes::Cause& cause, const Failure& failure) {
  return cause.property == failure.property->name && cause.kind == failure.verdict.kind &&
         cause.look == failure.verdict.look &&
         same_place(*failure.property, cause.op, failure.test.call.op);
}

}  // namespace

std::optional<std::size_t> Causes::explaining(const Failure& failure,
                                              const Features& features) const {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Cause& cause = all_[i];
    const bool other = cause.op == failure.test.call.op &&
                       cause.others.contains(std::string(failure.property->name));
    if ((other || same_sort(cause, failure)) && has_all(features, cause.needed)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> Causes::nearest(const Failure& failure, const Features& features) const {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!same_sort(all_[i], failure)) continue;
    const std::size_t shared = props::in_both(all_[i].needed, features).size();
    if (best && shared <= most) continue;
    best = i;
    most = shared;
  }
  return best;
}

void Causes::judged(const props::Case& c, const props::Verdict& verdict) {
  std::vector<Record>& records = records_[c.call.op];
  if (records.size() < kRecords)
    records.push_back({props::features(c), verdict.held ? "" : verdict.kind});
}

bool Causes::alike(const Cause& cause, const Features& needed, std::size_t least) const {
  const Features shared = props::in_both(cause.needed, needed);
  Features only_one;  // what one of them needs alone
  std::set_symmetric_difference(cause.needed.begin(), cause.needed.end(), needed.begin(),
                                needed.end(), std::inserter(only_one, only_one.end()));
  // By how much of that they have: those with least tell whether it is needed at all.
  std::multimap<std::size_t, bool> failed;
  if (const auto records = records_.find(cause.op); records != records_.end()) {
    for (const Record& one : records->second) {
      if (has_all(one.features, shared))
        failed.emplace(props::in_both(one.features, only_one).size(), one.kind == cause.kind);
    }
  }
  if (failed.size() < least) return false;
  const std::size_t nearest = std::clamp<std::size_t>(failed.size() / kFraction, 1, kNearest);
  std::size_t seen = 0, count = 0;
  for (auto at = failed.begin(); at != failed.end() && seen < nearest; ++at, ++seen)
    count += at->second;
  return static_cast<double>(count) >= kAsOften * static_cast<double>(nearest);
}

std::size_t Causes::sort(const Failure& small, const Features& features) {
  const Features kept = props::features(small.test);
  const Features needed = props::in_both(kept, features);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    Cause& cause = all_[i];
    if (!same_sort(cause, small)) continue;
    const Features shared = props::in_both(cause.needed, needed);
    // Without records, such as of refused calls, the small cases have to do.
    const bool same = small.property->name == "equivalence"
                          ? alike(cause, needed, kEnough)
                          : has_all(kept, cause.needed) || has_all(cause.small, needed);
    if (!same) continue;
    cause.needed = shared;
    return i;
  }
  all_.push_back({small.test.call.op,
                  std::string(small.property->name),
                  small.verdict.kind,
                  small.verdict.look,
                  kept,
                  needed,
                  features,
                  {}});
  return all_.size() - 1;
}

std::optional<std::size_t> Causes::explaining(std::size_t i) const {
  const Cause& one = all_[i];
  for (std::size_t j = 0; j < i; ++j) {
    const Cause& other = all_[j];
    const bool same = one.property == other.property && one.kind == other.kind &&
                      one.look == other.look;
    if (one.op != other.op || !(same || other.others.contains(one.property))) continue;
    if (has_all(one.small, other.needed) ||
        (one.property == "equivalence" && alike(other, one.needed, 1)))
      return j;
  }
  return std::nullopt;
}

void Causes::joins(std::size_t cause, std::string_view property, const Features& features) {
  Cause& to = all_[cause];
  to.common = props::in_both(to.common, features);
  if (property != to.property) to.others.emplace(property);
}

}  // namespace gradproof::campaign
