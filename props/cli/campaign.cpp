// Runs the steps of a schedule.
#include "props/cli/campaign.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <new>
#include <optional>
#include <set>

#include "props/cases/counted.h"
#include "props/cases/input_error.h"
#include "props/cli/picture.h"
#include "props/cli/progress.h"
#include "props/cli/summary.h"
#include "props/sequences/sequence.h"

namespace gradproof::cli {
namespace {

/// The origin of a case that no attack was made from.
constexpr auto kNoAttack = [] { return std::nullopt; };

/// Attacks that go to the library together: enough to make the way there cheap, few enough to end
/// in time.
constexpr std::size_t kBatch = 256;
/// One case in so many has a sequence made for its cell.
constexpr int kSequences = 4;
constexpr std::size_t kLongestDrawn = 40;

}  // namespace

Campaign::Campaign(const Options& options)
    : options_(options),
      properties_(parse_properties(options.properties)),
      checker_(options),
      operators_(choose_operators(options, checker_.operators())),
      products_(checker_.products()),
      schedule_(operators_, products_, options.seed) {
  if (schedule_.cells().empty())
    throw props::InputError("the library's product has none of the operators asked for");
  report_.question = ask(options, "verify", products_, operators_, properties_);
  report_.shards = options.shard.count;
  report_.parts = {report::begin_part(options.shard.index)};
  for (const ref::Operator op : operators_) recorder_.expect(op, products_);
  for (const props::Property* property : properties_) {
    if (property->name == "life-cycle") life_cycle_ = property;
  }
}

bool Campaign::over() const {
  if (interrupted() || (options_.stop_at_first && !report_.failures.empty())) return true;
  return options_.cases == 0 && elapsed() >= options_.seconds;
}

void Campaign::run() try {
  const bool swept = walk();
  close(interrupted(), swept);
} catch (const std::bad_alloc&) {
  close(true, false);
  throw;
}

bool Campaign::walk() {
  Progress progress(options_.progress);
  const auto first = static_cast<std::uint64_t>(options_.shard.index - 1),
             step = static_cast<std::uint64_t>(options_.shard.count);
  std::uint64_t done = 0, k = first;
  const auto take_below = [&](std::uint64_t end) {
    for (; !over() && k < end && (options_.cases == 0 || k < options_.cases); k += step) {
      take(k);
      ++done;
      if (progress.due()) progress.show(progress_line(done));
    }
  };
  // Sequences come second: a first run that yields rubbish must be one that is looked at whole.
  take_below(schedule_.cells().size());
  const bool swept = k >= schedule_.cells().size() && !over() && sweep_sequences(progress, done) &&
                     complete_contract(k);
  take_below(~std::uint64_t{0});
  return swept;
}

void Campaign::close(bool interrupted, bool swept) {
  report::Part& part = report::only_part(report_);
  part.seconds = elapsed();
  part.cases = report_.cases();
  part.failures = report_.failed();
  part.interrupted = interrupted;
  part.swept = swept;
}

void Campaign::take(std::uint64_t k) {
  const Step step = schedule_.step(k);
  if (!check_all(step.valid, k)) return;  // a case that was cut is none
  recorder_.saw_valid(step.valid, step.cell);
  if (step.misuse != props::Misuse::none) {
    props::Case misused = step.valid;
    misused.misuse = step.misuse;
    if (!check_all(misused, k)) return;
    recorder_.saw_misuse(misused);
  }
  if (step.attacks) check_attacks(step.valid, k);
  if (life_cycle_ == nullptr || over() || !schedule_.due(~k, kSequences)) return;
  props::SeededSource source(options_.seed * 0x9E3779B97F4A7C15u ^ ~k);
  if (std::optional<props::Case> c = props::generate_actor(source, step.cell)) {
    const props::World world(*c, checker_.operators(), checker_.functions());
    c->sequence = props::generate_sequence(source, world, 1 + source.below(kLongestDrawn));
    if (!c->sequence.empty()) check_sequence(*c, world, k);
  }
}

bool Campaign::sweep_sequences(Progress& progress, std::uint64_t done) {
  if (life_cycle_ == nullptr) return true;
  for (const ref::Operator op : operators_) {
    std::vector<props::Cell> cells = props::cells(op);
    // Bad indices, which make streams fail, are possible on this product and its like.
    ref::Product product = ref::Product::Ascend910B;
    if (!checker_.is(product)) product = products_.front();
    std::erase_if(cells, [&](const props::Cell& cell) { return cell.product != product; });
    if (cells.empty()) continue;
    props::SeededSource source(options_.seed + static_cast<std::uint64_t>(op));
    std::optional<props::Case> c = props::generate_actor(source, cells[source.below(cells.size())]);
    if (!c) continue;
    const props::World world(*c, checker_.operators(), checker_.functions());
    recorder_.expect_transitions(op, props::required_transitions(world));
    if (options_.shard.index != 1) continue;
    for (std::vector<props::Command>& sequence : props::covering_sequences(world, options_.seed)) {
      if (over()) return false;
      c->sequence = std::move(sequence);
      check_sequence(*c, world, 0);
      if (progress.due()) progress.show(progress_line(done));
    }
  }
  return true;
}

void Campaign::check_sequence(const props::Case& c, const props::World& world, std::uint64_t k) {
  const props::Check check{life_cycle_, &c};
  std::vector<props::Answer> answers = checker_.check({&check, 1});
  for (props::Answer& answer : answers) {
    judge(check, std::move(answer), k, kNoAttack);
    recorder_.saw_transitions(c.call.op, props::transitions(world, c.sequence));
  }
}

void Campaign::check_attacks(const props::Case& valid, std::uint64_t k) {
  std::vector<props::Attack> attacks = props::attacks(valid);
  // Attacks on the product change it: those of one product together, for each change restarts the
  // library.
  std::stable_sort(attacks.begin(), attacks.end(),
                   [](const props::Attack& a, const props::Attack& b) {
                     return a.attacked.call.product < b.attacked.call.product;
                   });
  std::vector<Attacked> cases;
  for (std::size_t at = 0; at < attacks.size(); at += kBatch) {
    const std::size_t end = std::min(at + kBatch, attacks.size());
    cases.clear();
    for (std::size_t i = at; i < end; ++i) cases.push_back({&attacks[i].attacked, &attacks[i]});
    if (!check_statuses(valid, cases, k)) return;
    for (std::size_t i = at; i < end; ++i) recorder_.saw_attack(attacks[i]);
  }
  attack_in_pairs(valid, attacks, k);
}

bool Campaign::check_statuses(const props::Case& valid, const std::vector<Attacked>& cases,
                              std::uint64_t k) {
  if (over()) return false;
  std::vector<props::Check> checks;
  std::vector<const Attacked*> attacked;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const props::Property* property : properties_) {
      // An accepted attack is a valid call: what its result is, is a question for later rounds.
      if (property->runs || !schedule_.due((k << 16) + i, property->every) ||
          !property->applies(*cases[i].test))
        continue;
      checks.push_back({property, cases[i].test});
      attacked.push_back(&cases[i]);
    }
  }
  std::vector<props::Answer> answers = checker_.check(checks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    judge(checks[i], std::move(answers[i]), k, [&]() -> std::optional<Origin> {
      Origin origin{valid, {*attacked[i]->first}};
      if (attacked[i]->second != nullptr) origin.attacks.push_back(*attacked[i]->second);
      return origin;
    });
  }
  return answers.size() == checks.size();
}

void Campaign::attack_in_pairs(const props::Case& valid, const std::vector<props::Attack>& attacks,
                               std::uint64_t k) {
  props::SeededSource source(options_.seed * 0x9E3779B97F4A7C15u + k);
  std::map<std::string_view, std::vector<const props::Attack*>> by_rule;
  for (const props::Attack& one : attacks) {
    const ref::Product product = one.attacked.call.product;
    // Another product restarts the library for one call: only where the product is what the rule is
    // about.
    const bool worth = product == valid.call.product ||
                       (one.rule == "platform" && source.below(4) == 0 &&
                        std::find(products_.begin(), products_.end(), product) != products_.end());
    if (one.breaks && worth) by_rule[one.rule].push_back(&one);
  }
  struct Pair {
    props::Case attacked;
    const props::Attack *first, *second;
  };
  std::vector<Pair> pairs;
  const auto any = [&](const std::vector<const props::Attack*>& of) -> const props::Attack& {
    return *of[source.below(of.size())];
  };
  for (const auto& [rule, of] : by_rule) {
    // A null pointer beats each rule; of two other rules the earlier one is answered.
    const auto random =
        std::next(by_rule.begin(), static_cast<std::ptrdiff_t>(source.below(by_rule.size())));
    for (const auto& other : {by_rule.find("null-argument"), random}) {
      if (other->first == rule) continue;
      const props::Attack &a = any(other->second), &b = any(of);
      if (std::optional<props::Case> both = props::both(valid, a, b))
        pairs.push_back({std::move(*both), &a, &b});
    }
  }
  std::vector<Attacked> cases;
  for (const Pair& pair : pairs) cases.push_back({&pair.attacked, pair.first, pair.second});
  if (!check_statuses(valid, cases, k)) return;
  for (const Pair& pair : pairs)
    recorder_.saw_pair(pair.attacked, pair.first->rule, pair.second->rule);
}

/// Chance may leave borders out of the sweep: more cases until each was met. False if time ran out.
bool Campaign::complete_contract(std::uint64_t k) {
  constexpr int kDraws = 1000;  // a few are enough; a border that still is not met has no attack
  if (options_.shard.index != 1) return true;
  // What the sweep's other shards cover follows from the schedule alone.
  std::set<props::RuleCell> elsewhere;
  for (std::uint64_t other = 0; options_.shard.count > 1 && other < schedule_.cells().size();
       ++other) {
    const props::Case valid = schedule_.step(other).valid;
    for (props::RuleCell& cell : props::cells_of_valid(valid.call))
      elsewhere.insert(std::move(cell));
    for (const props::Attack& one : props::attacks(valid)) elsewhere.insert(props::cell_of(one));
  }
  for (const ref::Operator op : operators_) {
    for (const ref::Product product : products_) {
      std::vector<props::Cell> cells = props::cells(op);
      std::erase_if(cells, [&](const props::Cell& cell) { return cell.product != product; });
      if (cells.empty()) continue;
      const std::vector<props::RuleCell> left = recorder_.missing(op, product);
      std::set<props::RuleCell> missing;
      std::set_difference(left.begin(), left.end(), elsewhere.begin(), elsewhere.end(),
                          std::inserter(missing, missing.end()));
      if (!missing.empty() && !checker_.is(product)) continue;
      props::SeededSource source(options_.seed ^ (0xC0FFEEu + static_cast<std::uint64_t>(op)));
      for (int i = 0; i < kDraws && !missing.empty(); ++i) {
        if (over()) return false;
        const props::Case valid =
            props::generate_valid(source, cells[source.below(cells.size())], {.max_elements = 512});
        for (const props::Attack& one : props::attacks(valid)) {
          if (missing.erase(props::cell_of(one)) == 0) continue;
          if (!check_statuses(valid, {{&one.attacked, &one}}, k)) return false;
          recorder_.saw_attack(one);
        }
      }
    }
  }
  return true;
}

bool Campaign::check_all(const props::Case& c, std::uint64_t k) {
  std::vector<props::Check> checks;
  for (const props::Property* property : properties_) {
    if (schedule_.due(k, property->every) && property->applies(c)) checks.push_back({property, &c});
  }
  std::vector<props::Answer> answers = checker_.check(checks);
  for (std::size_t i = 0; i < answers.size(); ++i)
    judge(checks[i], std::move(answers[i]), k, kNoAttack);
  return answers.size() == checks.size();
}

void Campaign::judge(const props::Check& check, props::Answer answer, std::uint64_t k,
                     const Ask& origin) {
  if (answer.given_up) {
    ++given_up_;
    return;
  }
  recorder_.checked(*check.test, check_of(*check.property, answer.verdict, answer.seconds));
  if (!answer.verdict.held)
    violated({check.property, *check.test, std::move(answer.verdict)}, k, origin);
  if (answer.printed.empty()) return;
  const Failure noise = printed(*check.test, answer.printed);
  if (std::find(properties_.begin(), properties_.end(), noise.property) == properties_.end())
    return;
  recorder_.checked(noise.test, check_of(*noise.property, noise.verdict, 0));
  violated(noise, k, origin);
}

void Campaign::violated(Failure found, std::uint64_t k, const Ask& origin) {
  const props::Verdict& verdict = found.verdict;
  const auto [kind, fresh] = kinds_.try_emplace(
      {found.test.call.op, found.property->name, verdict.kind}, report_.failures.size());
  if (!fresh) {
    ++report_.failures[kind->second].count;
    return;
  }
  if (report_.failures.empty()) seconds_to_failure_ = elapsed();
  // It is counted already: whatever ends the search for a smaller case, it stays.
  report_.failures.push_back(summary(found, options_));
  report_.failures.back().number = k;
  report_.failures.back().shrunk = false;
  const double begun = elapsed();
  const auto limit = shrink_time_.next(begun, verdict.kind == "hang");
  if (limit.count() > 0) found = shrink(checker_, std::move(found), limit, origin());
  shrink_time_.spent(elapsed() - begun);
  report::Failure& failure = report_.failures.back() = summary(found, options_);
  failure.shrunk = limit.count() > 0;
  failure.number = k;
  failure.picture = picture(checker_, found);
}

std::string Campaign::progress_line(std::uint64_t done) const {
  const double seconds = elapsed();
  char goal[64], rate[32];
  std::snprintf(goal, sizeof goal, "%.0f of %.0f s", seconds, options_.seconds);
  std::snprintf(rate, sizeof rate, "%.0f cases/s",
                static_cast<double>(done) / std::max(seconds, 1e-3));
  return "verify: " + props::counted(done, "case") + ", " +
         props::counted(report_.attacks(), "attack") + ", " +
         (options_.cases > 0 ? "of " + std::to_string(options_.cases) : goal) + ", " + rate + ", " +
         props::counted(report_.failed(), "failure");
}

}  // namespace gradproof::cli
