// What replication padding and its gradient share.
#pragma once

#include "opt/ops/check.h"

namespace gradproof::ops {

/// **platform** to **dim-value**, where the last `axes` axes are padded.
Status check_pad_descriptors(const Call& call, int axes);

/// **array-length** and **padding-value** of (left, right, top, bottom, …), two values for each of
/// the last `axes` axes of `image`, the last one first.
Status check_padding(const Call& call, const TensorArgument& image, const ArrayArgument& padding,
                     int axes);

/// **shape**: `padded` is `image` with `padding` around it.
Status check_padded_shape(const Call& call, const TensorArgument& image,
                          const TensorArgument& padded, const ArrayArgument& padding, int axes);

}  // namespace gradproof::ops
