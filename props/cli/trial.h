// The trial of one library: a campaign in a separate process, until the first failure.
#pragma once

#include <set>
#include <string>

#include "props/campaign/settings.h"

namespace gradproof::cli {

struct Trial {
  bool caught = false;
  std::string
      property;  ///< first property that failed, or how the process ended: "crash", "hang", "exit"
  std::uint64_t cases = 0, boundary_cases = 0;
  double seconds = 0;   ///< until the first failure, without shrinking
  std::string test;     ///< the counterexample's case line, shrunk; empty if the process ended
  std::string finding;  ///< what was wrong, in a line
  std::set<std::string> properties;  ///< all properties that failed
  std::string error;  ///< why there is no result, such as a library that cannot be loaded
};

/// A campaign on the library of the settings that stops at its first failure; then which
/// other properties fail, on its counterexample and on `ablation_cases` cases each.
Trial try_library(const campaign::Settings& settings, std::uint64_t ablation_cases);

/// Result of the case in a new process.
enum class Recheck { held, violated, ended };
Recheck recheck(const campaign::Settings& settings, const std::string& property,
                const std::string& test);

}  // namespace gradproof::cli
