// Writes a tile's finished planes from a staging buffer to gradInput.
#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_WRITE_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_WRITE_PLANES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_WRITE_PLANES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_WRITE_PLANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Writes the tile's part of gradInput, in runs as long as its strides allow.
template <class Scalar>
void write_finished(const MaxPool2dBackwardGeometry& g, const MaskTile<Scalar>& tile,
                    const Scalar* staging, bool streaming) {
  const Strides4& s = g.grad_input;
  const std::int64_t rows = tile.h.last - tile.h.first, width = tile.w.last - tile.w.first;
  const std::int64_t area = rows * width;
  Scalar* to = tile.grad_input + tile.h.first * s.h + tile.w.first * s.w;
  const auto copy = [&](Scalar* target, const Scalar* from, std::int64_t n) HWY_ATTR {
    write_copy(target, from, static_cast<std::size_t>(n), streaming);
  };
  const bool joined = s.w == 1 && (s.h == width || rows == 1);
  if (joined && s.c == area) return copy(to, staging, tile.channels * area);
  for (std::int64_t c = 0; c < tile.channels; ++c) {
    const Scalar* from = staging + c * area;
    if (joined) {
      copy(to + c * s.c, from, area);
      continue;
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      Scalar* target = to + c * s.c + row * s.h;
      if (s.w == 1) {
        copy(target, from + row * width, width);
      } else {
        for (std::int64_t i = 0; i < width; ++i) target[i * s.w] = from[row * width + i];
      }
    }
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_WRITE_PLANES_INL_H_
