// Telling causes apart by the features of shrunk cases.
#include "props/campaign/causes.h"

#include <algorithm>

#include "props/cases/shrink/simpler.h"
#include "props/cases/traits.h"
#include "props/judge/compare.h"
#include "props/profiles/known.h"
#include "ref/element.h"

namespace gradproof::campaign {
namespace {

using props::Features;
using props::has_all;

/// Whether the failure has nothing to do with operator and case: services know neither, and a
/// library that cannot be started never meets them.
bool of_library(const Failure& failure) {
  return failure.property->of_library || failure.verdict.kind == props::kStart;
}

/// Whether findings of the property may have one cause in both operators. A gradient and its
/// forward are mostly validated by one piece of code.
bool same_place(const Failure& failure, ref::Operator other) {
  const ref::Operator op = failure.test.call.op;
  if (op == other || of_library(failure)) return true;
  return !failure.property->runs && &props::family(op) == &props::family(other);
}

/// Whether judged cases tell what failures like it need: those of other valid cases.
bool from_examples(const Failure& failure) {
  const props::Case& c = failure.test;
  return !of_library(failure) && c.sequence.empty() &&
         (failure.property->name == kValues || props::is_plain(c));
}

/// Whether failures of the cause are of the failure's kind.
bool same_kind(const Causes::Cause& cause, const Failure& failure) {
  return cause.kind == failure.verdict.kind && cause.look == failure.verdict.look &&
         (cause.property == failure.property->name || cause.kind == props::kStart) &&
         same_place(failure, cause.op);
}

/// Whether the failure is from another place where the cause's symptom was seen.
bool is_elsewhere(const Causes::Cause& cause, const Failure& failure, const Features& features) {
  return cause.property == failure.property->name && cause.look == failure.verdict.look &&
         std::ranges::any_of(cause.elsewhere, [&](const Causes::Cause::Place& place) {
           return place.op == failure.test.call.op && place.kind == failure.verdict.kind &&
                  has_all(features, place.needed);
         });
}

/// How the case can be made plain to see whether it fails because of what it loses. A rounding may
/// vanish without a flag because weights are exact then; its type alone counts.
std::vector<props::Plainer> ways(const Failure& failure) {
  std::vector<props::Plainer> all = props::plainer(failure.test);
  const std::string type(ref::dtype_name(failure.test.call.tensors.front().dtype));
  if (failure.verdict.look == "rounding")
    std::erase_if(all, [&](const props::Plainer& way) { return way.feature != type; });
  return all;
}

}  // namespace

std::optional<std::size_t> Causes::explaining(const Failure& failure, const Features& features,
                                              const Features& also, bool by_entries) const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Cause& cause = all_[i];
    if (!best && is_elsewhere(cause, failure, features)) best = i;
    const bool other = cause.op == failure.test.call.op &&
                       cause.others.contains(std::string(failure.property->name));
    if (!other && !same_kind(cause, failure)) continue;
    if (!by_entries && !cause.entries.empty()) continue;
    if (!has_all(features, cause.needed) || !has_all(cause.needed, also)) continue;
    if (!best || cause.needed.size() > all_[*best].needed.size()) best = i;
  }
  return best;
}

Features Causes::apart(std::size_t cause, const Failure& failure, const Features& features) {
  constexpr int kMostAsked = 6, kPassed = 2;  // one may pass by chance: its data hide the failure
  Cause& of = all_[cause];
  if (failure.property->name != kValues || failure.verdict.kind == "hang" ||
      !same_kind(of, failure))
    return {};
  for (const props::Plainer& way : ways(failure)) {
    if (of.small.contains(way.feature) || of.needed.contains(way.feature)) continue;
    Cause::Tries& tries = of.tries[way.feature];
    const std::uint64_t seed = failure.test.seed;  // the same in cases that are made from one
    if (tries.asked >= kMostAsked || tries.passed >= kPassed || tries.seed == seed ||
        !features.contains(way.feature))
      continue;
    const std::optional<bool> fails = fails_too(failure, way.test);
    if (!fails) continue;
    ++tries.asked;
    tries.seed = seed;
    if (!*fails && ++tries.passed == kPassed) return {way.feature};
  }
  return {};
}

std::optional<std::size_t> Causes::nearest(const Failure& failure, const Features& features) const {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!same_kind(all_[i], failure)) continue;
    const std::size_t shared = props::in_both(all_[i].needed, features).size();
    if (best && shared <= most) continue;
    best = i;
    most = shared;
  }
  return best;
}

void Causes::judged(const props::Check& check, const props::Verdict& verdict) {
  examples_[{check.test->call.op, std::string(check.property->name)}].add(check, verdict);
}

std::vector<Examples::Failed> Causes::judged_failures() {
  std::vector<Examples::Failed> all;
  for (auto& [of, examples] : examples_) {
    if (of.second == kValues)
      all.insert(all.end(), examples.failed().begin(), examples.failed().end());
  }
  return all;
}

void Causes::learn() {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto first = std::find_if(all_.begin(), all_.end(),
                                    [&](const Cause& one) { return same_sort(one, all_[i]); });
    if (first == all_.begin() + static_cast<std::ptrdiff_t>(i)) learn(all_[i]);
  }
}

bool Causes::learned(std::size_t i) const {
  return all_[i].from_examples && all_[i].needed != all_[i].small;
}

std::optional<bool> Causes::fails_too(const Failure& failure, const props::Case& c) const {
  const props::Verdict verdict = attempt_(*failure.property, c);
  if (!verdict.checked) return std::nullopt;
  const bool rounding = failure.verdict.look == "rounding";
  return !verdict.held && (verdict.kind != "values" || (verdict.look == "rounding") == rounding);
}

Features Causes::needed_plainly(const Failure& small, Features all) const {
  if (small.property->name != kValues) return {};
  const std::vector<props::Plainer> all_ways = ways(small);
  if (small.verdict.look == "rounding") {
    std::erase_if(all, [&](const std::string& feature) {
      return std::ranges::none_of(all_ways,
                                  [&](const auto& way) { return way.feature == feature; });
    });
  }
  for (const props::Plainer& way : all_ways) {
    const std::optional<bool> fails = fails_too(small, way.test);
    if (fails && *fails) all.erase(way.feature);
    if (fails && !*fails) all.insert(way.feature);
  }
  return all;
}

void Causes::learn(const Cause& like) {
  if (!like.from_examples) return;
  std::vector<Cause*> causes;
  std::vector<const Features*> small;
  for (Cause& one : all_) {
    if (!same_sort(one, like)) continue;
    causes.push_back(&one);
    small.push_back(&one.small);
  }
  const auto learned =
      examples_[{like.op, like.property}].predictors(mode(like.kind, like.look), small);
  for (std::size_t i = 0; i < causes.size(); ++i) {
    causes[i]->needed = learned[i].value_or(causes[i]->small);
    causes[i]->needed.insert(causes[i]->plainly.begin(), causes[i]->plainly.end());
  }
}

Features Causes::small_features(const Failure& small) const {
  if (of_library(small)) return {};
  Features all = props::features(small.test);
  if (small.property->name != kValues) return all;
  const std::optional<props::Case> plain = props::with_forward_indices(small.test);
  if (plain && fails_too(small, *plain).value_or(false)) all.merge(props::features(*plain));
  return all;
}

std::size_t Causes::sort(const Failure& failure, const Features& features, const Features& apart,
                         const Explanations& entries, bool of_strides) {
  const Features small = small_features(failure);
  all_.push_back({.op = failure.test.call.op,
                  .property = std::string(failure.property->name),
                  .kind = failure.verdict.kind,
                  .look = failure.verdict.look,
                  .small = small,
                  .needed = props::in_both(small, features),
                  .common = of_library(failure) ? Features() : features,
                  .from_examples = from_examples(failure),
                  .plainly = needed_plainly(failure, apart),
                  .entries = entries,
                  .of_strides = of_strides,
                  .symptom = failure.verdict.symptom});
  learn(all_.back());
  const std::size_t last = all_.size() - 1;
  if (const auto first = this->of_strides(failure.test.call.op); of_strides && first != last) {
    all_.pop_back();
    return *first;
  }
  if (const auto by_entry = explained_by_entry(last)) {
    if (Explanations shared = shared_entries(all_[*by_entry], all_[last]); !shared.empty())
      all_[*by_entry].entries = std::move(shared);
    all_.pop_back();
    return *by_entry;
  }
  for (std::size_t i = 0; i < last; ++i) {
    Cause& cause = all_[i];
    if (!same_kind(cause, failure) || !same_entries(cause, all_[last])) continue;
    const bool examples = all_[last].from_examples;
    if (!explains(cause, all_[last]) && (examples || !has_all(cause.small, all_[last].needed)))
      continue;
    if (!examples) cause.needed = props::in_both(cause.needed, all_[last].needed);
    all_.pop_back();
    return i;
  }
  for (std::size_t i = 0; i < last; ++i) {
    Cause& cause = all_[i];
    const Cause& same = all_[last];
    if (!same_symptom(cause, same) || cause.property != same.property || cause.look != same.look ||
        cause.from_examples || same.from_examples)
      continue;
    cause.elsewhere.push_back({same.op, same.kind, same.needed});
    all_.pop_back();
    return i;
  }
  return last;
}

std::size_t Causes::add_earlier_call(const Failure& found, std::set<ref::Operator> calls) {
  all_.push_back({.op = found.test.call.op,
                  .property = std::string(found.property->name),
                  .kind = found.verdict.kind,
                  .look = found.verdict.look,
                  .symptom = found.verdict.symptom,
                  .calls = std::move(calls)});
  return all_.size() - 1;
}

std::optional<std::size_t> Causes::earlier_call(ref::Operator op,
                                                const std::set<ref::Operator>& calls) const {
  std::optional<std::size_t> of_other, of_sequence;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Cause& cause = all_[i];
    if (cause.look != props::kEarlierCall) continue;
    const bool alone = cause.calls.empty();
    if (cause.op == op && alone) return i;
    if (cause.op == op && !of_sequence) of_sequence = i;
    if (calls.contains(cause.op) && alone && !of_other) of_other = i;
  }
  return of_other ? of_other : of_sequence;
}

std::optional<std::size_t> Causes::of_strides(ref::Operator op) const {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].op == op && all_[i].of_strides) return i;
  }
  return std::nullopt;
}

void Causes::joins(std::size_t cause, std::string_view property, const Features& features) {
  Cause& to = all_[cause];
  to.common = props::in_both(to.common, features);
  if (to.look == props::kEarlierCall) return;
  if (property != to.property) to.others.emplace(property);
  if (property != kValues) return;
  std::vector<Examples::Failed>& failed = examples_[{to.op, std::string(property)}].failed();
  if (!failed.empty() && !failed.back().cause) failed.back().cause = cause;
}

}  // namespace gradproof::campaign
