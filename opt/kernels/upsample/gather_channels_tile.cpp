// A tile of UpsampleBilinear2dBackwardV2 with the channels innermost: weighted sums of gradOutput
// rows in long vectors, then each column's sum, vectors going over the channels.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/upsample/gather_channels_tile.cpp"
#include "opt/kernels/vector/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/upsample/add_columns-inl.h"
#include "opt/kernels/upsample/tiles.h"
#include "opt/kernels/upsample/weighted_rows-inl.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace up = upsample;

template <class Scalar>
void channels_tile(const up::Problem& p, std::int64_t tile, const up::Scratch& scratch) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  const std::int64_t j0 = tile % p.column_tiles * p.columns_per_tile;
  const std::int64_t width = std::min(p.columns_per_tile, g.in.w - j0);
  tile /= p.column_tiles;
  const std::int64_t c0 = tile % p.channel_tiles * up::kChannels;
  const std::int64_t channels = std::min(up::kChannels, g.c - c0);
  tile /= p.channel_tiles;
  const std::int64_t h = tile % g.in.h, n = tile / g.in.h;
  const std::int64_t lanes = up::padded_channels(channels);
  const std::int64_t most = up::kTileFloats / lanes;

  float* columns = scratch.columns;
  clear_sums(columns, (width + 2) * lanes);
  const up::Reaching positions(p.columns, g.out.w, j0, j0 + width);
  const auto [first, last] = p.gathered_rows.entries(h, g.h);
  const bool dense = from.w == channels || g.out.w == 1;
  const Scalar* source =
      static_cast<const Scalar*>(p.buffers.grad_output) + n * from.n + c0 * from.c;
  for (std::int64_t at = first == last ? positions.end : positions.begin; at < positions.end;
       at += most) {
    const std::int64_t count = std::min(most, positions.end - at);
    const std::int64_t runs = dense ? 1 : count, run = dense ? count * channels : channels;
    for (std::int64_t i = 0; i < runs; ++i) {
      weigh_rows<Scalar>(
          scratch.sums + i * run, static_cast<std::size_t>(run), first, last,
          [&](std::int64_t e) HWY_ATTR {
            return source + p.gathered_rows.reaching(e, g.h) * from.h + (at + i) * from.w;
          },
          p.gathered_rows.weight);
    }
    add_columns(columns + (1 - j0) * lanes, lanes, scratch.sums, channels, p.columns + at, count,
                channels, j0 - 1, j0 + width - 1);
  }

  auto* row = static_cast<Scalar*>(p.buffers.grad_input) + n * to.n + c0 * to.c + h * to.h;
  const float* sums = columns + lanes;
  if (to.w != channels && g.in.w > 1) {
    for (std::int64_t j = 0; j < width; ++j) {
      write_sums(row + (j0 + j) * to.w, sums + j * lanes, static_cast<std::size_t>(channels),
                 p.streaming && channels == up::kChannels);
    }
  } else {
    if (lanes != channels) {
      for (std::int64_t j = 0; j < width; ++j)
        std::copy_n(sums + j * lanes, channels, scratch.staging + j * channels);
      sums = scratch.staging;
    }
    write_sums(row + j0 * to.w, sums, static_cast<std::size_t>(width * channels), p.streaming);
  }
}

void bilinear_channels_tile(const up::Problem& p, std::int64_t tile, const up::Scratch& scratch) {
  visit_narrow(p.g.element, [&](auto type) HWY_ATTR {
    channels_tile<typename decltype(type)::type>(p, tile, scratch);
  });
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels {
GRADPROOF_VARIANTS(bilinear_channels_tile);

namespace upsample {
TileBody channels_tile(InstructionSet set) {
  return GRADPROOF_DISPATCH(bilinear_channels_tile, set);
}
}  // namespace upsample
}  // namespace gradproof::kernels
#endif
