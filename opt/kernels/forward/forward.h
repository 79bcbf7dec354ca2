// The five forward companions: geometry and tables. They serve to make indices, masks and examples;
// speed matters less here than in the gradients.
#pragma once

#include <algorithm>
#include <span>

#include "opt/kernels/bilinear_axis.h"
#include "opt/kernels/geometry.h"
#include "opt/kernels/kernel.h"

namespace gradproof::kernels {

/// Max pooling of [n, c, d, h, w] with windows, or adaptive ones; first maximum in window order
/// (d, h, w), a NaN is the maximum, padding is −∞.
struct MaxPool3dGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  std::int64_t n = 1, c = 1;       ///< n is 0 where there is no result
  Axes3 in, out;
  Strides5 self, result, indices;
  bool adaptive = false;          ///< window l of an axis is [⌊l·in/out⌋, ⌈(l+1)·in/out⌉)
  Axes3 kernel, stride, padding;  ///< unused if adaptive
};
/// Elements of the largest window, which may overlap its neighbours in nearly all of them.
inline std::uint64_t window_volume(const MaxPool3dGeometry& g) {
  const auto extent = [&](std::int64_t in, std::int64_t out, std::int64_t kernel) {
    return static_cast<std::uint64_t>(std::min(in, g.adaptive ? in / out + 2 : kernel));
  };
  return extent(g.in.d, g.out.d, g.kernel.d) * extent(g.in.h, g.out.h, g.kernel.h) *
         extent(g.in.w, g.out.w, g.kernel.w);
}
struct MaxPool3dBuffers {
  const void* self;
  void* result;
  std::int32_t* indices;
};
using MaxPool3dPlan = Plan<MaxPool3dGeometry, MaxPool3dBuffers>;
using MaxPool3dKernel = Kernel<MaxPool3dGeometry, MaxPool3dBuffers>;
std::span<const MaxPool3dKernel> max_pool3d_with_argmax();
std::span<const MaxPool3dKernel> adaptive_max_pool3d();

/// Max pooling of [n, c, h, w]; the mask as in max_pool2d_with_mask_backward.h, zeros elsewhere in
/// the mask_bytes bytes of the tensor.
struct MaxPool2dGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  std::int64_t n = 1, c = 1;       ///< n is 0 where there is no result
  Axes2 in, out, kernel, stride, padding;
  Strides4 self, result;
  std::int64_t mask_bytes = 0;
};
inline std::uint64_t window_volume(const MaxPool2dGeometry& g) {
  return static_cast<std::uint64_t>(std::min(g.in.h, g.kernel.h)) *
         static_cast<std::uint64_t>(std::min(g.in.w, g.kernel.w));
}
struct MaxPool2dBuffers {
  const void* self;
  void* result;
  std::uint8_t* mask;
};
using MaxPool2dPlan = Plan<MaxPool2dGeometry, MaxPool2dBuffers>;
using MaxPool2dKernel = Kernel<MaxPool2dGeometry, MaxPool2dBuffers>;
std::span<const MaxPool2dKernel> max_pool2d_with_mask();

struct UpsampleGeometry {
  Element element = Element::f32;  ///< f32, f16, bf16
  std::int64_t n = 1, c = 1;
  Axes2 in, out;  ///< the small image (self) and the large one (the result)
  Strides4 self, result;
  BilinearAxis h, w;
};
struct MapBuffers {
  const void* self;
  void* result;
};
using UpsamplePlan = Plan<UpsampleGeometry, MapBuffers>;
using UpsampleKernel = Kernel<UpsampleGeometry, MapBuffers>;
std::span<const UpsampleKernel> upsample_bilinear2d();

struct ReplicationPadGeometry {
  Element element = Element::f32;  ///< f32, f16, f64, c64, c128
  std::int64_t n = 1, c = 1;       ///< n is 0 where there is no result
  Axes2 in, out;                   ///< self's and the result's planes
  std::int64_t left = 0, top = 0;  ///< may be negative (crops)
  Strides4 self, result;
};
using ReplicationPadPlan = Plan<ReplicationPadGeometry, MapBuffers>;
using ReplicationPadKernel = Kernel<ReplicationPadGeometry, MapBuffers>;
std::span<const ReplicationPadKernel> replication_pad2d();

}  // namespace gradproof::kernels
