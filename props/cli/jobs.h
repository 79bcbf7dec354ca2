// A campaign in several processes: one shard each, with the reports joined.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "props/campaign/causes.h"
#include "props/campaign/settings.h"
#include "props/report/report.h"

namespace gradproof::cli {

struct Outcome {
  report::Report report;
  /// Checks skipped after repeated crashes or hangs in similar ones.
  std::uint64_t given_up = 0;
  std::uint64_t told = 0;         ///< findings that were told while it ran
  std::set<std::string> saved{};  ///< the files of --save
  bool whole = true;              ///< false: stopped early, for lack of memory, disk or threads
};

/// False if what is run throws: it ended early, which is said on stderr. Its report has what it
/// found until then.
bool to_its_end(const std::function<void()>& run);

/// Splits the cases of the campaign among `jobs` processes (0: one per processor). One job, and
/// --no-fork, run in this process. This process must have no other threads. Throws InputError if
/// the library cannot be used.
Outcome run_campaign(campaign::Settings settings, int jobs);

/// The settings of job `job` of `jobs`, which takes every `jobs`-th case of these.
campaign::Settings settings_of_job(const campaign::Settings& settings, int job, int jobs,
                                   campaign::Tally& tally);
/// A report as a job sends it, with the causes of its failures.
nlohmann::json told(const Outcome& outcome, const campaign::Causes& causes);
/// The report of all jobs; its failures are grouped by cause as in a single process. Null stands
/// for a job without a report.
Outcome joined(const std::vector<nlohmann::json>& told, const campaign::Shard& shard);

}  // namespace gradproof::cli
