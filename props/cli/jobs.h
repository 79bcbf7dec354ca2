// A campaign in several processes: one shard each, with the reports merged.
#pragma once

#include "props/campaign/settings.h"
#include "props/report/report.h"

namespace gradproof::cli {

struct Outcome {
  report::Report report;
  /// Checks skipped after repeated crashes or hangs in similar ones.
  std::uint64_t given_up = 0;
  bool whole = true;  ///< false: stopped early for lack of memory, disk or threads
};

/// Splits the cases of the campaign among `jobs` processes (0: one per processor). One job, and
/// --no-fork, run in this process. This process must have no other threads. Throws InputError if
/// the library cannot be used.
Outcome run_campaign(campaign::Settings settings, int jobs);

}  // namespace gradproof::cli
