// The results of a call that succeeded: as documented first, then as the profile knows them.
#pragma once

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Synchronisation and every output element; `got.phase2` is 0.
Verdict judge_values(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                     profiles::Use* use);

}  // namespace gradproof::props
