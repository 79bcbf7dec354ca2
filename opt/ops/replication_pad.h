// What replication padding and its gradient share.
#pragma once

#include "opt/ops/check.h"

namespace gradproof::ops {

/// **platform** to **dim-value**.
Status check_pad_descriptors(const Call& call);

/// **array-length** and **padding-value** of (left, right, top, bottom) around `image`'s planes.
Status check_padding(const Call& call, const TensorArgument& image, const ArrayArgument& padding);

/// **shape**: `padded` is `image` with `padding` around its planes.
Status check_padded_shape(const Call& call, const TensorArgument& image,
                          const TensorArgument& padded, const ArrayArgument& padding);

}  // namespace gradproof::ops
