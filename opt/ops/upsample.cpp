// Rules of bilinear upsampling.
#include "opt/ops/upsample.h"

#include <cmath>
#include <limits>

namespace gradproof::ops {
namespace {

constexpr aclDataType kAll[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr std::span<const aclDataType> kWithoutBf16(kAll, 2);
constexpr ProductTypes kProductTypes{{kWithoutBf16, kWithoutBf16, kAll, kAll}};

}  // namespace

Status check_upsample_descriptors(const Call& call) {
  GRADPROOF_TRY(check_types(call, kProductTypes));
  GRADPROOF_TRY(check_formats(call, [](const Call&, aclFormat format, int) {
    return format == ACL_FORMAT_NCHW || format == ACL_FORMAT_NHWC;
  }));
  GRADPROOF_TRY(check_ranks(call, 4, 4));
  return check_extents(call, [](int, int) { return false; });
}

Status check_scale(const Call& call, const char* name, double scale) {
  if (std::isfinite(scale)) return {};
  return refuse(call, "size-value", name, " is ", scale, ", must be finite");
}

bool uses_scales(Product product) {
  return product == Product::Ascend910B || product == Product::Ascend910_93;
}

namespace {

/// out = ⌊in · scale⌋.
bool fits(std::int64_t in, std::int64_t out, double scale) {
  return scale > 0 && std::floor(static_cast<double>(in) * scale) == static_cast<double>(out);
}

}  // namespace

void settle_scales(const Call& call, const kernels::Axes2& in, const kernels::Axes2& out,
                   double& scale_h, double& scale_w) {
  const bool both = fits(in.h, out.h, scale_h) && fits(in.w, out.w, scale_w);
  if (!uses_scales(call.config.product) || (goes(call, Way::fitting_scales) && !both)) {
    scale_h = scale_w = 0;
  }
}

Status check_int32_extents(const Call& call) {
  for (const TensorArgument& a : call.tensors) {
    for (const std::int64_t extent : a->shape) {
      if (extent > std::numeric_limits<std::int32_t>::max()) {
        GRADPROOF_TRY(refuse(call, "int32-extent", a.name, " has an extent of ", extent,
                             ", must be below 2^31"));
      }
    }
  }
  return {};
}

const AxisOrder& axis_order(const TensorArgument& a) {
  return a->format == ACL_FORMAT_NHWC ? kNhwc : kNchw;
}

}  // namespace gradproof::ops
