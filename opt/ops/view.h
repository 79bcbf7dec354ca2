// What a view spans, counted in elements.
#pragma once

#include "opt/ops/wide.h"
#include "opt/runtime/tensor.h"

namespace gradproof::ops {

struct Reach {
  Wide low = 0, high = 0;  ///< from index 0 of a non-empty view down to its first, up to its last
};
/// At most 2⁶³ · 2⁶³ in either direction, because the product of the extents fits int64.
Reach reach(const Tensor& t);

/// Row-major without gaps; the strides of extents of 1 are anything.
bool contiguous(const Tensor& t);

/// Whether a non-empty view lies in the storage that its tensor states.
bool within_storage(const Tensor& t);

}  // namespace gradproof::ops
