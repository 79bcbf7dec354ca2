// Random valid cases of every class over the whole contract.
#pragma once

#include <cstdint>

#include "props/cases/case.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"

namespace gradproof::props {

/// How large generated tensors get.
struct Limits {
  std::int64_t max_elements = 4096;  ///< of the largest tensor; from 2^20 on images are large
  bool long_axis = false;  ///< one axis longer than 16 bits count, where max_elements allows it
  bool planes = false;     ///< more than 65535 planes, if max_elements allows it
  bool divided = false;    ///< few planes, so large that threads share each
  int layer = -1;          ///< of images that are large: this one of layers.h, if any
};

/// A valid case of that point. Axis values differ pairwise by default; the degenerate ones (extent
/// 1, equal axes, exact division, overlap, window larger than the input, empty, strided, offset,
/// transposed, broadcast, short int arrays …) come up as labelled classes.
Case generate_valid(Source& source, const CoveragePoint& point, const Limits& limits = {});

}  // namespace gradproof::props
