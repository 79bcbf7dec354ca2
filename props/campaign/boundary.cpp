// Boundary cases, base by base.
#include "props/campaign/boundary.h"

#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace gradproof::campaign {
namespace {

constexpr std::size_t kBatch = 128;
/// Bases that are drawn in vain for borders that are left: one that still is not met has no edit.
constexpr std::uint64_t kDraws = 60;
/// The base of what the first bases left out, in whichever turn it comes; no other base has it.
constexpr std::uint64_t kLeft = std::uint64_t{1} << 40;

}  // namespace

Origin BoundaryCase::origin() const {
  Origin origin{*valid, {first}};
  if (second) origin.mutations.push_back(*second);
  return origin;
}

BoundaryQueue::BoundaryQueue(const Schedule& schedule, std::vector<ref::Product> products,
                             Shard shard)
    : schedule_(schedule), products_(std::move(products)), shard_(shard) {}

std::vector<BoundaryCase> BoundaryQueue::take() {
  const std::size_t count = std::min(kBatch, waiting_.size());
  std::vector<BoundaryCase> batch;
  for (std::size_t i = 0; i < count; ++i) {
    batch.push_back(std::move(waiting_.back()));
    waiting_.pop_back();
  }
  return batch;
}

void BoundaryQueue::load(std::uint64_t b) {
  if (!completed_ && shard_.index == 1 && b >= schedule_.first_bases()) {
    completed_ = true;
    complete();
    number(0, kLeft);
  }
  const std::size_t first = waiting_.size();
  add_base(b);
  number(first, b);
  std::reverse(waiting_.begin(), waiting_.end());
}

void BoundaryQueue::number(std::size_t first, std::uint64_t base) {
  std::uint64_t index = 0;
  for (std::size_t i = first; i < waiting_.size(); ++i)
    waiting_[i].base = base, waiting_[i].index = index++;
}

std::vector<props::Mutation> BoundaryQueue::edits(const props::Case& valid) const {
  std::vector<props::Mutation> all = props::mutations(valid);
  std::erase_if(all,
                [&](const props::Mutation& one) { return !schedule_.wants_edited(valid, one); });
  return all;
}

void BoundaryQueue::add_base(std::uint64_t b) {
  const auto valid = std::make_shared<const props::Case>(schedule_.base(b));
  if (!schedule_.wants(*valid)) return;
  std::vector<props::Mutation> all = edits(*valid);
  // Those that change the product together, for each change restarts the library.
  std::stable_sort(all.begin(), all.end(),
                   [](const props::Mutation& one, const props::Mutation& other) {
                     return one.mutated.call.product < other.mutated.call.product;
                   });
  add_pairs(valid, all, b);
  for (props::Mutation& one : all) waiting_.push_back({valid, std::move(one), {}, {}, 0, 0});
}

void BoundaryQueue::add_pairs(const std::shared_ptr<const props::Case>& valid,
                              const std::vector<props::Mutation>& all, std::uint64_t base) {
  props::SeededSource source = schedule_.source(2, base);
  std::map<std::string_view, std::vector<const props::Mutation*>> by_rule;
  for (const props::Mutation& one : all) {
    const ref::Product product = one.mutated.call.product;
    // Another product restarts the library for one call: only where the product is what the rule is
    // about.
    const bool worth = product == valid->call.product ||
                       (one.rule == "platform" && source.below(4) == 0 &&
                        std::find(products_.begin(), products_.end(), product) != products_.end());
    if (one.breaks && worth) by_rule[one.rule].push_back(&one);
  }
  const auto any = [&](const std::vector<const props::Mutation*>& of) -> const props::Mutation& {
    return *of[source.below(of.size())];
  };
  for (const auto& [rule, of] : by_rule) {
    // A null pointer beats each rule; of two other rules the earlier one is answered.
    const auto random =
        std::next(by_rule.begin(), static_cast<std::ptrdiff_t>(source.below(by_rule.size())));
    for (const auto& other : {by_rule.find("null-argument"), random}) {
      if (other == by_rule.end() || other->first == rule) continue;
      const props::Mutation &one = any(other->second), &two = any(of);
      if (std::optional<props::Case> both = props::both(*valid, one, two))
        waiting_.push_back({valid, one, two, std::move(*both), 0, 0});
    }
  }
}

/// What is left follows from the schedule alone, so that shards agree about it.
void BoundaryQueue::complete() {
  std::set<props::BoundarySide> left;
  for (const ref::Product product : products_) {
    for (props::BoundarySide& side : props::boundary_sides(schedule_.op(), product)) {
      if (schedule_.wants(side)) left.insert(std::move(side));
    }
  }
  for (std::uint64_t j = 0; j < schedule_.sweep(); ++j) {
    for (const props::BoundarySide& side : props::sides_of_valid(schedule_.step(j).valid.call))
      left.erase(side);
  }
  for (std::uint64_t b = 0; b < schedule_.first_bases(); ++b) {
    const props::Case base = schedule_.base(b);
    if (!schedule_.wants(base)) continue;
    for (const props::Mutation& one : edits(base)) left.erase(props::side_of(one));
  }
  for (std::uint64_t draw = 0, last = 0; draw < last + kDraws && !left.empty(); ++draw) {
    // Bases beyond those that any shard will take.
    const auto valid =
        std::make_shared<const props::Case>(schedule_.base((std::uint64_t{1} << 62) + draw));
    if (!schedule_.wants(*valid)) continue;
    for (props::Mutation& one : edits(*valid)) {
      if (left.erase(props::side_of(one)) == 0) continue;
      waiting_.push_back({valid, std::move(one), {}, {}, 0, 0});
      last = draw;
    }
  }
}

}  // namespace gradproof::campaign
