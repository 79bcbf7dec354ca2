// Prefetches a tile's inputs, line by line, while another tile is computed: the planes, and the
// words of each kernel position, which are more streams than the processor's own prefetcher tracks.
#pragma once

#include <algorithm>

#include "opt/kernels/machine.h"
#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/window_axis.h"

namespace gradproof::kernels {

class MaskAhead {
 public:
  /// For the tile that the worker of `tile` probably gets next. @param h the windows on that axis
  template <class Scalar>
  MaskAhead(const MaxPool2dBackwardGeometry& g, const MaskTiles& tiles, const WindowAxis& h,
            const MaskTile<Scalar>& tile) {
    const std::int64_t index = tile.index + tiles.workers;
    if (index >= tiles.tiles) return;
    const MaskTile<Scalar> next = tiles.tile<Scalar>(g, *tile.buffers, index);
    const Span oh = h.reaching(next.h);
    const std::int64_t rows = std::max<std::int64_t>(0, oh.last - oh.first), size = sizeof(Scalar);
    const Strides4& s = g.grad_output;
    if (s.w == 1 && s.h == g.out.w) {
      planes_ = {reinterpret_cast<const std::byte*>(next.grad_output + oh.first * s.h),
                 rows * s.h * size, s.c * size, next.channels};
    }
    words_ = {reinterpret_cast<const std::byte*>(next.mask) +
                  tiles.mask.at(next.group, 0, oh.first * g.out.w),
              rows * g.out.w * 2, tiles.mask.positions * 2, tiles.mask.kernel_positions};
  }

  std::int64_t lines() const { return planes_.lines() + words_.lines(); }

  /// The next n of them.
  HWY_INLINE void call(std::int64_t n) {
    for (; n > 0; --n) {
      if (at_ >= end_) {
        if (planes_.runs > 0) {
          start(planes_);
        } else if (words_.runs > 0) {
          start(words_);
        } else {
          return;
        }
      }
      prefetch(at_);
      at_ += kLine;
    }
  }

 private:
  struct Runs {
    const std::byte* first = nullptr;
    std::int64_t bytes = 0, stride = 0, runs = 0;

    std::int64_t lines() const { return runs * (bytes / std::int64_t{kLine} + 1); }
  };

  void start(Runs& runs) {
    at_ = runs.first;
    end_ = at_ + runs.bytes;
    runs.first += runs.stride;
    --runs.runs;
  }

  Runs planes_, words_;
  const std::byte *at_ = nullptr, *end_ = nullptr;
};

}  // namespace gradproof::kernels
