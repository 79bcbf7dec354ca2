// What bilinear upsampling and its gradient share.
#pragma once

#include "opt/ops/canonical.h"
#include "opt/ops/check.h"

namespace gradproof::ops {

/// **platform** to **dim-value**.
Status check_upsample_descriptors(const Call& call);

/// Whether scales have an effect on the product.
bool uses_scales(Product product);

/// **size-value**: a scale is finite.
Status check_scale(const Call& call, const char* name, double scale);

/// Makes scales 0 that do not count: sizes alone do on some products (docs/formulas.md).
void settle_scales(const Call& call, const kernels::Axes2& in, const kernels::Axes2& out,
                   double& scale_h, double& scale_w);

/// **int32-extent**: no extent is 2³¹ or more.
Status check_int32_extents(const Call& call);

/// Where n, c, h, w are.
const AxisOrder& axis_order(const TensorArgument& a);

}  // namespace gradproof::ops
