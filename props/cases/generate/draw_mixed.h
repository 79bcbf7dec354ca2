// Extents, windows and strides that are drawn without regard to each other, so that whatever a
// kernel does for one of them meets what it does for another.
#pragma once

#include <cstdint>
#include <vector>

#include "props/cases/generate/draw_case.h"

namespace gradproof::props {

/// A shape of up to `most` elements.
std::vector<std::int64_t> mixed_shape(Draw& draw, std::size_t rank, std::int64_t most);

/// Channels, windows, strides and paddings. The largest tensor has up to `most` elements, counted
/// as in `largest`.
/// @param mask  whether the pool has a mask, which may be the largest one
void draw_mixed(Draw& draw, bool mask, std::int64_t most, PoolShape& pool);

}  // namespace gradproof::props
