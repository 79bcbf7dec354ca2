// Each job is a shard: it runs every N-th case and sends its report.
#include "props/cli/jobs.h"

#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "props/campaign/campaign.h"
#include "props/campaign/join_alike.h"
#include "props/cases/input_error.h"
#include "props/cli/job_processes.h"
#include "props/report/json.h"
#include "props/report/merge.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::json;

Outcome run(campaign::Campaign& campaign) {
  Outcome outcome;
  outcome.whole = to_its_end([&] { campaign.run(); });
  outcome.report = campaign.report();
  outcome.given_up = campaign.given_up();
  outcome.told = campaign.told_findings();
  outcome.saved = campaign.saved();
  return outcome;
}

}  // namespace

bool to_its_end(const std::function<void()>& run) {
  try {
    run();
    return true;
  } catch (const std::bad_alloc&) {
    std::cerr << "gradproof: out of memory\n";
  } catch (const std::exception& e) {
    std::cerr << "gradproof: " << e.what() << '\n';
  }
  std::cerr << "gradproof: the campaign ends here\n";
  return false;
}

campaign::Settings settings_of_job(const campaign::Settings& settings, int job, int jobs,
                                   campaign::Tally& tally) {
  campaign::Settings own = settings;
  own.shard = {settings.shard.index + job * settings.shard.count, settings.shard.count * jobs};
  own.silent = own.silent || job > 0;
  own.tally = &tally;
  return own;
}

Json told(const Outcome& outcome, const campaign::Causes& causes) {
  return {{"report", report::to_json(outcome.report)},
          {"causes", causes.to_json()},
          {"given_up", outcome.given_up},
          {"told", outcome.told},
          {"saved", outcome.saved},
          {"whole", outcome.whole}};
}

Outcome joined(const std::vector<Json>& all_told, const campaign::Shard& shard) {
  Outcome all;
  std::vector<report::NamedReport> reports;
  campaign::Causes causes(nullptr);
  std::vector<report::Failure> failures, without_cause;
  for (std::size_t i = 0; i < all_told.size(); ++i) {
    const Json& one = all_told[i];
    if (one.is_null()) {
      all.whole = false;
      continue;
    }
    const std::string name = "job " + std::to_string(i + 1);
    report::Report report = report::from_json(one["report"], name);
    const std::size_t known = causes.size();
    causes.add(one["causes"]);
    const auto middle =
        report.failures.begin() + static_cast<std::ptrdiff_t>(causes.size() - known);
    failures.insert(failures.end(), report.failures.begin(), middle);
    without_cause.insert(without_cause.end(), middle, report.failures.end());
    report.failures.clear();
    reports.push_back({name, std::move(report)});
    all.given_up += one["given_up"].get<std::uint64_t>();
    all.told += one["told"].get<std::uint64_t>();
    all.saved.merge(one["saved"].get<std::set<std::string>>());
    all.whole = all.whole && one["whole"];
  }
  if (reports.empty()) throw props::HostError("no job finished");
  all.report = report::as_one_part(report::merge(reports, true), shard.index, shard.count);
  failures.insert(failures.end(), without_cause.begin(), without_cause.end());
  all.report.failures = std::move(failures);
  causes.learn();
  campaign::join_alike(causes, all.report);
  return all;
}

Outcome run_campaign(campaign::Settings settings, int jobs) {
  jobs = job_count(jobs);
  if (jobs == 1 || !settings.fork) {
    campaign::Campaign campaign(std::move(settings));
    return run(campaign);
  }
  const campaign::Shard shard = settings.shard;
  return joined(run_jobs(jobs,
                         [&](int job, campaign::Tally& tally) {
                           campaign::Campaign campaign(settings_of_job(settings, job, jobs, tally));
                           const Outcome outcome = run(campaign);
                           return told(outcome, campaign.causes());
                         }),
                shard);
}

}  // namespace gradproof::cli
