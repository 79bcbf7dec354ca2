// A campaign on several processors: shards of it in processes of their own, their reports joined.
#pragma once

#include "props/campaign/settings.h"
#include "props/report/report.h"

namespace gradproof::cli {

struct Outcome {
  report::Report report;
  /// Checks that were left out because the library had been lost too often over the like of them.
  std::uint64_t given_up = 0;
  bool whole = true;  ///< false: memory, disk or threads ended it early
};

/// Processors that this process may use.
int processors();

/// Runs the campaign as so many processes (0: one a processor), of which each takes its share of
/// the cases; with --no-fork, and if it is one, in this process. This process must have no threads.
/// Throws InputError if the library cannot be used.
Outcome run_campaign(campaign::Settings settings, int jobs);

}  // namespace gradproof::cli
