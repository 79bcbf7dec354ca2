// Sorts failing checks, shrinks the first of each cause, and settles the findings at the end.
#include "props/campaign/findings.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "props/campaign/earlier_call.h"
#include "props/campaign/hints.h"
#include "props/campaign/join_alike.h"
#include "props/campaign/new_process.h"
#include "props/campaign/picture.h"
#include "props/campaign/progress.h"
#include "props/campaign/trial_of_features.h"
#include "props/cases/input_error.h"
#include "props/cases/shapes.h"
#include "props/profiles/finding_kinds.h"
#include "props/report/findings.h"
#include "props/sequences/model.h"

namespace gradproof::campaign {
namespace {

/// After so many losses of one cause, one in so many cases that have its features is asked about:
/// it may take more than these.
constexpr std::uint64_t kEnoughLosses = 8, kOneIn = 16;

/// Whether the library is lost over cases, of which judged ones tell what the loss needs.
bool is_loss_of_cases(const Causes::Cause& cause) {
  return cause.from_examples && (cause.kind == "crash" || cause.kind == "exit");
}

}  // namespace

void Findings::saw(const props::Check& check, const props::Verdict& verdict) {
  const props::Case& c = *check.test;
  if (!check.property->of_library && c.sequence.empty() &&
      (check.property->name == "equivalence" || props::is_plain(c)))
    causes_.judged(check, verdict);
}

void Findings::add(const Failure& found, std::uint64_t number, const Ask& origin) {
  const auto counted = [&] {
    std::uint64_t sum = 0;
    for (const report::Failure& failure : report_.failures) sum += failure.total();
    return sum;
  };
  const std::uint64_t before = counted();
  try {
    find_cause(found, number, origin);
  } catch (...) {
    // Memory or processes ran out: it stays as it was met, and the campaign ends.
    if (counted() == before) write_down(found, number);
    throw;
  }
}

void Findings::write_down(const Failure& found, std::uint64_t number) {
  report::Failure& failure = report_.failures.emplace_back(summary(found, settings_));
  failure.number = number;
  failure.seconds = elapsed_();
  failure.shrunk = false;
}

void Findings::find_cause(const Failure& found, std::uint64_t number, const Ask& origin) {
  const props::Features features = props::features(found.test);
  // The case of a check that fails by another call is no example of the cause.
  const auto count = [&](std::size_t cause) {
    report_.failures[cause].add(found.test.call.op, std::string(found.property->name), 1);
  };
  std::optional<std::size_t> cause = try_causes(causes_, checker_, found, features);
  props::Features apart;
  if (cause) apart = causes_.apart(*cause, found, features);
  if (!cause) {
    if (const std::optional<std::size_t> usual = usual_cause(found)) return count(*usual);
  }
  if (!cause || !apart.empty()) {
    const Sorted sorted = sort(found, features, number, origin, apart);
    cause = sorted.cause;
    if (sorted.by_other_call) {
      OfOtherCalls& of = of_other_calls_[relation(found)];
      if (of.cause != *cause) of = {*cause};
      ++of.failures;
      return count(*cause);
    }
  }
  if (!cause) cause = causes_.nearest(found, features);
  joins(*cause, found, features);
}

std::optional<std::size_t> Findings::usual_cause(const Failure& found) {
  constexpr int kEnough = 20;     // each costs as much as several checks
  constexpr int kTriedOneIn = 8;  // of the later ones: another cause may look the same
  const auto of = of_other_calls_.find(relation(found));
  if (of == of_other_calls_.end() || of->second.failures < kEnough ||
      ++of->second.taken % kTriedOneIn == 0)
    return std::nullopt;
  return of->second.cause;
}

Findings::Sorted Findings::sort(const Failure& first, const props::Features& of_case,
                                std::uint64_t number, const Ask& origin,
                                const props::Features& apart) {
  const double begun = elapsed_();
  const auto limit = shrink_time_.next(begun, first.verdict.kind == "hang");
  // Without time to tell: while the kernel keeps data between calls, any case may fail.
  const std::optional<std::size_t> earlier_call = causes_.earlier_call(first.test.call.op);
  if (limit.count() == 0 && earlier_call && !ends_process(first) &&
      profiles::gravity_of(causes_[*earlier_call].kind) == profiles::gravity_of(first.verdict.kind))
    return {earlier_call, true};
  if (limit.count() == 0 && causes_.nearest(first, of_case)) return {};
  if (report_.failures.empty()) seconds_to_failure_ = begun;
  // Written down before it is shrunk, so that it stays if the campaign ends meanwhile.
  write_down(first, number);
  Reduced reduced = reduce(first, of_case, limit, origin, apart);
  std::optional<std::size_t>& cause = reduced.cause;
  if (!cause)
    cause = causes_.sort(reduced.found, reduced.features, apart,
                         explaining_entries(checker_, reduced.found, reduced.details),
                         passes_contiguous(checker_, reduced.found, reduced.details));
  if (*cause + 1 < report_.failures.size()) {
    report_.failures.pop_back();
  } else {
    write_up(reduced, limit.count() > 0);
    report_.failures.back().number = number;
    report_.failures.back().seconds = begun;
    found_();
  }
  shrink_time_.spent(elapsed_() - begun);
  return {cause, reduced.by_other_call};
}

std::set<ref::Operator> Findings::operators_of_sequence(const props::Case& c) const {
  std::set<ref::Operator> all;
  if (c.sequence.empty()) return all;
  for (const props::Case& call : props::World(c, checker_.operators(), checker_.functions()).calls)
    all.insert(call.call.op);
  return all;
}

Findings::Reduced Findings::reduce(const Failure& first, const props::Features& of_case,
                                   std::chrono::milliseconds limit, const Ask& origin,
                                   const props::Features& apart) {
  // One more attempt, even without time to shrink: a relation may fail for what is known.
  Reduced of{plain_failures_.of(first)};
  of.by_other_call = !(of.found.test == first.test);
  of.features = of.by_other_call ? props::features(of.found.test) : of_case;
  of.cause = try_causes(causes_, checker_, of.found, of.features, apart);
  if (of.cause) return of;
  if (limit.count() == 0) {
    of.cause = causes_.nearest(of.found, of.features);
  } else if (!ends_process(of.found) && passes_alone(checker_, of.found)) {
    of.by_other_call = true;  // its features say nothing
    std::set<ref::Operator> calls = operators_of_sequence(of.found.test);
    of.cause = causes_.earlier_call(of.found.test.call.op, calls);
    // A call by itself shows more than a sequence.
    if (of.cause && (causes_[*of.cause].calls.empty() || !calls.empty())) return of;
    of.found = with_earlier_call(checker_, std::move(of.found), checker_.before(first.test), limit);
    of.cause = causes_.add_earlier_call(of.found, std::move(calls));
  } else {
    make_small(of, limit, origin, apart);
  }
  return of;
}

void Findings::make_small(Reduced& of, std::chrono::milliseconds limit, const Ask& origin,
                          const props::Features& apart) {
  Failure& found = of.found;
  const auto known = [&](const Failure& smaller) {
    const props::Features has = props::features(smaller.test);
    return !std::includes(has.begin(), has.end(), apart.begin(), apart.end()) ||
           try_causes(causes_, checker_, smaller, has, apart).has_value();
  };
  if (ends_process(found)) found = alone(checker_, std::move(found), of.details);
  const Failure whole = found;
  const Failure small = shrink(checker_, std::move(found), limit, origin(), known);
  of.details = details_from_now();
  found = plain_failures_.of(small);
  const bool other_now = !(found.test == small.test);
  // Whatever smaller cases before it did to the process: it must fail by itself.
  if (!ends_process(found)) {
    found = alone(checker_, std::move(found), of.details);
    if (found.passes_alone) {
      Failure again = whole;
      again.keeps_data = true;
      found = shrink(checker_, std::move(again), limit, std::nullopt, known);
      of.details = details_from_now();
    }
  } else if (!(found.test == whole.test) && repeat(checker_, found).kind != found.verdict.kind) {
    found = whole;
  }
  if (other_now && !(found.test == whole.test)) {
    of.by_other_call = true;
    of.features = props::features(found.test);
  }
}

void Findings::write_up(Reduced& of, bool shrunk) {
  std::string seen = picture(checker_, of.found);
  if (!of.found.chance.empty()) of.found.verdict.finding += "\n  " + of.found.chance;
  report::Failure& failure = report_.failures.back() = summary(of.found, settings_);
  failure.shrunk = shrunk;
  failure.picture = std::move(seen);
  failure.in_common = report::telling(report_.operators[failure.op],
                                      props::in_both(of.features, causes_[*of.cause].needed), 1);
  if (shrunk && !of.found.keeps_data)
    causes_.leave_out(*of.cause, unneeded(checker_, of.found, of.details));
  std::erase_if(failure.in_common, [&](const std::string& feature) {
    return causes_[*of.cause].unneeded.contains(feature);
  });
  failure.hints = hints(causes_[*of.cause], report_.question);
  failure.count = 0;  // who asked for it counts the check
  keep_in_files(of.found);
}

void Findings::joins(std::size_t cause, const Failure& found, const props::Features& features) {
  report_.failures[cause].add(found.test.call.op, std::string(found.property->name), 1);
  causes_.joins(cause, found.property->name, features);
  // What a loss needs decides which cases are avoided; more examples tell it better.
  if (is_loss_of_cases(causes_[cause]) && std::has_single_bit(report_.failures[cause].total()))
    causes_.learn(cause);
}

Findings::Relation Findings::relation(const Failure& found) {
  const ref::Operator op = found.test.call.op;
  const auto data = static_cast<std::size_t>(props::data_slot(op));
  return {op, found.property->name, mode(found.verdict.kind, found.verdict.look),
          found.test.fills[data].kind};
}

void Findings::keep_in_files(const Failure& found) {
  database_.keep(found, settings_);
  if (settings_.save.empty()) return;
  try {
    saved_.insert(keep(settings_.save, found, settings_));
  } catch (const props::InputError& e) {  // no finding is lost over it
    std::fprintf(stderr, "gradproof: %s\n", e.what());
  }
}

bool Findings::is_lost_again(const props::Case& c) {
  std::optional<props::Features> features;
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    const Causes::Cause& cause = causes_[i];
    if (!is_loss_of_cases(cause) || cause.op != c.call.op || cause.needed.empty() ||
        report_.failures[i].total() < kEnoughLosses)
      continue;
    if (!features) features = props::features(c);
    if (std::includes(features->begin(), features->end(), cause.needed.begin(), cause.needed.end()))
      return ++lost_again_ % kOneIn != 0;
  }
  return false;
}

void Findings::settle(bool search) {
  causes_.learn();
  if (search) find_missed();
  if (settings_.tally == nullptr) join_alike(causes_, report_);
}

/// Shrinks failing examples that no cause explains any more. They were counted for a cause whose
/// needed features were not known well enough, or there was no time to shrink them.
void Findings::find_missed() {
  const std::size_t before = causes_.size();
  if (settings_.max_failures > 0 && before >= settings_.max_failures) return;
  if (report_.failures.size() != before) return;  // what is being shrunk has ended the campaign
  for (const auto& [failure, sorted_to] : causes_.judged_failures()) {
    if (interrupted()) return;
    const props::Features features = props::features(failure.test);
    std::optional<std::size_t> cause = try_causes(causes_, checker_, failure, features);
    if (!cause) cause = usual_cause(failure);
    if (!cause) cause = sort(failure, features, 0, [] { return std::nullopt; }, {}).cause;
    const std::string property(failure.property->name);
    if (cause && sorted_to && *cause != *sorted_to &&
        report_.failures[*sorted_to].take_one(failure.test.call.op, property))
      joins(*cause, failure, features);
  }
}

}  // namespace gradproof::campaign
