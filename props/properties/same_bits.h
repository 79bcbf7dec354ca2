// Two runs of one case that must not differ in a bit.
#pragma once

#include "props/judge/verdict.h"

namespace gradproof::props {

/// @param manner  how the second run was different, for the finding: "with 3 threads"
Verdict same_bits(const Case& c, const Outcome& first, const Outcome& second,
                  const std::string& manner);

}  // namespace gradproof::props
