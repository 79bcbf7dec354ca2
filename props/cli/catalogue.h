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
  std::string tracker;   ///< where it shipped; empty if it is one of our own
  std::string defect;    ///< one sentence
  std::string op;        ///< stem of an operator that suffers
  std::string expected;  ///< the kinds of check that should see it
  std::string library;   ///< path of the file
  bool alone = true;     ///< a single call in a fresh process shows it
  std::int64_t elements =
      64;              ///< that the counterexample's largest tensor may have; props::kHuge: any
  std::string reason;  ///< why the fault needs more than 64
  /// That the library is used in (GRADPROOF_CONFORMANCE), and whose profile it is judged by; empty:
  /// the default, and the library's own.
  std::string conformance;
};

/// Reads `folder`/catalogue.json. Throws InputError that names the file, and the entry where one is
/// wrong.
std::vector<Fault> read_catalogue(const std::string& folder);

}  // namespace gradproof::cli
