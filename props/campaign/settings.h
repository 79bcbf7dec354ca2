// What a campaign is to do: plain values, whoever asks for it (the command line, a test, selftest).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "props/campaign/selection.h"
#include "props/campaign/tally.h"
#include "props/profiles/known.h"
#include "props/properties/property.h"
#include "props/report/report.h"
#include "props/worker/examiner.h"

namespace gradproof::campaign {

/// Shard I of N takes every N-th case of each operator, beginning with the I-th.
struct Shard {
  int index = 1, count = 1;
};

struct Settings {
  props::Subject subject;     ///< what is judged, and how
  double timeout = 20;        ///< seconds for one call
  bool fork = true;           ///< the subject runs in a process of its own
  profiles::KnownList known;  ///< findings that do not fail
  /// Empty: all that the subject has.
  std::vector<ref::Operator> operators;
  /// Empty: all that there are.
  std::vector<const props::Property*> properties;
  /// Of these, those that patterns took: others have to be checked at least once.
  std::vector<ref::Operator> operators_by_pattern{};
  std::vector<const props::Property*> properties_by_pattern{};
  Selection selection;       ///< which cases of them
  bool phase1_only = false;  ///< for an unfinished port: phase 2 is not called
  double seconds = 60;
  std::uint64_t cases = 0;  ///< 0: as many as fit into `seconds`
  std::uint64_t seed = 1;
  Shard shard;
  std::uint64_t max_failures = 0;  ///< end after so many findings; 0: whatever is found
  double shrink_seconds = 2;       ///< to shrink one counterexample; more where it hangs
  bool progress = false;           ///< show the progress line even if stderr is no terminal
  bool silent = false;             ///< show none
  /// Counts of all jobs of the campaign; null: there is one job.
  Tally* tally = nullptr;
  /// Is told each finding when its case has been shrunk.
  std::function<void(const report::Failure&)> announce = [](const report::Failure&) {};
  /// "env LD_PRELOAD=PATH … " and " --library PATH --threads N …": what a repro line needs before
  /// and after the case to judge the same subject alike.
  std::string repro_environment, repro_options;
  std::string save;      ///< folder for the findings, one file each; empty: none
  std::string database;  ///< folder of the findings of earlier runs; empty: none is read or kept
};

/// The properties asked for, or all; of a campaign without phase 2 those that need none.
std::vector<const props::Property*> chosen_properties(const Settings& settings);
/// The operators asked for that the library has. Without those of which nothing is selected, unless
/// they were named.
std::vector<ref::Operator> chosen_operators(const Settings& settings,
                                            const std::vector<ref::Operator>& there);
/// Those that have to be checked at least once.
std::vector<ref::Operator> named_operators(const Settings& settings);
/// The products that the library can be, as far as they are selected.
std::vector<ref::Product> chosen_products(const Settings& settings,
                                          const std::vector<ref::Product>& there);

}  // namespace gradproof::campaign
