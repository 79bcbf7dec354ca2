// Views of the 2-D mask pool's gradient with strided columns. The mask is not copied.
#pragma once

#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/vector/copied_planes.h"

namespace gradproof::kernels {

struct MaskPool {
  using Geometry = MaxPool2dBackwardGeometry;
  using Buffers = MaxPool2dBackwardBuffers;
  static constexpr int kOperands = 2;
  static constexpr std::int64_t kChannels = MaskLayout::kChannels;
  static constexpr bool kAnyOrder = false;  // with gaps, in place is faster

  static std::array<Extents5, 2> extents(const Geometry& g) {
    return {{{g.n, g.c, with_depth(g.out)}, {g.n, g.c, with_depth(g.in)}}};
  }
  static std::array<Strides5, 2> strides(const Geometry& g) {
    return {with_depth(g.grad_output), with_depth(g.grad_input)};
  }
  static std::array<int, 2> sizes(const Geometry& g) {
    const int size = bytes_of(g.element);
    return {size, size};
  }
  static std::array<const std::byte*, 2> addresses(const Buffers& b) {
    return {static_cast<const std::byte*>(b.grad_output),
            static_cast<const std::byte*>(b.grad_input)};
  }
  static Geometry geometry(Geometry g, std::int64_t n, std::int64_t c,
                           const std::array<Strides5, 2>& strides) {
    g.n = n, g.c = c;
    g.grad_output = without_depth(strides[0]), g.grad_input = without_depth(strides[1]);
    return g;
  }
  static Buffers buffers(const std::array<std::byte*, 2>& at, const Geometry& g, const Buffers& b,
                         std::int64_t n, std::int64_t c) {
    const MaskLayout mask(g.c, g.kernel, g.out);
    return {at[0], b.mask + mask.at(n * mask.groups + c / kChannels, 0, 0), at[1]};
  }
  static std::span<const MaxPool2dBackwardKernel> table(const Geometry&) {
    return max_pool2d_with_mask_backward();
  }
  static std::int64_t outputs(const Geometry&) { return 0; }  // no index can be bad
};

}  // namespace gradproof::kernels
