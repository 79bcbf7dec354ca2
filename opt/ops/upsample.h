// What bilinear upsampling and its gradient share.
#pragma once

#include "opt/ops/canonical.h"
#include "opt/ops/check.h"

namespace gradproof::ops {

/// **platform** to **dim-value**.
Status check_upsample_descriptors(const Call& call, Product product);

/// **size-value**: a scale is finite.
Status check_scale(const Call& call, const char* name, double scale);

/// Where n, c, h, w are.
const AxisOrder& axis_order(const TensorArgument& a);

}  // namespace gradproof::ops
