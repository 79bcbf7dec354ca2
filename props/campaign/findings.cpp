// Sorts failing checks, shrinks the first of each cause, and settles the findings at the end.
#include "props/campaign/findings.h"

#include <algorithm>
#include <cstdio>

#include "props/campaign/earlier_call.h"
#include "props/campaign/hints.h"
#include "props/campaign/join_alike.h"
#include "props/campaign/picture.h"
#include "props/campaign/trial_of_features.h"
#include "props/cases/data/data.h"
#include "props/cases/input_error.h"
#include "props/cases/shapes.h"
#include "props/cases/shrink/simpler.h"
#include "props/profiles/known.h"
#include "props/report/findings.h"

namespace gradproof::campaign {
namespace {

/// A case over which the library was lost, or another call of a check, runs if its tensors take no
/// more.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
/// After so many losses of one cause, one in so many cases that have its features is asked about:
/// it may take more than these.
constexpr std::uint64_t kEnoughLosses = 10, kOneIn = 16;

/// A hang is not waited for once more.
bool ends_process(const Failure& failure) {
  return props::is_loss(failure.verdict) && failure.verdict.kind != "hang";
}

}  // namespace

void Findings::saw(const props::Check& check, const props::Verdict& verdict) {
  const props::Case& c = *check.test;
  if (!check.property->of_library && c.sequence.empty() &&
      (check.property->name == "equivalence" || props::is_plain(c)))
    causes_.judged(check, verdict);
}

void Findings::add(const Failure& found, std::uint64_t number, const Ask& origin) {
  const props::Features features = props::features(found.test);
  // The case of a check that fails by another call is no example of the cause.
  const auto count = [&](std::size_t cause) {
    report_.failures[cause].add(found.test.call.op, std::string(found.property->name), 1);
  };
  std::optional<std::size_t> cause = explaining(found, features);
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
  if (limit.count() == 0 && earlier_call && !ends_process(first)) return {earlier_call, true};
  if (limit.count() == 0 && causes_.nearest(first, of_case)) return {};
  if (report_.failures.empty()) seconds_to_failure_ = begun;
  // Written down before it is shrunk, so that it stays if the campaign ends meanwhile.
  report_.failures.push_back(summary(first, settings_));
  report_.failures.back().number = number;
  report_.failures.back().seconds = begun;
  report_.failures.back().shrunk = false;
  // One more attempt, even without time to shrink: a relation may fail for what is known.
  Failure found = plainer(first);
  bool by_other_call = !(found.test == first.test);
  props::Features features = by_other_call ? props::features(found.test) : of_case;
  std::optional<std::size_t> cause = explaining(found, features, apart);
  if (!cause && limit.count() == 0) cause = causes_.nearest(found, features);
  const bool alone_it_passes =
      !cause && limit.count() > 0 && !ends_process(found) && passes_alone(checker_, found);
  if (alone_it_passes) {
    cause = earlier_call;
    by_other_call = true;  // its features say nothing
    if (!cause) {
      found = with_earlier_call(checker_, std::move(found), limit);
      cause = causes_.add_earlier_call(found);
    }
  } else if (!cause && limit.count() > 0) {
    const auto known = [&](const Failure& smaller) {
      const props::Features has = props::features(smaller.test);
      return !std::includes(has.begin(), has.end(), apart.begin(), apart.end()) ||
             explaining(smaller, has, apart).has_value();
    };
    if (ends_process(found)) found = alone(std::move(found));
    const Failure whole = found;
    const Failure small = shrink(checker_, std::move(found), limit, origin(), known);
    found = plainer(small);
    const bool other_now = !(found.test == small.test);
    // Whatever smaller cases before it did to the process: it must fail by itself.
    if (!ends_process(found)) {
      found = alone(std::move(found));
      if (found.passes_alone) {
        Failure again = whole;
        again.keeps_data = true;
        found = shrink(checker_, std::move(again), limit, std::nullopt, known);
      }
    } else if (!(found.test == whole.test) && repeat(found).kind != found.verdict.kind) {
      found = whole;
    }
    if (other_now && !(found.test == whole.test)) {
      by_other_call = true;
      features = props::features(found.test);
    }
  }
  if (!cause)
    cause = causes_.sort(found, features, apart, explaining_entries(checker_, found),
                         passes_contiguous(checker_, found));
  shrink_time_.spent(elapsed_() - begun);
  if (*cause + 1 < report_.failures.size()) {
    report_.failures.pop_back();
    return {cause, by_other_call};
  }
  std::string seen = picture(checker_, found);
  report::Failure& failure = report_.failures.back() = summary(found, settings_);
  failure.count = 0;
  failure.shrunk = limit.count() > 0;
  failure.number = number;
  failure.seconds = begun;
  failure.picture = std::move(seen);
  failure.in_common = report::telling(report_.operators[failure.op],
                                      props::in_both(features, causes_[*cause].needed), 1);
  if (limit.count() > 0 && !found.keeps_data) causes_.leave_out(*cause, unneeded(checker_, found));
  std::erase_if(failure.in_common, [&](const std::string& feature) {
    return causes_[*cause].unneeded.contains(feature);
  });
  failure.hints = hints(causes_[*cause], report_.question);
  keep_in_files(found);
  found_();
  return {cause, by_other_call};
}

std::optional<std::size_t> Findings::explaining(const Failure& found,
                                                const props::Features& features,
                                                const props::Features& also) {
  const std::optional<std::size_t> of_strides = causes_.of_strides(found.test.call.op);
  if (of_strides && passes_contiguous(checker_, found)) return of_strides;
  std::set<std::uint16_t> entries;  // of all causes together: a case may need several
  std::vector<std::size_t> by_entries;
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    if (causes_[i].op != found.test.call.op || causes_[i].entries.empty()) continue;
    entries.insert(causes_[i].entries.front().begin(), causes_[i].entries.front().end());
    by_entries.push_back(i);
  }
  if (by_entries.empty() || report::severity(found.verdict.kind) != report::kWrongResult)
    return causes_.explaining(found, features, also);
  const auto with = [&](const profiles::Some& some) {
    return checker_.attempt_with(*found.property, found.test, some);
  };
  const props::Verdict verdict = with({entries.begin(), entries.end()});
  if (!verdict.held || !verdict.checked)
    return causes_.explaining(found, features, also, !verdict.checked);
  for (const std::size_t i : by_entries) {
    Explanations left = causes_[i].entries;
    if (by_entries.size() == 1 && left.size() == 1) return i;
    std::erase_if(left, [&](const profiles::Some& some) { return !with(some).held; });
    if (left.empty()) continue;
    causes_.narrow(i, std::move(left));
    return i;
  }
  return by_entries.front();
}

void Findings::joins(std::size_t cause, const Failure& found, const props::Features& features) {
  report_.failures[cause].add(found.test.call.op, std::string(found.property->name), 1);
  causes_.joins(cause, found.property->name, features);
}

Findings::Relation Findings::relation(const Failure& found) {
  const ref::Operator op = found.test.call.op;
  const auto data = static_cast<std::size_t>(props::data_slot(op));
  return {op, found.property->name, mode(found.verdict.kind, found.verdict.look),
          found.test.fills[data].kind};
}

Failure Findings::with_plain_data(Failure found) {
  using Kind = props::Fill::Kind;
  if (found.verdict.kind != "values" || !found.test.sequence.empty()) return found;
  // Whole numbers have exact sums: where they are wrong, the cause is no rounding.
  const auto data = static_cast<std::size_t>(props::data_slot(found.test.call.op));
  const Kind kind = found.test.fills[data].kind;
  if ((kind == Kind::uniform || kind == Kind::normal) && found.verdict.look != "rounding")
    return found;
  if (found.verdict.look == "rounding") {
    // Terms that cancel may leave so little that any error may be one of rounding. Ones do not.
    props::Case ones = found.test;
    ones.fills[data] = {Kind::constant, 1, 0};
    props::Verdict verdict = checker_.attempt(*found.property, ones);
    if (!verdict.held && verdict.kind == found.verdict.kind && verdict.look != "rounding" &&
        settings_.known.find(verdict.kind, found.property->name, ones) == nullptr)
      return {found.property, ones, std::move(verdict), nullptr};
  }
  for (const props::Case& c : props::with_plain_data(found.test)) {
    props::Verdict verdict = checker_.attempt(*found.property, c);
    // NaN beside wrong numbers of plain data are another failure than the numbers, and more than
    // rounding is another failure than rounding.
    if ((found.verdict.look == "NaN" && verdict.some_nan && verdict.look.empty()) ||
        (found.verdict.look != "rounding" && verdict.look == "rounding"))
      continue;
    if (!verdict.held && verdict.kind == found.verdict.kind &&
        settings_.known.find(verdict.kind, found.property->name, c) == nullptr)
      return {found.property, c, std::move(verdict), nullptr};
  }
  return found;
}

Failure Findings::plainer(Failure found) {
  const props::Property* values = props::find_property("equivalence");
  if (found.property == values) return with_plain_data(std::move(found));
  // What became of a process may have happened in the plain call, whatever was asked.
  const bool lost = ends_process(found) && props::runnable(found.test, kMostBytes);
  if (!(found.property->runs || lost) || found.property->of_library ||
      found.verdict.kind == "hang" || !found.test.sequence.empty() ||
      !values->applies(found.test) ||
      std::find(properties_.begin(), properties_.end(), values) == properties_.end())
    return found;
  const auto as_value = [&](const props::Case& c) -> std::optional<Failure> {
    props::Verdict verdict = checker_.attempt(*values, c);
    // Damage to memory is worse than a wrong value: it stays, though the plain call shows the
    // value.
    if (verdict.held || props::is_loss(verdict) != lost ||
        (profiles::is_damage(found.verdict.kind) && !profiles::is_damage(verdict.kind)) ||
        settings_.known.find(verdict.kind, values->name, c) != nullptr)
      return std::nullopt;
    return Failure{values, c, std::move(verdict), nullptr};
  };
  if (std::optional<Failure> own = as_value(found.test)) return with_plain_data(*std::move(own));
  // Data of other calls differ from those of the check, so another failure may be another defect.
  const auto like = [&](const Failure& other) {
    return lost || profiles::is_damage(found.verdict.kind)
               ? other.verdict.kind == found.verdict.kind
               : report::gravity(other.verdict.kind) == report::gravity(found.verdict.kind);
  };
  for (const props::Case& c : other_calls(found)) {
    std::optional<Failure> other = as_value(c);
    if (other && like(*other)) return *std::move(other);
  }
  return found;
}

std::vector<props::Case> Findings::other_calls(const Failure& found) {
  const props::Property& values = *props::find_property("equivalence");
  std::vector<props::Case> calls;
  for (const props::Case& c : checker_.look_at(*found.property, found.test).calls.made) {
    if (c.call.op == found.test.call.op && !(c == found.test) &&
        std::find(calls.begin(), calls.end(), c) == calls.end() && checker_.meets(values, c) &&
        checker_.selection().takes_point_of(c) && props::runnable(c, kMostBytes))
      calls.push_back(c);
  }
  return calls;
}

props::Verdict Findings::repeat(Failure& found) {
  checker_.renew();
  props::Verdict verdict = checker_.attempt(*found.property, found.test);
  if (verdict.kind == found.verdict.kind) found.verdict = verdict;
  return verdict;
}

Failure Findings::alone(Failure found) {
  if (found.verdict.kind == "hang" || found.property->of_library) return found;
  const props::Verdict verdict = repeat(found);
  found.passes_alone = verdict.held;
  if (verdict.held)
    found.verdict.finding +=
        "\n  does not fail in a new process: an earlier call, or chance, may be the cause";
  else if (verdict.kind != found.verdict.kind)
    found.verdict.finding += "\n  fails in another way in a new process";
  return found;
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
    if (!cause.from_examples || cause.op != c.call.op || cause.needed.empty() ||
        report_.failures[i].total() < kEnoughLosses ||
        !(cause.kind == "crash" || cause.kind == "exit"))
      continue;
    if (!features) features = props::features(c);
    if (std::includes(features->begin(), features->end(), cause.needed.begin(), cause.needed.end()))
      return ++lost_again_ % kOneIn != 0;
  }
  return false;
}

void Findings::settle() {
  causes_.learn();
  find_missed();
  if (settings_.tally == nullptr) join_alike(causes_, report_);
}

/// Shrinks failing examples that no cause explains any more. They were counted for a cause whose
/// needed features were not known well enough, or there was no time to shrink them.
void Findings::find_missed() {
  const std::size_t before = causes_.size();
  if (settings_.max_failures > 0 && before >= settings_.max_failures) return;
  if (report_.failures.size() != before) return;  // what is being shrunk has ended the campaign
  for (const auto& [failure, sorted_to] : causes_.judged_failures()) {
    const props::Features features = props::features(failure.test);
    std::optional<std::size_t> cause = explaining(failure, features);
    if (!cause) cause = usual_cause(failure);
    if (!cause) cause = sort(failure, features, 0, [] { return std::nullopt; }, {}).cause;
    const std::string property(failure.property->name);
    if (cause && sorted_to && *cause != *sorted_to &&
        report_.failures[*sorted_to].take_one(failure.test.call.op, property))
      joins(*cause, failure, features);
  }
}

}  // namespace gradproof::campaign
