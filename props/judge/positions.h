// Where a pool's forward found its maxima, for both ways of saying so.
#pragma once

#include <cstdint>
#include <vector>

#include "ref/exact.h"

namespace gradproof::props {

/// Positions in the input plane in output order, from flat indices or from a mask; −1 for a window
/// whose mask has not exactly one bit, or one that points outside the plane.
std::vector<std::int64_t> positions(const ref::Call& call, const ref::Dense& indices);

}  // namespace gradproof::props
