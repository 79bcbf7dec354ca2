// The loop of turns, and what becomes of the answers.
#include "props/campaign/campaign.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "props/cases/data/data.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/input_error.h"

namespace gradproof::campaign {
namespace {

/// In a campaign by cases, one in so many brings a base of boundary cases along, or a sequence, or
/// small cases.
constexpr std::uint64_t kCasesOfABase = 8;
constexpr int kCasesOfASequence = 4;
constexpr int kCasesOfSmallOnes = 8;
/// Seconds that an operator has had before its first large image.
constexpr double kBeforeLarge = 2;
/// A turn of values ends with the product, as a change restarts the library, or after this time.
constexpr double kLongTurn = 0.05;  // seconds

}  // namespace

Campaign::Campaign(Settings settings)
    : settings_(std::move(settings)),
      properties_(chosen_properties(settings_)),
      checker_(settings_),
      products_(chosen_products(settings_, checker_.products())),
      operators_(chosen_operators(settings_, checker_.operators())),
      allowances_(checker_.profile(), settings_.known, checker_.operators(), report_.entries) {
  const bool by_kit = !checker_.provision().validation.empty();
  std::map<std::string_view, std::string> unchecked;  // properties, and why
  std::erase_if(properties_, [&](const props::Property* p) {
    const bool of_kit = by_kit && props::is_about_the_api(*p);
    if (of_kit) unchecked[p->name] = "handled " + checker_.provision().validation;
    return of_kit;
  });
  if (!settings_.save.empty()) demand_writable(settings_.save);
  report_.question = question(settings_, "verify", checker_.profile(), products_, operators_,
                              properties_, checker_.provision());
  // Only now: the report names them as properties that were not checked.
  std::erase_if(properties_, [&](const props::Property* p) {
    const bool promised = checker_.profile().promises(p->promise);
    if (!promised) unchecked[p->name] = "not promised: " + std::string(p->promise);
    return !promised;
  });
  for (const props::Property* property : properties_) {
    if (property->name == "life-cycle") life_cycle_ = property;
    if (property->name == "kernels") kernels_ = property;
  }
  report_.shards = settings_.shard.count;
  report_.parts = {report::begin_part(settings_.shard.index)};
  const props::Choices choices = checker_.choices();
  for (const ref::Operator op : operators_) {
    recorder_.expect(op, products_);
    recorder_.leave_out(op, settings_.selection.leaves_out(op, products_));
    if (!choices.kernels.empty())
      recorder_.expect_kernels(op, choices.kernels[static_cast<std::size_t>(op)]);
    for (const std::string& rule : unpromised_rules(checker_.profile()))
      recorder_.leave_out_refusals(op, products_, rule);
    if (by_kit) recorder_.leave_out_validation(op);
    auto work = std::make_unique<Work>(op, settings_, checker_.profile(), products_,
                                       checker_.operators(), checker_.functions(), choices,
                                       work_.empty() ? nullptr : &work_.front()->sequences);
    if (life_cycle_ == nullptr) work->kinds.leave(static_cast<std::size_t>(Kind::sequences));
    if (kernels_ == nullptr || !work->several_kernels)
      work->kinds.leave(static_cast<std::size_t>(Kind::kernels));
    if (life_cycle_ != nullptr && properties_.size() == 1) {
      work->kinds.leave(static_cast<std::size_t>(Kind::values));
      work->kinds.leave(static_cast<std::size_t>(Kind::boundary));
    }
    for (const auto& [name, why] : unchecked) recorder_.no_check(op, name, why);
    bool some_to_ask = false;
    for (const props::Property* property : properties_) {
      const std::optional<ref::Operator> other = missing_operator(*property, op);
      some_to_ask = some_to_ask || !other;
      if (other)
        recorder_.no_check(op, property->name,
                           "the library has no " + std::string(ref::signature(*other).api));
    }
    if (work->schedule.coverage_points().empty())
      recorder_.no_case(op, obstacle());
    else if (some_to_ask || properties_.empty())
      work_.push_back(std::move(work));
  }
  start_ = Clock::now();  // a subject may take seconds to load
}

std::optional<ref::Operator> Campaign::missing_operator(const props::Property& property,
                                                        ref::Operator op) const {
  const std::optional<ref::Operator> other = props::other_operator(property, op);
  const std::vector<ref::Operator>& there = checker_.operators();
  const bool is_there = !other || std::find(there.begin(), there.end(), *other) != there.end();
  return is_there ? std::nullopt : other;
}

std::string Campaign::obstacle() const {
  if (products_.empty()) return kNoProduct;
  std::string on;
  for (const ref::Product product : products_)
    on += (on.empty() ? "" : ", ") + std::string(ref::name(product));
  const std::string& options = settings_.selection.options;
  return (options.empty() ? "not available" : "no case with" + options) + " on " + on;
}

bool Campaign::over() const {
  if (interrupted() || had_enough()) return true;
  return settings_.cases == 0 && elapsed() >= settings_.seconds;
}

void Campaign::run() try {
  take_refusals();
  replay();
  take_turns();
  findings_.settle();
  close(interrupted(), swept());
} catch (...) {
  progress_.clear();
  findings_.settle(false);
  close(true, false);
  throw;
}

void Campaign::take_refusals() {
  if (settings_.shard.index != 1) return;
  for (const props::Refusal& refusal : checker_.refusals()) {
    for (const ref::Operator op : operators_) {
      const Schedule schedule(op, {&refusal.product, 1}, settings_.seed, settings_.selection);
      if (schedule.coverage_points().empty()) continue;
      const props::Case test = schedule.base(0);
      props::Answer answer;
      answer.verdict = refusal.verdict;
      judge({props::find_property("services"), &test}, std::move(answer), 0, Findings::no_origin);
      break;
    }
  }
}

void Campaign::replay() {
  if (settings_.shard.index != 1) return;
  std::map<std::filesystem::path, bool> gone;  // whether all cases of a file pass
  for (const Database::Entry& entry : database_.entries(settings_)) {
    bool& all_pass = gone.try_emplace(entry.file, true).first->second;
    const auto has = [](const auto& all, const auto& one) {
      return std::find(all.begin(), all.end(), one) != all.end();
    };
    const bool asked =
        !over() && has(properties_, entry.property) && has(operators_, entry.test.call.op) &&
        settings_.selection.takes(entry.test) && checker_.is(entry.test.call.product) &&
        checker_.meets(*entry.property, entry.test);
    bool passes = false;
    if (asked) {
      const props::Check check{entry.property, &entry.test};
      for (props::Answer& answer : checker_.check({&check, 1})) {
        const bool fails = !answer.verdict.held || !answer.printed.empty();
        passes = !answer.given_up && answer.verdict.checked && !fails;
        if (!answer.given_up) ++report_.replayed;
        // One that passes is no check of this run: whether a property was tested must not depend on
        // what an earlier run found.
        if (fails) judge(check, std::move(answer), 0, Findings::no_origin);
      }
    }
    all_pass = all_pass && passes && entry.file_is_whole;
  }
  for (const auto& [file, all_pass] : gone) {
    if (all_pass) database_.drop(file);
  }
}

/// Operators share time, or cases: with --cases nothing depends on how fast the machine is.
void Campaign::take_turns() {
  if (properties_.empty()) return;
  std::vector<double> weights;
  for (const std::unique_ptr<Work>& work : work_)
    weights.push_back(settings_.cases > 0 ? 1 : work->weight());
  Turns operators(std::move(weights));
  while (!over() && !operators.all_left()) {
    const std::size_t at = operators.next();
    Work& work = *work_[at];
    if (settings_.cases > 0 && number(work, work.next_step) >= settings_.cases) {
      operators.leave(at);
      continue;
    }
    const double begun = elapsed_on_operators();
    if (settings_.cases > 0)
      take_case(work);
    else
      take_kind(work);
    const double used = elapsed_on_operators() - begun;
    report_.operators[work.op].share += used;
    operators.use(at, settings_.cases > 0 ? 1 : used);
    tell();
    if (progress_.due()) progress_.show(progress_line());
  }
  progress_.clear();
  if (settings_.cases > 0) return;  // with --cases nothing depends on which job saw what
  // All points of a declined type count as declined, also those whose only case never reached the
  // kernel.
  for (const std::unique_ptr<Work>& work : work_) {
    for (const props::CoveragePoint& point : work->schedule.coverage_points()) {
      if (work->declined.contain(point.dtype)) recorder_.declined(work->op, point);
    }
  }
}

void Campaign::take_kind(Work& work) {
  const auto kind = static_cast<Kind>(work.kinds.next());
  const double begun = elapsed_on_operators();
  const auto count = static_cast<std::uint64_t>(settings_.shard.count);
  work.leave_out_declined(count);
  switch (kind) {
    case Kind::values: {
      const ref::Product product = work.schedule.product(work.next_step);
      // In a short campaign one large image would be more than its operator's share. Of some shards
      // every step is large: they take theirs.
      if (work.schedule.is_large(work.next_step) && report_.operators[work.op].share < kBeforeLarge)
        work.next_step += count;
      const auto stays = [&] {
        work.leave_out_declined(count);
        return work.schedule.product(work.next_step) == product;
      };
      while (take_step(work) && !over() && elapsed_on_operators() - begun < kLongTurn && stays()) {
      }
      break;
    }
    case Kind::boundary:
      if (work.boundary.empty()) {
        work.boundary.load(work.next_base);
        work.next_base += count;
      }
      take_boundary(work);
      break;
    case Kind::sequences:
      take_sequence(work, work.next_sequence);
      work.next_sequence += count;
      break;
    case Kind::kernels:
      take_small(work, work.next_small);
      work.next_small += count;
      break;
  }
  work.kinds.use(static_cast<std::size_t>(kind), elapsed_on_operators() - begun);
}

void Campaign::take_case(Work& work) {
  const std::uint64_t j = work.next_step;
  if (!take_step(work)) return;
  if (j < work.schedule.first_bases() + 1 || j % kCasesOfABase == 0) {
    work.boundary.load(j);
    while (!work.boundary.empty() && !over()) take_boundary(work);
  }
  if (life_cycle_ != nullptr && !over() &&
      (j < work.sequences.covering() || work.schedule.due(~j, kCasesOfASequence)))
    take_sequence(work, j);
  if (kernels_ != nullptr && work.several_kernels && !over() &&
      work.schedule.due(~j, kCasesOfSmallOnes))
    take_small(work, j);
  work.next_base = work.next_sequence = work.next_small = work.next_step;
}

bool Campaign::swept() const {
  return settings_.selection.empty() &&
         std::all_of(work_.begin(), work_.end(), [&](const std::unique_ptr<Work>& work) {
           return work->swept(life_cycle_ != nullptr);
         });
}

void Campaign::close(bool interrupted, bool swept) {
  take_kernel_uses();
  recorder_.saw_kernels(kernel_uses_);
  report::Part& part = report::only_part(report_);
  part.seconds = elapsed();
  part.cases = report_.cases();
  part.failures = report_.failed();
  part.interrupted = interrupted;
  part.swept = swept;
}

void Campaign::take_kernel_uses() {
  for (const auto& [use, runs] : checker_.take_kernel_uses()) kernel_uses_[use] += runs;
}

}  // namespace gradproof::campaign
