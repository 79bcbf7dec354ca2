// What was measured: kept, printed, written.
#pragma once

#include <string>
#include <vector>

#include "bench/measure.h"

namespace gradproof::bench {

/// One configuration in one type with one number of threads.
struct Result {
  Configuration configuration;
  std::int32_t type = 0;
  int threads = 1;
  double bytes = 0;             ///< read and written
  double additions = 0;         ///< and multiplications
  std::string kernel;           ///< what gradproof chose (of two builds, the second); may be empty
  std::vector<Timing> timings;  ///< the first is the one that the others are set against

  const Timing* find(const std::string& name) const;
  /// Time of `first` in times of `second`; nothing if one of them took no part.
  std::optional<double> ratio(const std::string& first, const std::string& second) const;
};

/// A table for people: times, bandwidth, ratios, geometric means by group.
std::string table(const std::vector<Result>& results);

/// For two builds: B's time in times of A's, its spread, and the geometric mean.
std::string comparison(const std::vector<Result>& results);

}  // namespace gradproof::bench
