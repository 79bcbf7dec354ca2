// Runs the table of configurations through Google Benchmark.
#pragma once

#include "bench/options.h"
#include "bench/results.h"

namespace gradproof::bench {

struct Campaign {
  std::vector<Result> results;
  std::vector<std::string> errors;  ///< configurations that failed or were computed wrongly
};

/// Throws InputError about files, SubjectFailure about libraries.
Campaign run_campaign(const Options& options);

}  // namespace gradproof::bench
