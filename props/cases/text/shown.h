// What a kept case once showed, so that it shows it again: the property that failed, and how the
// library was asked.
#pragma once

#include <string>
#include <string_view>

#include "props/cases/case.h"

namespace gradproof::props {

struct Shown {
  std::string property;  ///< empty: nothing is said
  int threads = 0;       ///< of one call; 0: the library's choice
  std::string profile;   ///< by name or file, as --profile has it; empty: nothing is said

  friend auto operator<=>(const Shown&, const Shown&) = default;
};

/// The case line, and behind it property=NAME threads=N profile=NAME as far as they are set.
std::string to_text(const Case& c, const Shown& shown);
/// Reads such a line; one without these words too, and accuracy=device of before, which is
/// profile=float-coordinates. Throws InputError that names the offending token
/// and its column. Whether there is such a property is for the reader to say.
Case parse_case(std::string_view text, Shown& shown);

}  // namespace gradproof::props
