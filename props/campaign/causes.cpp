// Telling causes apart by the features of shrunk cases.
#include "props/campaign/causes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "acl/acl_base.h"
#include "props/cases/traits.h"
#include "ref/element.h"

namespace gradproof::campaign {
namespace {

using props::Features;

bool has_all(const Features& of, const Features& wanted) {
  return std::includes(of.begin(), of.end(), wanted.begin(), wanted.end());
}

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

constexpr std::string_view kValues = "equivalence";

/// Whether judged cases tell what failures like it need: those of other valid cases.
bool from_examples(const Failure& failure) {
  const props::Case& c = failure.test;
  return !of_library(failure) && c.sequence.empty() &&
         (failure.property->name == kValues || props::is_plain(c));
}

bool same_sort(const Causes::Cause& one, const Causes::Cause& other) {
  return one.op == other.op && one.property == other.property && one.kind == other.kind &&
         one.look == other.look;
}

bool same_sort(const Causes::Cause& cause, const Failure& failure) {
  return cause.kind == failure.verdict.kind && cause.look == failure.verdict.look &&
         (cause.property == failure.property->name || cause.kind == props::kStart) &&
         same_place(failure, cause.op);
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

nlohmann::json Causes::to_json() const {
  nlohmann::json causes = nlohmann::json::array(), examples = nlohmann::json::array();
  for (const Cause& one : all_) {
    causes.push_back({{"operator", one.op},
                      {"property", one.property},
                      {"kind", one.kind},
                      {"look", one.look},
                      {"small", one.small},
                      {"needed", one.needed},
                      {"common", one.common},
                      {"from_examples", one.from_examples},
                      {"others", one.others},
                      {"type", one.type}});
  }
  for (const auto& [of, judged] : examples_)
    examples.push_back({of.first, of.second, judged.to_json()});
  return {{"causes", causes}, {"examples", examples}};
}

void Causes::add(const nlohmann::json& told) {
  for (const nlohmann::json& one : told.at("causes")) {
    all_.push_back({one.at("operator"), one.at("property"), one.at("kind"), one.at("look"),
                    one.at("small"), one.at("needed"), one.at("common"), one.at("from_examples"),
                    one.at("others"), one.at("type")});
  }
  for (const nlohmann::json& judged : told.at("examples"))
    examples_[{judged.at(0), judged.at(1)}].add(judged.at(2));
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

std::string Causes::needed_type(const Failure& small) const {
  const std::int32_t type = small.test.call.tensors.front().dtype;
  if (small.property->name != kValues || type == ACL_FLOAT) return "";
  props::Case in_float = small.test;
  for (ref::Tensor& tensor : in_float.call.tensors) {
    if (tensor.dtype == type) tensor.dtype = ACL_FLOAT;
  }
  return fails_(*small.property, in_float) ? "" : std::string(ref::dtype_name(type));
}

bool Causes::explains(const Cause& other, const Cause& one) {
  return has_all(one.small, other.needed) && (one.type.empty() || other.needed.contains(one.type));
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
    if (!causes[i]->type.empty()) causes[i]->needed.insert(causes[i]->type);
  }
}

std::size_t Causes::sort(const Failure& failure, const Features& features) {
  const Features small = of_library(failure) ? Features() : props::features(failure.test);
  all_.push_back({failure.test.call.op,
                  std::string(failure.property->name),
                  failure.verdict.kind,
                  failure.verdict.look,
                  small,
                  props::in_both(small, features),
                  of_library(failure) ? Features() : features,
                  from_examples(failure),
                  {},
                  needed_type(failure)});
  learn(all_.back());
  const std::size_t last = all_.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    Cause& cause = all_[i];
    if (!same_sort(cause, failure)) continue;
    const bool examples = all_[last].from_examples;
    if (!explains(cause, all_[last]) && (examples || !has_all(cause.small, all_[last].needed)))
      continue;
    if (!examples) cause.needed = props::in_both(cause.needed, all_[last].needed);
    all_.pop_back();
    return i;
  }
  return last;
}

std::optional<std::size_t> Causes::explaining(std::size_t i) const {
  const Cause& one = all_[i];
  for (std::size_t j = 0; j < all_.size(); ++j) {
    const Cause& other = all_[j];
    const bool also = one.op == other.op && other.others.contains(one.property);
    if (j == i || !(also || same_sort(one, other)) || !explains(other, one)) continue;
    // If each explains the other, the first does.
    if (j < i || !explains(one, other)) return j;
  }
  return std::nullopt;
}

bool Causes::differs_in_data(std::size_t i, std::size_t j, const Features& features) const {
  const Cause &one = all_[i], &other = all_[j];
  const auto of_numbers = [](const Cause& cause) {
    return cause.property == kValues && cause.kind == "values" && cause.look != "not written";
  };
  if (one.op != other.op || !of_numbers(one) || !of_numbers(other) || one.look == other.look)
    return false;
  if (one.look == "NaN" || other.look == "NaN")
    return !one.needed.empty() && learned(i) && learned(j) && one.needed == other.needed;
  return !other.needed.empty() && has_all(features, other.needed);
}

void Causes::joins(std::size_t cause, std::string_view property, const Features& features) {
  Cause& to = all_[cause];
  to.common = props::in_both(to.common, features);
  if (property != to.property) to.others.emplace(property);
  if (property != kValues) return;
  std::vector<Examples::Failed>& failed = examples_[{to.op, std::string(property)}].failed();
  if (!failed.empty() && !failed.back().cause) failed.back().cause = cause;
}

}  // namespace gradproof::campaign
