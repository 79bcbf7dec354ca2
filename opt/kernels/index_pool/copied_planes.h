// Views of the 3-D pools' gradients whose planes have gaps or are in another order.
#pragma once

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/vector/copied_planes.h"

namespace gradproof::kernels {

struct IndexedPool {
  using Geometry = MaxPool3dBackwardGeometry;
  using Buffers = MaxPool3dBackwardBuffers;
  static constexpr int kOperands = 3;
  static constexpr std::int64_t kChannels = 1;
  static constexpr bool kAnyOrder = true;  // gaps: half the time in FLOAT16, level otherwise

  static std::array<Extents5, 3> extents(const Geometry& g) {
    return {{{g.n, g.c, g.out}, {g.n, g.c, g.out}, {g.n, g.c, g.in}}};
  }
  static std::array<Strides5, 3> strides(const Geometry& g) {
    return {g.grad_output, g.indices, g.grad_input};
  }
  static std::array<int, 3> sizes(const Geometry& g) {
    const int size = bytes_of(g.element);
    return {size, 4, size};
  }
  static std::array<const std::byte*, 3> addresses(const Buffers& b) {
    return {static_cast<const std::byte*>(b.grad_output),
            reinterpret_cast<const std::byte*>(b.indices),
            static_cast<const std::byte*>(b.grad_input)};
  }
  static Geometry geometry(Geometry g, std::int64_t n, std::int64_t c,
                           const std::array<Strides5, 3>& strides) {
    g.n = n, g.c = c;
    g.grad_output = strides[0], g.indices = strides[1], g.grad_input = strides[2];
    return g;
  }
  static Buffers buffers(const std::array<std::byte*, 3>& at, const Geometry&, const Buffers&,
                         std::int64_t, std::int64_t) {
    return {at[0], reinterpret_cast<const std::int32_t*>(at[1]), at[2]};
  }
  static std::span<const MaxPool3dBackwardKernel> table(const Geometry& g) {
    return g.windows ? max_pool3d_with_argmax_backward() : adaptive_max_pool3d_backward();
  }
  static std::int64_t outputs(const Geometry& g) { return g.out.d * g.out.h * g.out.w; }
};

}  // namespace gradproof::kernels
