// The trial of one library: a campaign in a process of its own, until something is violated.
#pragma once

#include <set>
#include <string>

#include "props/campaign/settings.h"

namespace gradproof::cli {

struct Trial {
  bool caught = false;
  std::string
      property;  ///< that was violated first; how the process ended if it did not live so long
  std::uint64_t cases = 0, boundary_cases = 0;
  double seconds = 0;   ///< until the first violation, without making its case small
  std::string test;     ///< the counterexample's case line, shrunk; empty if the process ended
  std::string finding;  ///< what was wrong, in a line
  std::set<std::string> properties;  ///< all that were seen violated
  std::string error;  ///< why the trial says nothing: the library cannot be loaded, say
};

/// A campaign on the library of the settings that stops at its first failure; then which
/// other properties fail, on its counterexample and on `ablation_cases` cases each.
Trial try_library(const campaign::Settings& settings, std::uint64_t ablation_cases);

/// What became of the case in a fresh process.
enum class Recheck { held, violated, ended };
Recheck recheck(const campaign::Settings& settings, const std::string& property,
                const std::string& test);

}  // namespace gradproof::cli
