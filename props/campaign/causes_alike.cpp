// Whether two causes are one.
#include <algorithm>
#include <iterator>
#include <utility>

#include "props/campaign/causes.h"
#include "props/judge/compare.h"
#include "props/profiles/finding_kinds.h"

namespace gradproof::campaign {
namespace {

using props::Features;
using props::has_all;

/// Whether both are wrong values of one operator.
bool of_values(const Causes::Cause& one, const Causes::Cause& other) {
  const auto are_values = [](const Causes::Cause& cause) {
    return cause.property == kValues && cause.kind == "values";
  };
  return one.op == other.op && are_values(one) && are_values(other);
}

/// Without those of the data's kind. A NaN may come from any kind that has NaN, or be planted by a
/// property.
Features of_any_data(Features features) {
  std::erase_if(features, [](const std::string& feature) { return feature.starts_with("data-"); });
  return features;
}

bool loses_nan(const Causes::Cause& cause) {
  return cause.property == kValues && cause.kind == "values" && cause.look == "NaN";
}

}  // namespace

bool Causes::same_sort(const Cause& one, const Cause& other) {
  return one.op == other.op && one.property == other.property && one.kind == other.kind &&
         one.look == other.look;
}

Explanations Causes::shared_entries(const Cause& one, const Cause& other) {
  Explanations shared;
  if (one.op == other.op)
    std::ranges::set_intersection(one.entries, other.entries, std::back_inserter(shared));
  return shared;
}

bool Causes::same_entries(const Cause& one, const Cause& other) {
  const auto unknown = [](const Cause& cause) {
    return cause.entries.empty() && cause.property != kValues;
  };
  return (one.entries.empty() && other.entries.empty()) || unknown(one) || unknown(other) ||
         !shared_entries(one, other).empty();
}

std::optional<std::size_t> Causes::explained_by_entry(std::size_t i) const {
  const Cause& one = all_[i];
  const auto is_part = [&](const Cause& other) {
    return std::ranges::any_of(one.entries, [&](const profiles::Some& both) {
      return std::ranges::any_of(other.entries, [&](const profiles::Some& single) {
        return single.size() < both.size() && std::ranges::includes(both, single);
      });
    });
  };
  for (std::size_t j = 0; j < all_.size(); ++j) {
    if (j < i && !shared_entries(all_[j], one).empty()) return j;
    if (all_[j].op == one.op && is_part(all_[j])) return j;
  }
  return std::nullopt;
}

void Causes::settle_entries() {
  std::vector<std::size_t> first(all_.size());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    first[i] = i;
    for (std::size_t j = 0; j < i && first[i] == i; ++j) {
      Explanations shared = shared_entries(all_[j], all_[i]);
      if (first[j] != j || shared.empty()) continue;
      all_[j].entries = std::move(shared);
      first[i] = j;
    }
  }
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i].entries = all_[first[i]].entries;
}

bool Causes::rounds_alike(const Cause& one, const Cause& other) {
  const auto needs_type = [](const Cause& cause, const Cause& of) {
    return !of.plainly.empty() && has_all(cause.needed, of.plainly);
  };
  return same_sort(one, other) && one.look == "rounding" &&
         (needs_type(one, other) || needs_type(other, one));
}

bool Causes::explains(const Cause& other, const Cause& one) {
  return has_all(one.small, other.needed) && has_all(other.needed, one.plainly);
}

bool Causes::same_symptom(const Cause& one, const Cause& other) {
  // Sequences show what is of each kernel, too, by another kind.
  const bool of_kernels = profiles::is_of_each_kernel(one.kind) && other.kind == one.kind;
  return !one.symptom.empty() && one.symptom == other.symptom && !of_kernels;
}

std::size_t Causes::first_with_symptom(std::size_t i) const {
  std::size_t first = i;
  const auto rank = [&](std::size_t j) { return std::pair(all_[j].property != kValues, j); };
  for (std::size_t j = 0; j < all_.size(); ++j) {
    if (same_symptom(all_[i], all_[j]) && rank(j) < rank(first)) first = j;
  }
  return first;
}

std::optional<std::size_t> Causes::same_as(std::size_t i) const {
  const Cause& one = all_[i];
  if (one.of_strides && of_strides(one.op) != i) return of_strides(one.op);
  if (const auto by_entry = explained_by_entry(i)) return by_entry;
  if (const std::size_t first = first_with_symptom(i); first != i) return first;
  if (one.look == props::kEarlierCall) {
    const std::size_t first = *earlier_call(one.op, one.calls);
    return first == i ? std::nullopt : std::optional(first);
  }
  for (std::size_t j = 0; j < all_.size(); ++j) {
    const Cause& other = all_[j];
    if (j == i) continue;
    // An entry may help one case by chance, where others of the same kind still fail.
    const bool by_chance = other.entries.empty() && !other.needed.empty();
    if (!same_entries(one, other) && !by_chance) continue;
    if (shows_by_relation(j, one)) return j;
    if (rounds_alike(one, other) || nan_alike(one, other)) {  // of several, the first
      if (j < i) return j;
      continue;
    }
    const bool also = one.op == other.op && other.others.contains(one.property);
    if (!(also || same_sort(one, other)) || !explains(other, one)) continue;
    // If each explains the other, the first does.
    if (j < i || !same_entries(one, other) || !explains(one, other)) return j;
  }
  return std::nullopt;
}

bool Causes::nan_alike(const Cause& one, const Cause& other) {
  return one.op == other.op && loses_nan(one) && loses_nan(other) && !one.needed.empty() &&
         !other.needed.empty() && of_any_data(one.needed) == of_any_data(other.needed);
}

bool Causes::shows_by_relation(std::size_t i, const Cause& one) const {
  const Cause& cause = all_[i];
  if (one.kind == "reach" && one.op == cause.op && loses_nan(cause))
    return has_all(one.common, of_any_data(cause.needed));
  const bool values = one.kind == "values" || profiles::is_damage(one.kind);
  return values && one.op == cause.op && one.kind == cause.kind && cause.property == kValues &&
         one.property != kValues && !cause.needed.empty() && learned(i) &&
         has_all(one.common, cause.needed);
}

bool Causes::differs_in_data(std::size_t i, std::size_t j, const Features& features) const {
  const Cause &one = all_[i], &other = all_[j];
  if (!of_values(one, other) || !same_entries(one, other) || one.look == "not written" ||
      other.look == "not written" || one.look == other.look)
    return false;
  if (one.look == props::kReadOutside)
    return other.look.empty() && !other.needed.empty() && learned(j) &&
           has_all(one.needed, other.needed);
  if (other.look == props::kReadOutside) return false;
  if (one.look == "NaN" || other.look == "NaN")
    return !one.needed.empty() && learned(i) && learned(j) && one.needed == other.needed;
  return !other.needed.empty() && has_all(features, other.needed);
}

/// The tensors that it reads and whose strides matter to it: as features, "gradOutput strided".
Features Causes::misread(const Cause& cause) {
  Features tensors;
  for (const ref::Parameter& p : ref::signature(cause.op).parameters) {
    const std::string strided = std::string(p.name) + " strided";
    if (p.access == ref::Access::read &&
        (cause.plainly.contains(strided) ||
         (cause.look == props::kReadOutside && cause.small.contains(strided))))
      tensors.insert(strided);
  }
  return tensors;
}

std::optional<Features> Causes::shared_need(std::size_t i, std::size_t j) {
  const Cause &one = all_[i], &other = all_[j];
  if (!of_values(one, other) || !same_entries(one, other)) return std::nullopt;
  // What passes without a flag or type is no failure of a cause that does not need it.
  const auto need_no_more = [&](const Features& than) {
    return has_all(than, one.plainly) && has_all(than, other.plainly);
  };
  if (Features layout = props::in_both(misread(one), misread(other)); !layout.empty()) {
    if (need_no_more(layout)) return layout;
    return std::nullopt;
  }
  const auto of_numbers = [](const Cause& cause) {
    return cause.look != "not written" && cause.look != "NaN";
  };
  if (!of_numbers(one) || !of_numbers(other) || !learned(i) || !learned(j)) return std::nullopt;
  std::optional<Features> shared = examples_[{one.op, one.property}].shared_predictor(
      {mode(one.kind, one.look), mode(other.kind, other.look)},
      props::in_both(one.small, other.small), one.needed, other.needed);
  if (!shared || !need_no_more(*shared)) return std::nullopt;
  return shared;
}

}  // namespace gradproof::campaign
