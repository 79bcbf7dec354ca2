// Simpler sequences: what a shrinker tries instead of one.
#pragma once

#include <vector>

#include "props/cases/command.h"

namespace gradproof::props {

/// The sequence with parts left out or operands reduced, the boldest changes first.
std::vector<std::vector<Command>> simpler_sequences(const std::vector<Command>& sequence);

}  // namespace gradproof::props
