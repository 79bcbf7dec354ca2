// How the 2-D pool's gradient is cut: blocks of gradInput planes of channels that share mask words.
#pragma once

#include <type_traits>

#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels {

/// What is stored: FloatViaFloat16 is a float there.
template <class Scalar>
using Stored = std::conditional_t<std::is_same_v<Scalar, FloatViaFloat16>, float, Scalar>;

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
  std::int64_t index;  ///< among the tiles
  const MaxPool2dBackwardBuffers* buffers;
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

  /// Tiles of at most so many rows and columns. `parted`: channels that share words may be in
  /// several tiles.
  struct Most {
    std::int64_t rows, columns;
    bool parted;
  };
  MaskTiles(const MaxPool2dBackwardGeometry& g, const Machine& machine, Most limits);

  /// Limits for tiles that are computed row by row.
  static Most whole_rows(const MaxPool2dBackwardGeometry& g, const Machine&);

  /// Tile `index` of `tiles`. It has no channels if the last group is too small for that part.
  template <class Scalar>
  MaskTile<Scalar> tile(const MaxPool2dBackwardGeometry& g, const MaxPool2dBackwardBuffers& b,
                        std::int64_t index) const {
    const std::int64_t of_all = index;
    const auto next = [&index](std::int64_t count) {
      if (count == 1) return std::int64_t{0};  // six divisions are a tenth of the smallest call
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
            {column, std::min(g.in.w, column + columns)},
            of_all,
            &b};
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

/// Calls body(plan, b, tile, plan.scratch(workspace, slot)) for all tiles of a plan that is a
/// MaskTiles.
template <class Plan>
Outcome run_mask_tiles(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::byte* workspace) {
  parallel_tiles(plan.tiles, {plan.workers, plan.streaming}, [&](std::int64_t tile, int slot) {
    plan.body(plan, b, tile, plan.scratch(workspace, slot));
  });
  return {};
}

/// The body of such a plan: calls write(MaskTile<Scalar>) for the geometry's scalars, unless the
/// tile has no channels.
template <class Plan, class Write>
void visit_mask_tile(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                     const Write& write) {
  visit_mask_scalar(plan.g, [&](auto type) {
    const auto tile = plan.template tile<typename decltype(type)::type>(plan.g, b, index);
    if (tile.channels > 0) write(tile);
  });
}

}  // namespace gradproof::kernels
