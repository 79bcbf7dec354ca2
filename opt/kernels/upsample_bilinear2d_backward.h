// UpsampleBilinear2dBackwardV2: every gradOut element adds its four weighted shares to `out`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opt/kernels/geometry.h"

namespace gradproof::kernels {

/// One axis of the interpolation: source positions and weights of every output position.
struct BilinearAxis {
  struct Tap {
    std::int64_t i0 = 0, i1 = 0;  ///< neighbours in the small image
    float w0 = 0, w1 = 0;         ///< their weights; an exact 0 contributes nothing
  };
  std::vector<Tap> taps;  ///< by position in the large image
  /// Large-image positions that reach small-image position i with either tap: [first[i], last[i]).
  std::vector<std::int64_t> first, last;
};

/// Coordinates in double without contraction (contract section 6).
/// @param in extent of the small image, ≥ 1  @param out extent of the large one, ≥ 1
/// @param scale used if > 0 and !align_corners
BilinearAxis bilinear_axis(std::int64_t in, std::int64_t out, bool align_corners, double scale);

struct UpsampleBackwardGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  std::int64_t n = 1, c = 1;
  Axes2 in, out;  ///< the small image (the result) and the large one (the gradient)
  Strides4 grad_output, grad_input;
  BilinearAxis h, w;
};

struct UpsampleBackwardBuffers {
  const void* grad_output;
  void* grad_input;
};

using UpsampleBackwardKernel = Kernel<UpsampleBackwardGeometry, UpsampleBackwardBuffers>;
std::span<const UpsampleBackwardKernel> upsample_bilinear2d_backward();

}  // namespace gradproof::kernels
