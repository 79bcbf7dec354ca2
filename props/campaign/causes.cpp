// Telling causes apart by the features of shrunk cases.
#include "props/campaign/causes.h"

#include <algorithm>

#include "props/cases/traits.h"

namespace gradproof::campaign {
namespace {

using props::Features;

/// Judged cases that are kept of an operator.
constexpr std::size_t kRecords = 4000;
/// As often: at least that fraction as often, as samples are small and defects may need luck too.
constexpr double kAsOften = 0.75;

std::string sort_of(const std::string& kind, const std::string& look) { return kind + '/' + look; }

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
    records.push_back(
        {props::features(c), verdict.held ? "" : sort_of(verdict.kind, verdict.look)});
}

bool Causes::enough(const Cause& cause, const Features& fewer) const {
  const auto records = records_.find(cause.op);
  if (records == records_.end()) return false;
  const auto share = [&](const Features& wanted) {
    double all = 0, failed = 0;
    for (const Record& one : records->second) {
      if (!has_all(one.features, wanted)) continue;
      ++all;
      if (one.sort == sort_of(cause.kind, cause.look)) ++failed;
    }
    return all == 0 ? 0 : failed / all;
  };
  const double with_fewer = share(fewer);
  return with_fewer > 0 && with_fewer >= kAsOften * share(cause.needed);
}

std::size_t Causes::sort(const Failure& small, const Features& features) {
  const Features alike = props::features(small.test);
  const Features needed = props::in_both(alike, features);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    Cause& cause = all_[i];
    if (!same_sort(cause, small)) continue;
    const Features shared = props::in_both(cause.needed, needed);
    // Without records, such as of refused calls, the small cases have to do.
    const bool same = small.property->name == "equivalence"
                          ? enough(cause, shared)
                          : has_all(alike, cause.needed) || has_all(cause.small, needed);
    if (!same) continue;
    cause.needed = shared;
    return i;
  }
  all_.push_back({small.test.call.op,
                  std::string(small.property->name),
                  small.verdict.kind,
                  small.verdict.look,
                  alike,
                  needed,
                  features,
                  {}});
  return all_.size() - 1;
}

std::optional<std::size_t> Causes::explaining(std::size_t i) const {
  const Cause& one = all_[i];
  for (std::size_t j = 0; j < i; ++j) {
    const Cause& other = all_[j];
    if (one.op != other.op || one.property != other.property || one.kind != other.kind ||
        one.look != other.look)
      continue;
    const Features shared = props::in_both(other.needed, one.needed);
    if (has_all(one.small, other.needed) ||
        (one.property == "equivalence" && enough(other, shared) && enough(one, shared)))
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
