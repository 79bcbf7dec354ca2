// Runs the steps of a schedule.
#include "props/cli/campaign.h"

#include <algorithm>
#include <cstdio>

#include "props/cases/input_error.h"
#include "props/cli/picture.h"
#include "props/cli/progress.h"
#include "props/cli/summary.h"

namespace gradproof::cli {

Campaign::Campaign(const props::Library& library, const Options& options)
    : options_(options),
      properties_(parse_properties(options.properties)),
      operators_(choose_operators(options, library)),
      checker_(library, options),
      products_(available()),
      schedule_(operators_, products_, options.seed) {
  if (schedule_.cells().empty()) throw props::InputError("the library's product has none of the operators asked for");
  report_.question = ask(options, "verify", products_, operators_, properties_);
  report_.shards = options.shard.count;
  report_.parts = {report::begin_part(options.shard.index)};
  for (const ref::Operator op : operators_) recorder_.expect(op, products_);
}

std::vector<ref::Product> Campaign::available() {
  std::vector<ref::Product> found;
  for (int i = 0; i < ref::kProductCount; ++i) {
    const auto product = static_cast<ref::Product>(i);
    if (checker_.select(product)) found.push_back(product);
  }
  return found;
}

bool Campaign::over() const { return interrupted() || (options_.cases == 0 && elapsed() >= options_.seconds); }

void Campaign::run() {
  Progress progress(options_.progress);
  const auto first = static_cast<std::uint64_t>(options_.shard.index - 1), step = static_cast<std::uint64_t>(options_.shard.count);
  std::uint64_t done = 0;
  for (std::uint64_t k = first; !over() && (options_.cases == 0 || k < options_.cases); k += step) {
    take(k);
    ++done;
    if (progress.due()) progress.show(progress_line(done));
  }
  report::Part& part = report::only_part(report_);
  part.seconds = elapsed();
  part.cases = report_.cases();
  part.failures = report_.failed();
  part.interrupted = interrupted();
}

void Campaign::take(std::uint64_t k) {
  const Step step = schedule_.step(k);
  check_all(step.valid, k);
  recorder_.saw_valid(step.valid, step.cell);
  if (step.misuse != props::Misuse::none) {
    props::Case misused = step.valid;
    misused.misuse = step.misuse;
    check_all(misused, k);
    recorder_.saw_misuse(misused);
  }
  if (!step.attacks) return;
  std::vector<props::Attack> attacks = props::attacks(step.valid);
  // Attacks on the product change it: those of one product together, for each change restarts the library.
  std::stable_sort(attacks.begin(), attacks.end(), [](const props::Attack& a, const props::Attack& b) {
    return a.attacked.call.product < b.attacked.call.product;
  });
  for (const props::Attack& attack : attacks) {
    if (over()) return;
    for (const props::Property* property : properties_) {
      // An accepted attack is a valid call: what its result is, is a question for later rounds.
      if (property->runs || !property->applies(attack.attacked)) continue;
      check(*property, attack.attacked, k);
    }
    recorder_.saw_attack(attack);
  }
}

void Campaign::check_all(const props::Case& c, std::uint64_t k) {
  for (const props::Property* property : properties_) {
    if (schedule_.due(k, property->every) && property->applies(c)) check(*property, c, k);
  }
}

void Campaign::check(const props::Property& property, const props::Case& c, std::uint64_t k) {
  const Clock::time_point before = Clock::now();
  props::Verdict verdict = checker_.check(property, c);
  const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
  recorder_.checked(c, check_of(property, verdict, seconds));
  if (!verdict.held) violated(property, c, std::move(verdict), k);
}

void Campaign::violated(const props::Property& property, const props::Case& c, props::Verdict verdict, std::uint64_t k) {
  const auto [kind, fresh] = kinds_.try_emplace({c.call.op, property.name, verdict.kind}, report_.failures.size());
  if (!fresh) {
    ++report_.failures[kind->second].count;
    return;
  }
  auto limit = std::chrono::milliseconds(2000);
  if (options_.cases == 0) {
    const double left = std::max(options_.seconds - elapsed(), 0.2);
    limit = std::min(limit, std::chrono::milliseconds(static_cast<int>(std::min(left, 10.0) * 1000)));
  }
  const Failure small = shrink(checker_, {&property, c, std::move(verdict)}, limit);
  report::Failure& failure = report_.failures.emplace_back(summary(small, options_));
  failure.number = k;
  failure.picture = picture(checker_, small.test);
}

std::string Campaign::progress_line(std::uint64_t done) const {
  char text[160];
  const double seconds = elapsed();
  char goal[64];
  if (options_.cases > 0) {
    std::snprintf(goal, sizeof goal, "of %llu", static_cast<unsigned long long>(options_.cases));
  } else {
    std::snprintf(goal, sizeof goal, "%.0f of %.0f s", seconds, options_.seconds);
  }
  std::snprintf(text, sizeof text, "verify: %llu cases, %llu attacks, %s, %.0f cases/s, %llu failures",
                static_cast<unsigned long long>(done), static_cast<unsigned long long>(report_.attacks()), goal,
                static_cast<double>(done) / std::max(seconds, 1e-3), static_cast<unsigned long long>(report_.failed()));
  return text;
}

}  // namespace gradproof::cli
