// How the 2-D pool's gradient is cut: blocks of gradInput planes of channels that share mask words.
#pragma once

#include <type_traits>

#include "opt/kernels/max_pool2d_with_mask_backward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels {

/// What stands in memory: FloatViaFloat16 is a float there.
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

  /// Tiles of at most so many rows and columns; channels that share words are parted if they may.
  struct Most {
    std::int64_t rows, columns;
    bool parted;
  };
  MaskTiles(const MaxPool2dBackwardGeometry& g, const Machine& machine, Most limits);

  /// For tiles that are walked row by row, however many there are.
  static Most whole_rows(const MaxPool2dBackwardGeometry& g);

  /// Tile `index` of `tiles`; without channels, it is a part that the last group does not have.
  template <class Scalar>
  MaskTile<Scalar> tile(const MaxPool2dBackwardGeometry& g, const MaxPool2dBackwardBuffers& b,
                        std::int64_t index) const {
    const std::int64_t of_all = index;
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

/// Runs a plan that is a MaskTiles: its tiles are written by the kernel's write_tile(g, plan, tile,
/// scratch, instruction set), in what plan.scratch(workspace, slot) finds.
template <class Plan>
Outcome run_mask_tiles(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::byte* workspace) {
  visit_mask_scalar(plan.g, [&](auto type) {
    using Scalar = typename decltype(type)::type;
    parallel_tiles(plan.tiles, plan.workers, [&](std::int64_t index, int slot) {
      const MaskTile<Scalar> tile = plan.template tile<Scalar>(plan.g, b, index);
      if (tile.channels <= 0) return;
      write_tile(plan.g, plan, tile, plan.scratch(workspace, slot), plan.machine.instruction_set);
    });
  });
  return {};
}

}  // namespace gradproof::kernels

// The instances of a kernel's WriteTile(g, plan, tile, scratch), for a file of vector code: one in
// each target's namespace, and the choice among them in the kernel's.
#define GRADPROOF_MASK_SCALARS(DO) \
  DO(WriteF32, float)              \
  DO(WriteF16, Float16)            \
  DO(WriteBF16, BFloat16)          \
  DO(WriteViaF16, FloatViaFloat16)
#define GRADPROOF_MASK_INSTANCE(Name, Scalar)                                                   \
  void Name(const MaxPool2dBackwardGeometry& g, const Plan& plan, const MaskTile<Scalar>& tile, \
            const Scratch& scratch) {                                                           \
    WriteTile(g, plan, tile, scratch);                                                          \
  }
#define GRADPROOF_MASK_CHOICE(Name, Scalar)                                                   \
  HWY_EXPORT(Name);                                                                           \
  template <>                                                                                 \
  void write_tile(const MaxPool2dBackwardGeometry& g, const Plan& plan,                       \
                  const MaskTile<Scalar>& tile, const Scratch& scratch, InstructionSet set) { \
    GRADPROOF_DISPATCH(Name, set)(g, plan, tile, scratch);                                    \
  }
