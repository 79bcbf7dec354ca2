// What a campaign has to do for one operator, and whose turn it is among its kinds of work.
#pragma once

#include <map>

#include "props/campaign/boundary.h"
#include "props/campaign/kernel_turns.h"
#include "props/campaign/schedule.h"
#include "props/campaign/sequences.h"
#include "props/campaign/turns.h"
#include "props/cases/describe/promises.h"
#include "props/profiles/profile.h"

namespace gradproof::campaign {

/// Kinds of work take turns from the start: a library may be wrong in any of them.
enum class Kind : std::size_t { values, boundary, sequences, kernels };

/// How long each property has been checked, on one operator or on all, so that a costly one cannot
/// keep others from their turn.
class PropertyTime {
 public:
  /// Whether the property's turn has come, in a campaign that shares time.
  bool due(const props::Property& property) const;
  void use(const props::Property& property, double seconds);

 private:
  std::map<const props::Property*, double> spent_;
  double sum_ = 0;
};

/// Element types of which a kernel declined every case.
class DeclinedTypes {
 public:
  void saw(std::int32_t type, bool declined) {
    Seen& seen = seen_[type];
    seen.declined += declined;
    seen.computed = seen.computed || !declined;
  }
  bool contain(std::int32_t type) const {
    constexpr int kEnough = 16;
    const auto seen = seen_.find(type);
    return seen != seen_.end() && !seen->second.computed && seen->second.declined >= kEnough;
  }

 private:
  struct Seen {
    int declined = 0;
    bool computed = false;
  };
  std::map<std::int32_t, Seen> seen_;
};

/// What cases may ask for, and a library with this profile does not promise.
inline std::vector<std::string_view> unpromised(const profiles::Profile& profile) {
  std::vector<std::string_view> all = {props::kNonFittingScales, props::kForwardNan};
  std::erase_if(all, [&](std::string_view promise) { return profile.promises(promise); });
  return all;
}

struct Work {
  Work(ref::Operator which, const Settings& settings, const profiles::Profile& profile,
       const std::vector<ref::Product>& products, const std::vector<ref::Operator>& operators,
       props::Functions functions, const props::Choices& choices, SequenceQueue* first_sequences)
      : op(which),
        schedule(which, products, settings.seed, settings.selection, unpromised(profile)),
        kernels(schedule, choices),
        several_kernels(!choices.kernels.empty() &&
                        choices.kernels[static_cast<std::size_t>(which)].size() > 1),
        boundary(schedule, products, settings.shard),
        sequences(schedule, products, operators, functions, first_sequences),
        next_step(static_cast<std::uint64_t>(settings.shard.index - 1)),
        first_shard(settings.shard.index == 1),
        next_base(next_step),
        next_sequence(next_step),
        next_small(next_step) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Whether the part of the contract that is this operator's was walked.
  bool swept(bool sequences_too) {
    return next_step >= schedule.sweep() && next_base > schedule.first_bases() &&
           boundary.empty() && (!first_shard || boundary.completed()) &&
           (!sequences_too || next_sequence >= sequences.covering());
  }

  /// Leaves out most steps behind the sweep, and bases, of types that the kernel declines.
  /// @param count  of the shards
  void leave_out_declined(std::uint64_t count) {
    constexpr int kOneIn = 16;
    const auto out = [&](std::int32_t type, std::uint64_t n) {
      return declined.contain(type) && !schedule.due(n, kOneIn);
    };
    while (next_step >= schedule.sweep() && out(schedule.type_of_step(next_step), next_step))
      next_step += count;
    while (out(schedule.type_of_base(next_base), next_base)) next_base += count;
  }

  const ref::Operator op;
  const Schedule schedule;
  KernelTurns kernels;
  const bool several_kernels;  ///< of the library, as it tells
  /// Its share of the campaign's time, relative to other operators'. Most code of a library that
  /// tells several kernels is in them.
  double weight() const { return several_kernels ? 2 : 1; }
  BoundaryQueue boundary;
  SequenceQueue sequences;
  /// Values need more than the rest, for there is most to be wrong; kernels of a library that tells
  /// several need most, for each has cases of its own.
  Turns kinds{{4, 2, 1, 8}};
  std::uint64_t next_step;  ///< of the schedule
  const bool first_shard;   ///< takes what the first bases of boundary cases left out
  std::uint64_t next_base;  ///< of boundary cases
  std::uint64_t next_sequence;
  std::uint64_t next_small;  ///< of small cases, some at a time
  PropertyTime time;
  DeclinedTypes declined;
  int losses_at_boundaries = 0;  ///< of the library, over boundary cases that were run
};

}  // namespace gradproof::campaign
