// What the 2-D pooling with a bit mask and its gradient share.
#pragma once

#include "opt/ops/pooling.h"

namespace gradproof::ops {

/// **platform** to **dim-value**.
Status check_pool2d_descriptors(const Call& call, Product product);

/// **shape**: `mask` is [N, C, kH·kW, (⌈Ho·Wo/16⌉ + 1)·32], or that without N, for a `pooled` that
/// passed check_pooled_shape.
Status check_mask_shape(const Call& call, const TensorArgument& pooled, const TensorArgument& mask,
                        const Windows& windows);

}  // namespace gradproof::ops
