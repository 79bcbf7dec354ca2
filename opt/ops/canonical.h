// From descriptors to geometry: extents and strides of a tensor in the kernels' axes.
#pragma once

#include <array>
#include <cstdint>

#include "opt/kernels/geometry.h"
#include "opt/ops/call.h"

namespace gradproof::ops {

/// Positions of the axes n, c, h, w in a rank-4 tensor of the format.
using AxisOrder = std::array<int, 4>;
inline constexpr AxisOrder kNchw{0, 1, 2, 3};
inline constexpr AxisOrder kNhwc{0, 3, 1, 2};

/// n, c, h, w of a tensor of rank 4, or of rank 3 with n = 1 before it.
std::array<std::int64_t, 4> extents4(const TensorArgument& a, const AxisOrder& order = kNchw);
/// n, c, d, h, w of a tensor of rank 5, or of rank 4 with n = 1 before it.
std::array<std::int64_t, 5> extents5(const TensorArgument& a);

/// The strides of a tensor that is not empty, or of its contiguous copy if it is staged. 0 where
/// the extent is 1: such strides are never stepped, and callers may put any number there.
kernels::Strides4 strides4(const TensorArgument& a, const AxisOrder& order = kNchw);
kernels::Strides5 strides5(const TensorArgument& a);

}  // namespace gradproof::ops
