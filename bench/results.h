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
  std::string instruction_set;  ///< of an ablation
  std::string next;             ///< of an ablation: the kernel that is chosen without that one
  std::vector<Timing> timings;  ///< the first is the one that the others are set against

  const Timing* find(const std::string& name) const;
  /// The same, but nobody whose result was wrong.
  const Timing* find_right(const std::string& name) const;
  /// Time of `first` in times of `second`; nothing if one of them took no part.
  std::optional<double> ratio(const std::string& first, const std::string& second) const;
};

/// Tables for people, of at most 100 columns, one for each place, type and number of threads:
/// times, bandwidth, and for each contestant that took part its time in times of gradproof's.
std::string table(const std::vector<Result>& results);

/// For two builds: A's time in times of B's, its spread, and the geometric mean.
std::string comparison(const std::vector<Result>& results);

/// Of calls with and without the kernel that they run: what each kernel gains, in Markdown.
/// @param command that measured them
std::string ablation(const std::vector<Result>& results, const std::string& command);

}  // namespace gradproof::bench
