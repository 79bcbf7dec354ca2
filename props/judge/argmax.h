// What the positions of a pool's forward say, whichever of several equal maxima was taken.
#pragma once

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Every position lies in its window and holds the value that is returned for it.
Verdict judge_positions(const ref::Call& call, const std::vector<ref::Dense>& data,
                        const std::vector<ref::Dense>& outputs);

}  // namespace gradproof::props
