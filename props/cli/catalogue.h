// The catalogue of faulty libraries that tests/faulty builds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "props/cases/describe/size.h"

namespace gradproof::cli {

/// One library with one deliberate defect.
struct Fault {
  std::string name;
  std::string tracker;   ///< where the defect was reported; empty if it is our own
  std::string defect;    ///< one sentence
  std::string op;        ///< stem of an affected operator
  std::string expected;  ///< the kinds of check that should find it
  std::string library;   ///< path of the file
  bool alone = true;     ///< a single call in a fresh process shows it
  std::int64_t elements =
      64;              ///< that the counterexample's largest tensor may have; props::kHuge: any
  std::string reason;  ///< why the fault needs more than 64
  /// Conformance of the library (GRADPROOF_CONFORMANCE), whose profile it is tested with; empty:
  /// the defaults.
  std::string conformance;
};

/// Reads `folder`/catalogue.json. Throws InputError that names the file, and the entry where one is
/// wrong.
std::vector<Fault> read_catalogue(const std::string& folder);

}  // namespace gradproof::cli
