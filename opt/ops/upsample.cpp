// Rules of bilinear upsampling.
#include "opt/ops/upsample.h"

#include <cmath>

namespace gradproof::ops {
namespace {

constexpr aclDataType kAll[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr std::span<const aclDataType> kWithoutBf16(kAll, 2);
constexpr ProductTypes kProductTypes{{kWithoutBf16, kWithoutBf16, kAll, kAll}};

}  // namespace

Status check_upsample_descriptors(const Call& call, Product product) {
  GRADPROOF_TRY(check_types(call, kProductTypes, product));
  GRADPROOF_TRY(check_formats(call, [](aclFormat format, int) {
    return format == ACL_FORMAT_NCHW || format == ACL_FORMAT_NHWC;
  }));
  GRADPROOF_TRY(check_ranks(call, 4, 4));
  return check_extents(call, [](int, int) { return false; });
}

Status check_scale(const Call& call, const char* name, double scale) {
  if (std::isfinite(scale)) return {};
  return refuse(call, "size-value", name, " is ", scale, ", must be finite");
}

const AxisOrder& axis_order(const TensorArgument& a) {
  return a->format == ACL_FORMAT_NHWC ? kNhwc : kNchw;
}

}  // namespace gradproof::ops
