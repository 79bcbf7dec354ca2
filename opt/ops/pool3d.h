// What the four 3-D poolings share: types, formats, ranks, extents and the reach of INT32 indices.
#pragma once

#include "opt/ops/check.h"

namespace gradproof::ops {

/// Which extents may be 0. The adaptive pools take any zero here; see check_adaptive_extents.
enum class Zeros : std::uint8_t { none, any };

/// **platform** to **dim-value**.
Status check_pool3d_descriptors(const Call& call, Zeros zeros);

/// **dim-value**, the adaptive pools' second half: `input` has a depth, height and width unless
/// `pooled` is empty too.
Status check_adaptive_extents(const Call& call, const TensorArgument& input,
                              const TensorArgument& pooled);

/// **index-range**: INT32 reaches every position of an input plane.
Status check_index_range(const Call& call, const TensorArgument& input);

}  // namespace gradproof::ops
