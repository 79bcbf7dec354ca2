// What the 2-D pooling with a bit mask and its gradient share.
#pragma once

#include "opt/ops/pooling.h"

namespace gradproof::ops {

/// Whether the windows are 1 x 1, for a call that passed check_handles.
bool one_by_one(const Call& call);

/// **platform** to **dim-value**.
Status check_pool2d_descriptors(const Call& call);

/// After check_memory of a call with a non-empty result: whether the mask has positions in place of
/// bits; and makes the mask one that its buffer is large enough for.
bool settle_mask(const Call& call, TensorArgument& mask, const TensorArgument& self,
                 const TensorArgument& pooled, const Windows& windows);
/// A [n, c, h, w] view as one of depth 1.
inline kernels::Strides5 with_depth(const kernels::Strides4& s) { return {s.n, s.c, 0, s.h, s.w}; }
/// Strides of positions, one for each output, in the order of `pooled`'s dimensions.
kernels::Strides5 position_strides(std::int64_t c, const kernels::Axes2& out);

/// **shape**: `mask` is [N, C, kH·kW, (⌈Ho·Wo/16⌉ + 1)·32], or that without N, for a `pooled` that
/// passed check_pooled_shape.
Status check_mask_shape(const Call& call, const TensorArgument& pooled, const TensorArgument& mask,
                        const Windows& windows);

}  // namespace gradproof::ops
