// Which scales count, and which ones fit.
#include "ref/scales.h"

#include <cmath>

#include "ref/types.h"

namespace gradproof::ref {

bool uses_scales(Product product) {
  return product == Product::Ascend910B || product == Product::Ascend910_93;
}

namespace {

/// Whether the scale of an axis leads from the small image's extent to the large one's.
bool fits(const Call& call, std::size_t axis) {
  const Tensor& small = tensor(call, is_backward(call.op) ? "out" : "self");
  const std::size_t h = small.format == kNhwc ? 1 : 2;
  return scale_fits(small.shape[h + axis], int_array(call, "outputSize").values[axis],
                    call.reals[axis]);
}

}  // namespace

double scale_in_effect(const Call& call, std::size_t axis, Scales scales) {
  const bool align_corners = call.flags[0] != 0;
  const double scale = call.reals[axis];
  if (align_corners || !uses_scales(call.product) || !(scale > 0)) return 0;
  const bool counts = scales == Scales::each ||
                      (call.reals[0] > 0 && call.reals[1] > 0 && fits(call, 0) && fits(call, 1));
  return counts ? scale : 0;
}

bool scale_fits(std::int64_t in, std::int64_t out, double scale) {
  return std::floor(static_cast<double>(in) * scale) == static_cast<double>(out);
}

bool scales_fit(const Call& call) {
  for (std::size_t axis = 0; axis < call.reals.size(); ++axis) {
    if (scale_in_effect(call, axis) > 0 && !fits(call, axis)) return false;
  }
  return true;
}

}  // namespace gradproof::ref
