// Two runs of one case that must not differ in a bit.
#pragma once

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Violated if the call wrote where nothing is its own; not checked, with the statuses, if it must
/// succeed and did not; else passed.
Verdict call_succeeded(const Outcome& run);

/// Where the profile lets bits depend on what was changed, both results are judged by their bounds.
/// @param manner  how the second run was different, for the finding: "with 3 threads"
Verdict same_bits(const Case& c, const Outcome& first, const Outcome& second,
                  const std::string& manner, profiles::Use* use = nullptr,
                  profiles::Dependence changed = profiles::Dependence::runs);

}  // namespace gradproof::props
