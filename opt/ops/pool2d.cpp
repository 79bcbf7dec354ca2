// Rules of the 2-D pooling with a bit mask.
#include "opt/ops/pool2d.h"

#include <algorithm>
#include <limits>

#include "opt/ops/canonical.h"

namespace gradproof::ops {
namespace {

constexpr aclDataType kAll[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr std::span<const aclDataType> kWithoutBf16(kAll, 2);
constexpr ProductTypes kProductTypes{{kWithoutBf16, {}, kAll, kAll}};

bool accepts(const Call& call, aclFormat format, int rank) {
  const bool forward = call.tensors[1].access == Access::written;
  if (forward || (rank != 3 && rank != 4)) {  // other ranks are for **rank** to refuse
    return format == ACL_FORMAT_NCHW || format == ACL_FORMAT_ND || format == ACL_FORMAT_NCL;
  }
  // Of the gradient: what both conformances take without a question.
  if (rank == 3) return format == ACL_FORMAT_ND || format == ACL_FORMAT_NCL;
  const bool newer =
      call.config.product == Product::Ascend910B || call.config.product == Product::Ascend910_93;
  return format == ACL_FORMAT_NCHW || (format == ACL_FORMAT_ND && newer && !one_by_one(call));
}

}  // namespace

bool one_by_one(const Call& call) {
  const std::vector<std::int64_t>& kernel = call.arrays[0].array->values;
  return !kernel.empty() && std::ranges::all_of(kernel, [](std::int64_t k) { return k == 1; });
}

Status check_pool2d_descriptors(const Call& call) {
  GRADPROOF_TRY(check_types(call, kProductTypes));
  GRADPROOF_TRY(check_formats(call, accepts));
  GRADPROOF_TRY(check_ranks(call, 3, 4));
  return check_extents(call, [](int rank, int axis) { return rank == 4 && axis == 0; });
}

bool settle_mask(const Call& call, TensorArgument& mask, const TensorArgument& self,
                 const TensorArgument& pooled, const Windows& windows) {
  const bool positions = goes(call, Way::mask_positions);
  if (!goes(call, Way::mask_buffer)) return positions;
  const auto e = extents4(pooled);
  const Wide outputs = multiply(e[2], e[3]);
  const Wide bits =
      multiply(multiply(e[0], ceil_divide(e[1], 16)), multiply(ceil_divide(outputs, 16) + 1, 16));
  const Wide kernel = multiply(windows.kernel[0], windows.kernel[1]);
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max() / 64;
  // Factors are compared before they are multiplied: a mask of another shape bounds none of them.
  const auto plane = extents4(self);
  const bool named = multiply(plane[2], plane[3]) <= std::numeric_limits<std::int32_t>::max();
  const bool fits =
      positions ? named && pooled.elements <= kMost : bits <= kMost && kernel <= kMost / bits;
  if (!fits) {
    call.course.later = Status(ACLNN_ERR_PARAM_INVALID,
                               words(call.api, ": shape: ", mask.name,
                                     " would be too large: its positions or bytes overflow"));
    return positions;
  }
  const Wide needed = positions ? Wide{pooled.elements} * 4 : multiply(bits, kernel) * 2;
  if (mask.end < needed) {
    mask.staged = true;
    mask.room = static_cast<std::uint64_t>(needed);
    mask.rest = positions ? 0xFF : 0;  // no position, no bit
  } else {
    mask.end = static_cast<std::int64_t>(needed);
  }
  mask.begin = mask.first = 0;
  if (positions) mask.alignment = alignof(std::int32_t);
  return positions;
}

kernels::Strides5 position_strides(std::int64_t c, const kernels::Axes2& out) {
  const std::int64_t plane = out.h * out.w;
  return {c * plane, plane, plane, out.w, 1};
}

Status check_mask_shape(const Call& call, const TensorArgument& pooled, const TensorArgument& mask,
                        const Windows& windows) {
  const int outer = pooled.rank() - 2;
  GRADPROOF_TRY(check_same_extents(call, pooled, mask, outer));
  const Wide offsets = multiply(windows.kernel[0], windows.kernel[1]);
  GRADPROOF_TRY(check_extent(call, mask, outer, offsets, [&] {
    return words("kernelSize is ", windows.kernel[0], " x ", windows.kernel[1]);
  }));
  const std::int64_t ho = pooled->shape[outer], wo = pooled->shape[outer + 1];
  const Wide bytes = multiply(ceil_divide(multiply(ho, wo), 16) + 1, 32);
  return check_extent(call, mask, outer + 1, bytes,
                      [&] { return words(pooled.name, " has planes of ", ho, " x ", wo); });
}

}  // namespace gradproof::ops
