// Rules of the 2-D pooling with a bit mask.
#include "opt/ops/pool2d.h"

namespace gradproof::ops {
namespace {

constexpr aclDataType kAll[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr std::span<const aclDataType> kWithoutBf16(kAll, 2);
constexpr ProductTypes kProductTypes{{kWithoutBf16, {}, kAll, kAll}};

}  // namespace

Status check_pool2d_descriptors(const Call& call, Product product) {
  GRADPROOF_TRY(check_types(call, kProductTypes, product));
  GRADPROOF_TRY(check_formats(call, [](aclFormat format, int) {
    return format == ACL_FORMAT_NCHW || format == ACL_FORMAT_ND || format == ACL_FORMAT_NCL;
  }));
  GRADPROOF_TRY(check_ranks(call, 3, 4));
  return check_extents(call, [](int rank, int axis) { return rank == 4 && axis == 0; });
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
