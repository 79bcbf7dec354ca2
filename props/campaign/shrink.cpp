// The greedy search for a smaller failing case.
#include "props/campaign/shrink.h"

#include <algorithm>
#include <utility>

#include "props/campaign/progress.h"
#include "props/campaign/shrink_time.h"
#include "props/cases/describe/size.h"
#include "props/cases/generate/relatives.h"
#include "props/cases/generate/source.h"
#include "props/cases/memory_layout.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/shrink/simpler.h"

namespace gradproof::campaign {
namespace {

/// A smaller case that hangs is believed after so many seconds, until the end: then the last one
/// has to hang for as long as the first did.
constexpr double kHangAttempt = 0.5;
/// Elements of the largest tensor of a case with which attempts are slow.
constexpr std::int64_t kSlow = std::int64_t{1} << 14;
/// Small cases that are drawn at most; time mostly ends it before.
constexpr int kLeaps = 100000, kLeapsForMask = 1000;
/// Those before the first step. What large cases alone show has most of the time for steps.
constexpr int kFirstLeaps = 300;
/// Small cases that are drawn where any of them may fail.
constexpr int kDrawn = 200;

Failure confirmed(Checker& checker, const Failure& small, const Failure& first) {
  if (small.test == first.test) return first;
  props::Verdict verdict = checker.attempt(*small.property, small.test);
  if (verdict.kind != "hang") return first;
  return {small.property, small.test, std::move(verdict), small.during};
}

/// A greedy search: the first simpler case that fails in the same way is where it goes on.
class Search {
 public:
  Search(Checker& checker, Failure failure, std::chrono::milliseconds limit,
         const std::function<bool(const Failure&)>& known)
      : checker_(checker),
        known_(known),
        best_(std::move(failure)),
        source_(best_.test.seed),
        end_(Deadline::clock::now() + limit),
        half_(end_ - limit / 2) {}

  const Failure& best() const { return best_; }

  /// Simpler cases as they stand.
  void descend() {
    for (bool smaller = true; smaller && !over();) {
      const std::vector<props::Case> candidates = props::simpler(best_.test);
      smaller = std::any_of(candidates.begin(), candidates.end(),
                            [&](const props::Case& candidate) { return accept(candidate); });
    }
  }

  /// Small cases of the same kind, where no step leads down from a case too large to be read: what
  /// fails for few numbers only fails for some small ones too.
  void leap() { draw(kLeaps, end_); }

  /// The same first, where steps are slow: if one takes a third of a second, the way down does not
  /// fit into the time.
  void leap_if_slow() {
    if (props::largest_tensor(best_.test) > kSlow) draw(kFirstLeaps, half_);
  }

  /// For a failure that depends on no case: draws small cases, and takes the smallest that fails
  /// too. One attempt may take seconds, so all are drawn before the first attempt.
  void take_any() {
    std::vector<props::Case> drawn;
    for (int i = 0; i < kDrawn; ++i) {
      if (std::optional<props::Case> small = props::small_relative(source_, best_.test))
        drawn.push_back(*std::move(small));
    }
    // Empty tensors come last: they show least.
    std::ranges::stable_sort(drawn, {}, [](const props::Case& c) {
      return std::pair(props::largest_tensor(c) == 0, props::claimed_bytes(c));
    });
    (void)std::ranges::any_of(drawn, [&](const props::Case& small) { return accept(small); });
  }

  /// Simpler valid cases, mutated in the same way; first by one mutation instead of two.
  void beneath(Origin origin) {
    for (const props::Mutation& alone : std::vector<props::Mutation>(origin.mutations)) {
      if (origin.mutations.size() > 1 && accept(alone.mutated)) origin.mutations = {alone};
    }
    for (bool smaller = true; smaller && !over();) {
      const std::vector<props::Case> candidates = props::simpler(origin.valid);
      smaller = std::any_of(
          candidates.begin(), candidates.end(),
          [&](const props::Case& candidate) { return mutated_again(candidate, origin); });
    }
  }

 private:
  void draw(int most, Deadline end) {
    if (ref::expect(best_.test.call).rule != nullptr) return;
    for (int i = 0, for_mask = 0; i < most && !over() && !is_over(end); ++i) {
      if (props::largest_tensor(best_.test) <= props::kReadable) return;
      // Large windows have a large mask, whatever else is small.
      if (props::largest_but_masks(best_.test) <= props::kReadable && ++for_mask > kLeapsForMask)
        return;
      const std::optional<props::Case> small = props::small_relative(source_, best_.test);
      if (small && accept(*small)) descend();
    }
  }

  /// What was selected stays selected: a finding in BF16 is not shrunk to FLOAT.
  bool leaves_selection(const props::Case& candidate) const {
    const Selection& selection = checker_.selection();
    return selection.takes_point_of(best_.test) && !selection.takes_point_of(candidate);
  }

  /// A correct library refuses tensors that cannot all be in memory, as they overlap, unless they
  /// have no data.
  bool leaves_memory(const props::Case& candidate) const {
    const auto fits = [](const props::Case& c) {
      return props::fits_address_space(props::layout_of(c.call));
    };
    const auto with_data = [](const props::Case& c) {
      return std::ranges::count(c.call.tensors, false, &ref::Tensor::null_data);
    };
    return !fits(candidate) && (fits(best_.test) || with_data(candidate) > with_data(best_.test));
  }

  bool over() const { return is_over(end_) || interrupted(); }

  bool accept(const props::Case& candidate) {
    if (over() || !checker_.meets(*best_.property, candidate) || leaves_selection(candidate) ||
        leaves_memory(candidate))
      return false;
    if (best_.property->runs && !props::costs_no_more(candidate, best_.test)) return false;
    // A new process: what a failed sequence left in the library would make every smaller one fail
    // too, and some services fail only the first time that a process is checked.
    if (!candidate.sequence.empty() || best_.keeps_data || best_.property->of_library)
      checker_.renew();
    if (best_.after) (void)checker_.attempt(*best_.property, *best_.after);
    props::Verdict verdict = checker_.attempt(*best_.property, candidate,
                                              best_.verdict.kind == "hang" ? kHangAttempt : 0);
    if (verdict.held || verdict.kind != best_.verdict.kind || verdict.look != best_.verdict.look)
      return false;
    Failure smaller = best_;
    smaller.test = candidate;
    smaller.verdict = std::move(verdict);
    smaller.during = nullptr;
    if (known_ && known_(smaller)) return false;
    best_ = std::move(smaller);
    return true;
  }

  bool mutated_again(const props::Case& valid, Origin& origin) {
    if (over()) return false;
    for (const props::Mutation& one : props::mutations_like(origin.mutations.front(), valid)) {
      if (origin.mutations.size() == 1) {
        if (!accept(one.mutated)) continue;
        origin = {valid, {one}};
        return true;
      }
      for (const props::Mutation& other : props::mutations_like(origin.mutations.back(), valid)) {
        const std::optional<props::Case> pair = props::both(valid, one, other);
        if (!pair || !accept(*pair)) continue;
        origin = {valid, {one, other}};
        return true;
      }
    }
    return false;
  }

  Checker& checker_;
  const std::function<bool(const Failure&)>& known_;
  Failure best_;
  props::SeededSource source_;
  Deadline end_, half_;
};

}  // namespace

Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit,
               const std::optional<Origin>& origin,
               const std::function<bool(const Failure&)>& known) {
  const Failure first = failure;
  Search search(checker, std::move(failure), limit, known);
  if (first.property->of_library) {
    search.take_any();
  } else {
    if (origin) search.beneath(*origin);
    search.leap_if_slow();
    search.descend();
    search.leap();
  }
  return first.verdict.kind == "hang" ? confirmed(checker, search.best(), first) : search.best();
}

}  // namespace gradproof::campaign
