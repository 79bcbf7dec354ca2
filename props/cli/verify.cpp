// gradproof verify: a campaign, its failures, its table, its report.
#include <algorithm>
#include <iostream>

#include "props/campaign/checker.h"
#include "props/campaign/progress.h"
#include "props/campaign/schedule.h"
#include "props/campaign/work.h"
#include "props/cases/input_error.h"
#include "props/cli/jobs.h"
#include "props/cli/select.h"
#include "props/cli/summary.h"
#include "props/report/write.h"
#include "props/subject/product.h"

namespace gradproof::cli {
namespace {

/// What the cases are drawn for: by default all operators and products, and all that cases may ask
/// for; of a library that is named, its own.
struct DrawnFor {
  std::vector<ref::Operator> operators;
  std::vector<ref::Product> products;
  std::vector<std::string_view> unpromised;
};

DrawnFor drawn_for(const Options& options, campaign::Settings& settings) {
  if (options.library_words.empty() && options.exec_word.empty()) {
    select(options, settings);
    return {selected_operators(settings),
            campaign::chosen_products(settings, props::products_from(ref::Product::Ascend910B)),
            {}};
  }
  settings = cli::settings(options);
  campaign::Checker checker(settings);
  DrawnFor its{campaign::chosen_operators(settings, checker.operators()),
               campaign::chosen_products(settings, checker.products()),
               campaign::unpromised(checker.profile())};
  if (its.operators.empty())
    throw props::InputError("the given files define no operator" +
                            std::string(settings.operators.empty() ? "" : " that is selected"));
  return its;
}

int list_cases(const Options& options) {
  campaign::Settings settings = options;
  const DrawnFor drawn = drawn_for(options, settings);
  std::vector<campaign::Schedule> schedules;
  std::uint64_t sweep = 0;
  for (const ref::Operator op : drawn.operators) {
    campaign::Schedule schedule(op, drawn.products, options.seed, settings.selection,
                                drawn.unpromised);
    if (schedule.coverage_points().empty()) continue;
    schedules.push_back(std::move(schedule));
    sweep = std::max(sweep, schedules.back().sweep());
  }
  if (schedules.empty())
    throw props::InputError("the library has no case with" + settings.selection.options +
                            " on its products");
  const std::uint64_t count = options.cases > 0 ? options.cases : sweep * schedules.size();
  for (std::uint64_t k = 0; k < count && !campaign::interrupted(); ++k) {
    const std::uint64_t j = k / schedules.size();
    if (j % static_cast<std::uint64_t>(options.shard.count) !=
        static_cast<std::uint64_t>(options.shard.index - 1))
      continue;
    const campaign::Schedule& schedule = schedules[k % schedules.size()];
    if (options.cases == 0 && j >= schedule.sweep()) continue;
    const props::Case valid = schedule.step(j).valid;
    if (schedule.wants(valid)) std::cout << props::to_text(valid) << '\n';
  }
  return kPassed;
}

}  // namespace

int verify(const Options& options) {
  campaign::catch_interrupts();
  if (options.list_cases) return list_cases(options);
  if (!options.report.empty()) report::prepare_folder(options.report);
  if (!options.save_known.empty()) report::demand_writable_file(options.save_known);
  campaign::Settings asked = live_settings(options);
  asked.database = options.kept;
  const profiles::KnownList known = asked.known;
  const Outcome outcome = run_campaign(std::move(asked), options.jobs);
  print_skipped(outcome.given_up);
  const std::size_t found = outcome.report.failures.size();
  print_counts(outcome, options);
  if (options.max_failures > 0 && found >= options.max_failures) print_ended(options);
  const int status = conclude(outcome.report, options, known);
  return status != kFailed && !outcome.whole ? kCannotJudge : status;
}

}  // namespace gradproof::cli
