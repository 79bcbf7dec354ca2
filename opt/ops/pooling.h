// What the window poolings share: the rules on kernelSize, stride, padding, dilation, and the
// pooled shape.
#pragma once

#include <array>

#include "opt/kernels/geometry.h"
#include "opt/ops/check.h"

namespace gradproof::ops {

/// Windows over the last `axes` dimensions, outermost first; short arrays are spread out.
struct Windows {
  int axes = 0;
  bool ceil_mode = false;
  std::array<std::int64_t, 3> kernel{}, stride{}, padding{}, dilation{};

  /// From a window's first position to its last, of an axis.
  Wide extent(int axis) const { return multiply(kernel[axis] - 1, dilation[axis]) + 1; }
  /// The same of all axes, as kernels want it: a window fits an axis, or nothing is run.
  std::array<std::int64_t, 3> extents() const;
};

/// **array-length**, **kernel-value**, **stride-value**, **padding-value**, **dilation-value** of
/// the call's arrays (kernelSize, stride, padding, dilation); then fills `windows`.
Status check_windows(const Call& call, int axes, bool ceil_mode, Windows& windows);

/// Extent of one pooled axis by windows of an extent; less than 1 if no window fits.
Wide pooled_extent(std::int64_t in, Wide window, std::int64_t stride, std::int64_t padding,
                   bool ceil_mode);

/// **shape**: `pooled` has the batch and channels of `input` and its pooled extents.
Status check_pooled_shape(const Call& call, const TensorArgument& input,
                          const TensorArgument& pooled, const Windows& windows);

inline kernels::Axes2 axes2(const std::array<std::int64_t, 3>& v) { return {v[0], v[1]}; }
inline kernels::Axes3 axes3(const std::array<std::int64_t, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace gradproof::ops
