// Window parameters and pooled shapes.
#include "opt/ops/pooling.h"

#include <algorithm>
#include <limits>

namespace gradproof::ops {
namespace {

std::size_t spread(const ArrayArgument& array, int axis) { return array.size() == 1 ? 0 : axis; }

}  // namespace

Status check_windows(const Call& call, int axes, bool ceil_mode, Windows& windows) {
  const ArrayArgument &kernel = call.arrays[0], &stride = call.arrays[1];
  const ArrayArgument &padding = call.arrays[2], &dilation = call.arrays[3];
  const std::size_t full = axes;
  GRADPROOF_TRY(check_length(call, kernel, {1, full}));
  GRADPROOF_TRY(check_length(call, stride, {0, 1, full}));
  GRADPROOF_TRY(check_length(call, padding, {1, full}));
  GRADPROOF_TRY(check_length(call, dilation, {1, full}));
  GRADPROOF_TRY(check_at_least(call, "kernel-value", kernel, 1));
  GRADPROOF_TRY(check_at_least(call, "stride-value", stride, 1));
  for (int axis = 0; axis < axes; ++axis) {
    const std::size_t at = spread(padding, axis);
    const std::int64_t k = kernel[spread(kernel, axis)];
    if (padding[at] < 0 || padding[at] > k / 2) {
      return refuse(call, "padding-value", padding.name, "[", at, "] is ", padding[at],
                    ", must be from 0 to ", k / 2, ", half of ", kernel.name, " ", k);
    }
  }
  for (std::size_t i = 0; i < dilation.size(); ++i) {
    if (dilation[i] != 1) {
      GRADPROOF_TRY(refuse(call, "dilation-value", dilation.name, "[", i, "] is ", dilation[i],
                           ", must be 1"));
    }
  }
  windows.axes = axes;
  windows.ceil_mode = ceil_mode;
  for (int axis = 0; axis < axes; ++axis) {
    windows.kernel[axis] = kernel[spread(kernel, axis)];
    windows.stride[axis] = stride.size() == 0 ? windows.kernel[axis] : stride[spread(stride, axis)];
    windows.padding[axis] = padding[spread(padding, axis)];
    windows.dilation[axis] = dilation[spread(dilation, axis)];
  }
  return {};
}

std::array<std::int64_t, 3> Windows::extents() const {
  std::array<std::int64_t, 3> all{};
  for (int axis = 0; axis < axes; ++axis) {
    all[axis] = static_cast<std::int64_t>(
        std::min<Wide>(extent(axis), std::numeric_limits<std::int64_t>::max()));
  }
  return all;
}

Wide pooled_extent(std::int64_t in, Wide window, std::int64_t stride, std::int64_t padding,
                   bool ceil_mode) {
  const Wide room = Wide{in} + 2 * Wide{padding} - window + (ceil_mode ? stride - 1 : 0);
  Wide out = floor_divide(room, stride) + 1;
  // A window may not start in the right padding.
  if (ceil_mode && multiply(out - 1, stride) >= Wide{in} + padding) --out;
  return out;
}

Status check_pooled_shape(const Call& call, const TensorArgument& input,
                          const TensorArgument& pooled, const Windows& windows) {
  const int outer = input.rank() - windows.axes;
  GRADPROOF_TRY(check_same_extents(call, input, pooled, outer));
  for (int i = 0; i < windows.axes; ++i) {
    const std::int64_t in = input->shape[outer + i];
    const std::int64_t k = windows.kernel[i], s = windows.stride[i], p = windows.padding[i];
    const Wide out = pooled_extent(in, windows.extent(i), s, p, windows.ceil_mode);
    GRADPROOF_TRY(check_extent(call, pooled, outer + i, out, [&] {
      std::string text = words(input.name, "[", outer + i, "] is ", in, ", kernelSize ", k,
                               ", stride ", s, ", padding ", p);
      if (windows.dilation[i] > 1) text += words(", dilation ", windows.dilation[i]);
      if (windows.ceil_mode) text += ", ceil mode";
      return text;
    }));
  }
  return {};
}

}  // namespace gradproof::ops
