// Which scales count, and which ones fit.
#include "ref/scales.h"

#include <cmath>

#include "ref/types.h"

namespace gradproof::ref {

bool uses_scales(Product product) {
  return product == Product::Ascend910B || product == Product::Ascend910_93;
}

double scale_in_effect(const Call& call, std::size_t axis) {
  const bool align_corners = call.flags[0] != 0;
  const double scale = call.reals[axis];
  return !align_corners && uses_scales(call.product) && scale > 0 ? scale : 0;
}

bool scale_fits(std::int64_t in, std::int64_t out, double scale) {
  return std::floor(static_cast<double>(in) * scale) == static_cast<double>(out);
}

bool scales_fit(const Call& call) {
  for (std::size_t axis = 0; axis < call.reals.size(); ++axis) {
    const double scale = scale_in_effect(call, axis);
    const Tensor& small = tensor(call, is_backward(call.op) ? "out" : "self");
    const std::size_t h = small.format == kNhwc ? 1 : 2;
    const std::int64_t out = int_array(call, "outputSize").values[axis];
    if (scale > 0 && !scale_fits(small.shape[h + axis], out, scale)) return false;
  }
  return true;
}

}  // namespace gradproof::ref
