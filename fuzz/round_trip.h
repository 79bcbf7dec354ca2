// What the two parsers of cases promise: what they took prints as a line that reads back to it.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "props/cases/case.h"
#include "props/cases/input_error.h"

namespace gradproof::fuzz {

/// Ends the program with the finding unless the case's line reads back to the same line.
inline void demand_round_trip(const props::Case& c) {
  const std::string line = props::to_text(c);
  std::string again;
  try {
    again = props::to_text(props::parse_case(line));
  } catch (const props::InputError& e) {
    again = e.what();
  }
  if (again == line) return;
  std::fprintf(stderr, "finding: a case reads back as another\n%s\n%s\n", line.c_str(),
               again.c_str());
  std::abort();
}

}  // namespace gradproof::fuzz
