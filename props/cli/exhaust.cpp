// gradproof exhaust: every configuration of the small scope.
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "props/campaign/exhaustion.h"
#include "props/cases/counted.h"
#include "props/cli/job_processes.h"
#include "props/cli/jobs.h"
#include "props/cli/summary.h"
#include "props/report/entries_text.h"
#include "props/report/table.h"
#include "props/report/text.h"

namespace gradproof::cli {
namespace {

/// A report, and the axis configurations that were checked, by operator.
struct Exhausted {
  Outcome outcome;
  std::map<ref::Operator, std::uint64_t> configurations;
};

Exhausted exhausted(campaign::Exhaustion& exhaustion) {
  const bool whole = to_its_end([&] { exhaustion.run(); });
  Outcome outcome{exhaustion.report(), exhaustion.given_up()};
  outcome.whole = whole;
  outcome.told = exhaustion.told_findings();
  return {std::move(outcome), exhaustion.configurations()};
}

Exhausted run(const campaign::Settings& settings, const Options& options) {
  const int jobs = job_count(options.jobs);
  if (jobs == 1 || !settings.fork) {
    campaign::Exhaustion exhaustion(settings, options.at_most);
    return exhausted(exhaustion);
  }
  std::vector<nlohmann::json> all = run_jobs(jobs, [&](int job, campaign::Tally& tally) {
    campaign::Exhaustion exhaustion(settings_of_job(settings, job, jobs, tally), options.at_most);
    const Exhausted one = exhausted(exhaustion);
    nlohmann::json json = told(one.outcome, exhaustion.causes());
    json["configurations"] = one.configurations;
    return json;
  });
  Exhausted sum;
  for (const nlohmann::json& one : all) {
    if (one.is_null()) continue;
    for (const auto& [op, count] :
         one["configurations"].get<std::map<ref::Operator, std::uint64_t>>())
      sum.configurations[op] += count;
  }
  sum.outcome = joined(all, settings.shard);
  return sum;
}

void print_rows(const Exhausted& all, const report::Style& style) {
  char line[200];
  std::snprintf(line, sizeof line, "%-32s %15s %9s %9s %9s %11s\n", "operator", "configurations",
                "results", "refusals", "failures", "job seconds");
  std::cout << line;
  const report::Report& report = all.outcome.report;
  std::uint64_t sum = 0;
  for (const auto& [op, configurations] : all.configurations) {
    const auto at = report.operators.find(op);
    const report::OperatorReport o =
        at == report.operators.end() ? report::OperatorReport() : at->second;
    std::snprintf(line, sizeof line, "%-32s %15llu %9llu %9llu %9llu %11.1f\n",
                  std::string(ref::signature(op).stem).c_str(),
                  static_cast<unsigned long long>(configurations),
                  static_cast<unsigned long long>(o.cases),
                  static_cast<unsigned long long>(o.boundary_cases),
                  static_cast<unsigned long long>(o.failures), o.share);
    std::cout << line;
    sum += configurations;
  }
  std::snprintf(line, sizeof line, "%.1f s", report.seconds());
  for (const std::string& what : report.untested())
    std::cout << "not tested: " << report::printable(what) << '\n';
  std::cout << report::verdict(report.result(), style) << ": "
            << props::counted(sum, "axis configuration") << " in "
            << props::counted(report.cases(), "result") << " and "
            << props::counted(report.boundary_cases(), "refusal") << ", " << line << ", "
            << props::counted(report.failed(), "failure")
            << (report.interrupted() ? " (interrupted)\n" : "\n");
}

}  // namespace

int exhaust(const Options& options) {
  campaign::catch_interrupts();
  campaign::Settings settings = live_settings(options);
  settings.selection.at_most = 0;  // limits only what is enumerated; outputs may be larger
  const Exhausted all = run(settings, options);
  const report::Report& report = all.outcome.report;
  print_skipped(all.outcome.given_up);
  print_counts(all.outcome, options);
  if (options.max_failures > 0 && report.failures.size() >= options.max_failures)
    print_ended(options);
  print_findings(report, options);
  if (!options.quiet) {
    report::print_environment(std::cout, report.question.environment);
    report::print_entries(std::cout, report);
  }
  print_rows(all, style_of(options, STDOUT_FILENO));
  const int status = status_of(report);
  return status != kFailed && !all.outcome.whole ? kCannotJudge : status;
}

}  // namespace gradproof::cli
