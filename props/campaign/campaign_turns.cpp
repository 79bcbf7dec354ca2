// What is tried in a turn: a case of the schedule, boundary cases, a sequence, or small cases.
#include "props/campaign/campaign.h"

#include <algorithm>

#include "props/cases/data/data.h"
#include "props/profiles/use.h"

namespace gradproof::campaign {
namespace {

/// So many boundary cases run together, and the library may be lost over so many of an operator.
constexpr std::size_t kRunTogether = 8;
constexpr int kMostLosses = 8;
/// If a kernel declines the first case of a point, it is given small ones, so many in all, until it
/// computes one.
constexpr std::uint64_t kCasesOfAPoint = 4;
constexpr std::int64_t kSmallCase = 512;
/// Boundary cases that are accepted run if their tensors take no more.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;

}  // namespace

bool Campaign::take_step(Work& work) {
  const std::uint64_t j = work.next_step;
  work.next_step += static_cast<std::uint64_t>(settings_.shard.count);
  take_kernel_uses();
  Step step = work.schedule.step(j);
  if (!work.schedule.wants(step.valid)) {
    recorder_.left_out(work.op, "no case of the selection was found");
    return true;
  }
  bool every_set = false;
  if (std::optional<KernelTurns::Turn> turn =
          work.kernels.at(j, step, checker_, settings_.cases == 0 ? &kernel_uses_ : nullptr)) {
    step.valid = std::move(turn->valid);
    step.point = turn->point;
    every_set = turn->of_other_set;
  }
  std::string why_not;
  // A case that was cut is none.
  if (!check_all(work, step.valid, j, why_not, every_set)) return false;
  // A kernel may decline a case for another reason than its point.
  for (std::uint64_t i = 1; i < kCasesOfAPoint && why_not.starts_with(profiles::kDeclined); ++i) {
    const bool never = settings_.cases == 0 && work.declined.contain(step.point.dtype);
    if (j >= work.schedule.sweep() || never) break;
    step.valid = work.schedule.candidate(j * kCasesOfAPoint + i, step.point, kSmallCase);
    if (!check_all(work, step.valid, j, why_not)) return false;
  }
  ++steps_;
  if (why_not.empty())
    recorder_.saw_valid(step.valid, step.point);
  else
    recorder_.left_out(work.op, why_not);
  const bool declined = why_not.starts_with(profiles::kDeclined);
  if (declined) recorder_.declined(work.op, step.point);
  if (declined || why_not.empty()) work.declined.saw(step.point.dtype, declined);
  if (step.misuse == props::Misuse::none) return true;
  props::Case misused = step.valid;
  misused.misuse = step.misuse;
  if (!check_all(work, misused, j, why_not)) return false;
  if (why_not.empty())
    recorder_.saw_misuse(misused);
  else
    recorder_.no_misuse(misused);
  return true;
}

void Campaign::take_boundary(Work& work) {
  const std::vector<BoundaryCase> batch = work.boundary.take();
  std::vector<Seen> seen(batch.size());
  check_boundary(work, batch, false, seen);
  // What is accepted must compute right too: a stride of 3e9 is legal, and easily overflows. A few
  // at a time: a library that is lost over them is soon not asked any more, so that valid cases
  // are.
  for (std::size_t at = 0; at < batch.size() && !over(); at += kRunTogether) {
    const std::size_t count = std::min(kRunTogether, batch.size() - at);
    if (work.losses_at_boundaries >= kMostLosses) {
      given_up_ += count;
      continue;
    }
    check_boundary(work, std::span(batch).subspan(at, count), true,
                   std::span(seen).subspan(at, count));
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!seen[i].any) continue;
    if (batch[i].second)
      recorder_.saw_pair(batch[i].both, batch[i].first.rule, batch[i].second->rule, seen[i].status);
    else
      recorder_.saw_boundary_case(batch[i].first, seen[i].status);
  }
}

void Campaign::check_boundary(Work& work, std::span<const BoundaryCase> batch, bool run,
                              std::span<Seen> seen) {
  std::vector<props::Check> checks;
  std::vector<std::size_t> of;  // which boundary case
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const props::Case& test = batch[i].test();
    const bool computes = props::has_result(test) || checker_.takes(test);
    if (run && !(computes && props::runnable(test, kMostBytes))) continue;
    if (run && findings_.is_lost_again(test)) {
      ++given_up_;
      continue;
    }
    for (const props::Property* property : properties_) {
      // Of the properties that run the call, those that cost one run.
      if (property->runs != run || (run && property->every > 1)) continue;
      if (!work.schedule.due((batch[i].base << 16) + batch[i].index, property->every)) continue;
      if (!checker_.meets(*property, test)) continue;
      checks.push_back({property, &test});
      of.push_back(i);
    }
  }
  std::vector<props::Answer> answers = checker_.check(checks, [this] { return over(); });
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const BoundaryCase& one = batch[of[i]];
    if (run && props::is_loss(answers[i].verdict)) ++work.losses_at_boundaries;
    const bool checked = judge(checks[i], std::move(answers[i]), number(work, one.base),
                               [&] { return std::optional(one.origin()); });
    Seen& of_case = seen[of[i]];
    of_case.any = of_case.any || checked;
    of_case.status = of_case.status || (checked && checks[i].property->name == "error-codes");
  }
}

void Campaign::take_sequence(Work& work, std::uint64_t s) {
  const std::optional<SequenceQueue::Next> next = work.sequences.at(s);
  recorder_.expect_transitions(work.op, work.sequences.required());
  if (!next) return;
  const props::Check check{life_cycle_, &next->test};
  for (props::Answer& answer : checker_.check({&check, 1})) {
    if (judge(check, std::move(answer), number(work, s), Findings::no_origin))
      recorder_.saw_transitions(work.op, props::transitions(next->world, next->test.sequence));
  }
}

void Campaign::take_small(Work& work, std::uint64_t s) {
  std::vector<props::Case> cases;
  for (std::uint64_t i = 0; i < Schedule::kSmallOnAProduct; ++i) {
    props::Case c = work.schedule.small(s * Schedule::kSmallOnAProduct + i);
    if (work.schedule.wants(c) && kernels_->applies(c) && !findings_.is_lost_again(c))
      cases.push_back(std::move(c));
  }
  std::vector<props::Check> checks;
  for (const props::Case& c : cases) checks.push_back({kernels_, &c});
  std::vector<props::Answer> answers = checker_.check(checks, [this] { return over(); });
  for (std::size_t i = 0; i < answers.size(); ++i)
    judge(checks[i], std::move(answers[i]), number(work, s), Findings::no_origin);
}

}  // namespace gradproof::campaign
