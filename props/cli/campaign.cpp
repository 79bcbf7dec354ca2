// Runs the steps of a schedule.
#include "props/cli/campaign.h"

#include <algorithm>
#include <cstdio>

#include "props/cases/input_error.h"
#include "props/cli/progress.h"

namespace gradproof::cli {

Campaign::Campaign(const props::Library& library, const Options& options)
    : options_(options),
      properties_(parse_properties(options.properties)),
      operators_(choose_operators(options, library)),
      checker_(library, options),
      products_(available()),
      schedule_(operators_, products_, options.seed),
      coverage_(operators_, products_) {
  if (schedule_.cells().empty()) throw props::InputError("the library's product has none of the operators asked for");
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
  for (std::uint64_t k = 0; !over() && (options_.cases == 0 || k < options_.cases); ++k) {
    take(k);
    if (progress.due()) progress.show(progress_line(k + 1));
  }
}

void Campaign::take(std::uint64_t k) {
  const Step step = schedule_.step(k);
  check_all(step.valid, k);
  coverage_.saw_valid(step.valid, step.cell);
  if (step.misuse != props::Misuse::none) {
    props::Case misused = step.valid;
    misused.misuse = step.misuse;
    check_all(misused, k);
    coverage_.saw_misuse(misused);
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
      props::Verdict verdict = checker_.check(*property, attack.attacked);
      if (!verdict.held) report(*property, attack.attacked, std::move(verdict));
    }
    coverage_.saw_attack(attack);
  }
}

void Campaign::check_all(const props::Case& c, std::uint64_t k) {
  for (const props::Property* property : properties_) {
    if (!schedule_.due(k, property->every) || !property->applies(c)) continue;
    props::Verdict verdict = checker_.check(*property, c);
    Tally& tally = coverage_.of(c.call.op);
    tally.worst_fraction = std::max(tally.worst_fraction, verdict.worst_fraction);
    if (!verdict.held) report(*property, c, std::move(verdict));
  }
}

void Campaign::report(const props::Property& property, const props::Case& c, props::Verdict verdict) {
  ++coverage_.of(c.call.op).failures;
  FailureGroup& group = failures_[{c.call.op, property.name, verdict.kind}];
  if (++group.count > 1) return;
  auto limit = std::chrono::milliseconds(2000);
  if (options_.cases == 0) {
    const double left = std::max(options_.seconds - elapsed(), 0.2);
    limit = std::min(limit, std::chrono::milliseconds(static_cast<int>(std::min(left, 10.0) * 1000)));
  }
  group.first = shrink(checker_, {&property, c, std::move(verdict)}, limit);
}

std::string Campaign::progress_line(std::uint64_t k) const {
  char text[160];
  const double seconds = elapsed();
  char goal[64];
  if (options_.cases > 0) {
    std::snprintf(goal, sizeof goal, "of %llu", static_cast<unsigned long long>(options_.cases));
  } else {
    std::snprintf(goal, sizeof goal, "%.0f of %.0f s", seconds, options_.seconds);
  }
  std::snprintf(text, sizeof text, "verify: %llu cases, %llu attacks, %s, %.0f cases/s, %llu failures",
                static_cast<unsigned long long>(k), static_cast<unsigned long long>(coverage_.attacks()), goal,
                static_cast<double>(k) / std::max(seconds, 1e-3), static_cast<unsigned long long>(coverage_.failures()));
  return text;
}

}  // namespace gradproof::cli
