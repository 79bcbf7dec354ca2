// The instruction sets that a library can be told to use, and the property that they agree.
#pragma once

#include <string_view>
#include <vector>

#include "props/properties/property.h"

namespace gradproof::props {

/// Their names, whether this machine has them or not.
inline constexpr std::string_view kInstructionSets[] = {"scalar", "sse4", "avx2",
                                                        "avx512", "neon", "sve"};

/// Makes the session use it; false if the library refuses the name.
bool takes(Session& session, std::string_view set);

/// The values of aclInit's "instruction_set" that the library takes on this machine; none if it
/// lacks the key. The session is left with any of them.
std::vector<std::string_view> instruction_sets(Session& session);

bool instruction_sets_apply(const Case& c);
Verdict check_instruction_sets(const Case& c, Bench& bench);

}  // namespace gradproof::props
