// How the 2-D pool's gradient is cut: blocks of gradInput planes of channels that share mask words.
#pragma once

#include "opt/kernels/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels {

/// Rows h and columns w of the planes of channels that share words.
template <class Scalar>
struct MaskTile {
  const Scalar* grad_output;  ///< of the first plane
  const std::uint8_t* mask;
  std::int64_t group;  ///< n·groups + c/16
  std::uint32_t bit;   ///< the first channel's in its words
  std::int64_t channels;
  Scalar* grad_input;  ///< of the first plane
  Span h, w;
};

/// Of a geometry with at least one plane.
struct MaskTiles {
  MaskLayout mask;
  std::int64_t rows = 0, row_bands = 0;          ///< gradInput rows of a tile
  std::int64_t columns = 0, column_bands = 0;    ///< gradInput columns of a tile: an even number
  std::int64_t channels = 1, channel_parts = 1;  ///< channels of a tile, parts of a mask group
  std::int64_t tiles = 0;
  bool streaming = false;
  int workers = 1;

  MaskTiles(const MaxPool2dBackwardGeometry& g, int threads);

  /// Tile `index` of `tiles`; without channels, it is a part that the last group does not have.
  template <class Scalar>
  MaskTile<Scalar> tile(const MaxPool2dBackwardGeometry& g, const MaxPool2dBackwardBuffers& b,
                        std::int64_t index) const {
    const auto next = [&index](std::int64_t count) {
      const std::int64_t place = index % count;
      index /= count;
      return place;
    };
    const std::int64_t part = next(channel_parts) * channels;
    const std::int64_t column = next(column_bands) * columns, row = next(row_bands) * rows;
    const std::int64_t n = index / mask.groups;
    const std::int64_t c = index % mask.groups * MaskLayout::kChannels + part;
    return {static_cast<const Scalar*>(b.grad_output) + n * g.grad_output.n + c * g.grad_output.c,
            b.mask,
            index,
            1u << part,
            std::min({channels, MaskLayout::kChannels - part, g.c - c}),
            static_cast<Scalar*>(b.grad_input) + n * g.grad_input.n + c * g.grad_input.c,
            {row, std::min(g.in.h, row + rows)},
            {column, std::min(g.in.w, column + columns)}};
  }
};

/// work(Type<Scalar>) for the geometry's scalars.
template <class Work>
void visit_mask_scalar(const MaxPool2dBackwardGeometry& g, const Work& work) {
  if (g.through_f16) {
    work(Type<FloatViaFloat16>{});
  } else {
    visit_narrow(g.element, work);
  }
}

}  // namespace gradproof::kernels
