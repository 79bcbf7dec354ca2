// Tries cases that lack some features of a failing one.
#include "props/campaign/trial_of_features.h"

#include <algorithm>
#include <iterator>

#include "props/cases/describe/size.h"
#include "props/cases/shrink/otherwise.h"
#include "props/cases/shrink/simpler.h"

namespace gradproof::campaign {
namespace {

using props::Features;

Features without(const Features& all, const Features& some) {
  Features left;
  std::ranges::set_difference(all, some, std::inserter(left, left.end()));
  return left;
}

/// What shrinking ends with if every case fails.
props::Case simplest(props::Case c) {
  for (std::vector<props::Case> next = props::simpler(c); !next.empty(); next = props::simpler(c))
    c = next.front();
  return c;
}

}  // namespace

Features unneeded(Checker& checker, const Failure& found, Deadline deadline) {
  const props::Case& c = found.test;
  if (found.verdict.kind == "hang" || found.property->of_library || !c.sequence.empty() ||
      ref::expect(c.call).rule != nullptr)
    return {};
  const Features features = props::features(c);
  Features unneeded, needed;
  for (const props::Case& other : props::otherwise(c)) {
    if (!checker.meets(*found.property, other)) continue;
    if (found.property->runs && !props::costs_no_more(other, c)) continue;
    if (is_over(deadline)) return unneeded;
    const props::Verdict verdict = checker.attempt(*found.property, other);
    if (!verdict.checked) continue;
    Features& lost = verdict.held ? needed : unneeded;
    if (verdict.held || (verdict.kind == found.verdict.kind && verdict.look == found.verdict.look))
      lost.merge(without(features, props::features(other)));
  }
  unneeded.merge(without(props::features(simplest(c)), needed));
  return unneeded;
}

}  // namespace gradproof::campaign
