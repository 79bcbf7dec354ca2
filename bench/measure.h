// Times contestants in turn, so that whatever else the machine does meets all of them alike.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/contestant.h"

namespace gradproof::bench {

struct Entrant {
  std::string name;  ///< "gradproof", "limit", "aten", …
  std::unique_ptr<Contestant> contestant;
  bool wrong = false;  ///< its result is outside the error bound
};

/// Seconds of one call, a sample a round.
struct Timing {
  std::string name;
  std::vector<double> seconds;
  std::string remark;
  bool wrong = false;

  double median() const;
  /// Half of the samples lie between these.
  double lower_quartile() const;
  double upper_quartile() const;
};

/// As many rounds as `state` iterates; in each, every entrant is timed once, in order or in
/// reverse. A sample is one call on flushed caches, or the mean of as many calls on warm ones as
/// the clock needs.
std::vector<Timing> measure(benchmark::State& state, std::vector<Entrant>& entrants, Caches caches);

/// Seconds of the quickest of a few calls: for choosing between ways to do the same.
double least_seconds(Contestant& contestant);

/// A value below which the fraction `part` of the samples lies, interpolated. Samples not empty.
double quantile(std::vector<double> samples, double part);
double geometric_mean(const std::vector<double>& values);

}  // namespace gradproof::bench
