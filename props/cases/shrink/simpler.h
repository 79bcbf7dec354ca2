// What a failing case is shrunk to, a step at a time.
#pragma once

#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Simpler variants of a failing case, simplest first: fewer and smaller axes, plain layout,
/// integer data, default parameters. Every variant of a valid case is valid, and asks for no
/// promise (promises.h) that the case does not ask for; the rest is kept if it still breaks the
/// same rule.
std::vector<Case> simpler(const Case& c);

}  // namespace gradproof::props
