// A tile of UpsampleBilinear2dBackwardV2: weighted sums along the rows in long vectors, then each
// column's sum from what lies in the first-level cache.
//
// A column of gradOutput gives to one or two columns of gradInput wherever these lie, which is no
// vector operation along a row. So the second step has its vectors across: 16 gradInput rows,
// turned round in registers on the way in and out, or the channels where these are innermost. Any
// scale costs the same, and every lane adds in the order of the definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/simd/upsample_bilinear2d_backward_tile.cpp"
#include "opt/kernels/simd/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/rows.h"
#include "opt/kernels/simd/column_lookup-inl.h"
#include "opt/kernels/simd/stream-inl.h"
#include "opt/kernels/simd/transpose-inl.h"
#include "opt/kernels/simd/upsample_bilinear2d_backward.h"
#include "opt/kernels/simd/weighted_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace bb = bilinear_backward;

/// Adds n ≥ 1 positions of x, `stride` floats apart, into the columns that they reach; `lanes`
/// floats each, rounded up to whole vectors. Column i is at columns + i · column_stride.
///
/// The two columns that a position reaches stay in registers until the positions have left them:
/// through memory, each addition would wait for the store of the one before it.
HWY_INLINE void add_columns(float* columns, std::int64_t column_stride, const float* x,
                            std::int64_t stride, const bb::ColumnTap* taps, std::int64_t n,
                            std::int64_t lanes) {
  const Floats d;
  for (std::int64_t l = 0; l < lanes; l += static_cast<std::int64_t>(hn::Lanes(d))) {
    const float* from = x + l;
    std::int64_t i = taps[0].i0;
    float* to = columns + i * column_stride + l;
    auto lower = hn::LoadU(d, to), upper = hn::LoadU(d, to + column_stride);
    for (std::int64_t p = 0; p < n; ++p, from += stride) {
      const bb::ColumnTap tap = taps[p];
      if (tap.i0 != i) {
        hn::StoreU(lower, d, to);
        if (tap.i0 == i + 1) {
          to += column_stride;
          lower = upper;
        } else {
          hn::StoreU(upper, d, to + column_stride);
          to = columns + tap.i0 * column_stride + l;
          lower = hn::LoadU(d, to);
        }
        upper = hn::LoadU(d, to + column_stride);
        i = tap.i0;
      }
      const auto value = hn::LoadU(d, from);
      if (tap.w0 != 0) lower = hn::Add(lower, hn::Mul(hn::Set(d, tap.w0), value));
      if (tap.w1 != 0) upper = hn::Add(upper, hn::Mul(hn::Set(d, tap.w1), value));
    }
    hn::StoreU(lower, d, to);
    hn::StoreU(upper, d, to + column_stride);
  }
}

/// The positions whose columns meet [first, last).
struct Positions {
  std::int64_t begin = 0, end = 0;

  Positions(const bb::Problem& p, std::int64_t first, std::int64_t last) {
    const bb::ColumnTap* taps = p.columns;
    const auto below = [](const bb::ColumnTap& tap, std::int64_t i) { return tap.i0 < i; };
    begin = std::lower_bound(taps, taps + p.g.out.w, first - 1, below) - taps;
    end = std::lower_bound(taps + begin, taps + p.g.out.w, last, below) - taps;
  }
};

/// gradOutput row `h` of a plane from position `p` on, as `n` positions without gaps.
template <class Scalar>
HWY_INLINE const Scalar* dense_row(const Scalar* plane, const Strides4& s, std::int64_t h,
                                   std::int64_t p, std::int64_t n, Scalar* gathered) {
  const Scalar* row = plane + h * s.h + p * s.w;
  if (s.w == 1 || n == 1) return row;
  for (std::int64_t i = 0; i < n; ++i) gathered[i] = row[i * s.w];
  return gathered;
}

/// A gradInput row of a tile.
template <class Scalar>
struct TileRow {
  const Scalar* plane;       ///< of gradOutput
  Scalar* result;            ///< its first column of the tile
  std::int64_t first, last;  ///< entries of the rows that it adds up
};

/// Rows r0 + i of all planes, i < count, from column j0 on. Their planes are counted, not divided
/// out row by row: eight divisions took as long as a short row's sums.
template <class Scalar>
void find_rows(const bb::Problem& p, std::int64_t r0, std::int64_t count, std::int64_t j0,
               TileRow<Scalar>* rows) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  const std::int64_t plane = r0 / g.in.h;
  std::int64_t h = r0 % g.in.h, n = plane / g.c, c = plane % g.c;
  for (std::int64_t i = 0; i < count; ++i) {
    rows[i] = {
        static_cast<const Scalar*>(p.buffers.grad_output) + n * from.n + c * from.c,
        static_cast<Scalar*>(p.buffers.grad_input) + n * to.n + c * to.c + h * to.h + j0 * to.w,
        p.rows.begin[h], p.rows.begin[h + 1]};
    if (++h < g.in.h) continue;
    h = 0;
    if (++c < g.c) continue;
    c = 0;
    ++n;
  }
}

/// The row's weighted gradOutput rows, positions [at, at + n), into `sums`.
template <class Scalar>
HWY_INLINE void sum_rows(const bb::Problem& p, const TileRow<Scalar>& row, std::int64_t at,
                         std::int64_t n, float* sums, Scalar* gathered) {
  if (row.first == row.last) {
    std::fill_n(sums, n, 0.0f);
    return;
  }
  weigh_rows<Scalar>(
      sums, static_cast<std::size_t>(n), row.first, row.last,
      [&](std::int64_t e) HWY_ATTR {
        return dense_row(row.plane, p.g.grad_output, p.rows.position[e], at, n,
                         gathered + (e - row.first) % kFused * bb::kPositions);
      },
      p.rows.weight);
}

/// The tile's rows in scratch.slab, `stride` floats apart, with vectors along the rows. False where
/// they went to their place at once: rows of whole lines, whose stores so spread over the
/// computing; in a burst they fill their buffers, and nothing is computed until these are empty.
template <class Scalar>
HWY_INLINE bool sum_tile_by_lookup(const bb::Problem& p, const Positions& positions,
                                   std::int64_t j0, std::int64_t width, const TileRow<Scalar>* tile,
                                   std::int64_t rows, const bb::Scratch& scratch,
                                   std::int64_t stride) {
  const Floats d;
  const std::int64_t n = positions.end - positions.begin;
  const std::int64_t step = bb::ColumnLookup::padded(n);
  // A stream is 16 bytes at least, even of a vector that has fewer.
  bool direct =
      p.streaming && p.g.grad_input.w == 1 && hn::Lanes(d) * sizeof(Scalar) >= sizeof(double) * 2;
  for (std::int64_t r = 0; direct && r < rows; ++r)
    direct = whole_lines(tile[r].result, static_cast<std::size_t>(width));
  // Several rows between writing a sum and reading it: a load that spans two stores on their way
  // waits until both have arrived.
  const std::int64_t most = std::min(bb::kRows, bb::kTileFloats / std::max(step, bb::kRows));
  for (std::int64_t r = 0; r < rows; r += most) {
    const std::int64_t count = std::min(most, rows - r);
    for (std::int64_t i = 0; i < count; ++i) {
      if (direct && tile[r + i].first == tile[r + i].last) continue;
      sum_rows(p, tile[r + i], positions.begin, n, scratch.sums + i * step,
               static_cast<Scalar*>(scratch.gathered));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const float* sums = scratch.sums + i * step;
      if (direct) {
        Scalar* to = tile[r + i].result;
        if (tile[r + i].first == tile[r + i].last) {
          write_zeros(to, static_cast<std::size_t>(width), true);
          continue;
        }
        lookup_columns(sums, p.lookup, positions.begin, j0, width,
                       [&](std::int64_t j, auto sum) HWY_ATTR { stream_sums(to + j, d, sum); });
      } else {
        float* to = scratch.slab + (r + i) * stride;
        lookup_columns(sums, p.lookup, positions.begin, j0, width,
                       [&](std::int64_t j, auto sum) HWY_ATTR { hn::StoreU(sum, d, to + j); });
      }
    }
  }
  return !direct;
}

/// The same where they go across, at any scale; needs stride ≥ kRows.
template <class Scalar>
HWY_INLINE void sum_tile_across(const bb::Problem& p, const Positions& positions, std::int64_t j0,
                                std::int64_t width, const TileRow<Scalar>* tile, std::int64_t rows,
                                const bb::Scratch& scratch, std::int64_t stride) {
  constexpr std::size_t kSumsStride = static_cast<std::size_t>(bb::kPositions) + kBlock;
  constexpr auto kLanes = static_cast<std::size_t>(bb::kRows);
  float* columns = scratch.columns;
  std::fill_n(columns, (static_cast<std::size_t>(width) + 2) * kLanes, 0.0f);
  for (std::int64_t at = positions.begin; at < positions.end; at += bb::kPositions) {
    const std::int64_t n = std::min(bb::kPositions, positions.end - at);
    for (std::int64_t r = 0; r < bb::kRows; ++r) {
      float* sums = scratch.sums + static_cast<std::size_t>(r) * kSumsStride;
      if (r < rows) {
        sum_rows(p, tile[r], at, n, sums, static_cast<Scalar*>(scratch.gathered));
      } else {
        std::fill_n(sums, n, 0.0f);
      }
    }
    for (std::int64_t b = 0; b < n; b += bb::kBlockPositions) {
      const std::int64_t count = std::min(bb::kBlockPositions, n - b);
      for (std::int64_t q = 0; q < count; q += bb::kRows)
        transpose(scratch.sums + b + q, kSumsStride, scratch.block + q * bb::kRows, kBlock);
      add_columns(columns + (1 - j0) * bb::kRows, bb::kRows, scratch.block, bb::kRows,
                  p.columns + at + b, count, bb::kRows);
    }
  }

  // Blocks narrower than the tile run over into the next row, whose begin is written last.
  for (std::int64_t j = (width - 1) / bb::kRows * bb::kRows; j >= 0; j -= bb::kRows) {
    transpose(columns + (1 + j) * bb::kRows, kLanes, scratch.slab + j,
              static_cast<std::size_t>(stride));
  }
}

template <class Scalar>
void rows_tile(const bb::Problem& p, std::int64_t tile, const bb::Scratch& scratch) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  const std::int64_t j0 = tile % p.column_tiles * p.columns_per_tile;
  const std::int64_t width = std::min(p.columns_per_tile, g.in.w - j0);
  const std::int64_t r0 = tile / p.column_tiles * bb::kRows;
  const std::int64_t rows = std::min(bb::kRows, g.n * g.c * g.in.h - r0);
  const Positions positions(p, j0, j0 + width);
  const std::int64_t stride = std::max(width, bb::kRows);
  TileRow<Scalar> tile_rows[bb::kRows];
  find_rows(p, r0, rows, j0, tile_rows);
  // Gathered rows have room for kPositions.
  if (kHasLookup && p.lookup.terms > 0 && positions.end - positions.begin <= bb::kTileFloats &&
      from.w == 1) {
    if (!sum_tile_by_lookup<Scalar>(p, positions, j0, width, tile_rows, rows, scratch, stride))
      return;
  } else {
    sum_tile_across<Scalar>(p, positions, j0, width, tile_rows, rows, scratch, stride);
  }

  auto* result = static_cast<Scalar*>(p.buffers.grad_input);
  const bool whole = width == g.in.w && stride == width && (to.w == 1) &&
                     (g.in.h == 1 || to.h == width) && (g.c == 1 || to.c == g.in.h * width) &&
                     (g.n == 1 || to.n == g.c * g.in.h * width);
  if (whole) {
    write_sums(result + r0 * width, scratch.slab, static_cast<std::size_t>(rows * width),
               p.streaming);
  } else {
    for (std::int64_t r = 0; r < rows; ++r) {
      Scalar* row = tile_rows[r].result;
      const float* sums = scratch.slab + r * stride;
      if (to.w == 1 || width == 1) {
        write_sums(row, sums, static_cast<std::size_t>(width), p.streaming);
      } else {
        store_row(Row<Scalar>{row, width, to.w, 1}, sums);
      }
    }
  }
}

template <class Scalar>
void channels_tile(const bb::Problem& p, std::int64_t tile, const bb::Scratch& scratch) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  const std::int64_t j0 = tile % p.column_tiles * p.columns_per_tile;
  const std::int64_t width = std::min(p.columns_per_tile, g.in.w - j0);
  tile /= p.column_tiles;
  const std::int64_t c0 = tile % p.channel_tiles * bb::kChannels;
  const std::int64_t channels = std::min(bb::kChannels, g.c - c0);
  tile /= p.channel_tiles;
  const std::int64_t h = tile % g.in.h, n = tile / g.in.h;
  const std::int64_t lanes = bb::padded_channels(channels);
  const std::int64_t most = bb::kTileFloats / lanes;

  float* columns = scratch.columns;
  std::fill_n(columns, (width + 2) * lanes, 0.0f);
  const Positions positions(p, j0, j0 + width);
  const std::int64_t first = p.rows.begin[h], last = p.rows.begin[h + 1];
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
          [&](std::int64_t e)
              HWY_ATTR { return source + p.rows.position[e] * from.h + (at + i) * from.w; },
          p.rows.weight);
    }
    add_columns(columns + (1 - j0) * lanes, lanes, scratch.sums, channels, p.columns + at, count,
                channels);
  }

  auto* row = static_cast<Scalar*>(p.buffers.grad_input) + n * to.n + c0 * to.c + h * to.h;
  const float* sums = columns + lanes;
  if (to.w != channels && g.in.w > 1) {
    for (std::int64_t j = 0; j < width; ++j) {
      write_sums(row + (j0 + j) * to.w, sums + j * lanes, static_cast<std::size_t>(channels),
                 p.streaming && channels == bb::kChannels);
    }
  } else {
    if (lanes != channels) {
      for (std::int64_t j = 0; j < width; ++j)
        std::copy_n(sums + j * lanes, channels, scratch.slab + j * channels);
      sums = scratch.slab;
    }
    write_sums(row + j0 * to.w, sums, static_cast<std::size_t>(width * channels), p.streaming);
  }
}

void bilinear_rows_tiles(const bb::Problem& p, std::int64_t first, std::int64_t last,
                         const bb::Scratch& scratch) {
  visit_narrow(p.g.element, [&](auto type) HWY_ATTR {
    for (std::int64_t tile = first; tile < last; ++tile)
      rows_tile<typename decltype(type)::type>(p, tile, scratch);
  });
  end_streams(p.streaming);
}

void bilinear_channels_tiles(const bb::Problem& p, std::int64_t first, std::int64_t last,
                             const bb::Scratch& scratch) {
  visit_narrow(p.g.element, [&](auto type) HWY_ATTR {
    for (std::int64_t tile = first; tile < last; ++tile)
      channels_tile<typename decltype(type)::type>(p, tile, scratch);
  });
  end_streams(p.streaming);
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels {
HWY_EXPORT(bilinear_rows_tiles);
HWY_EXPORT(bilinear_channels_tiles);

namespace bilinear_backward {

TilesBody rows_tiles(InstructionSet set) { return GRADPROOF_DISPATCH(bilinear_rows_tiles, set); }
TilesBody channels_tiles(InstructionSet set) {
  return GRADPROOF_DISPATCH(bilinear_channels_tiles, set);
}

}  // namespace bilinear_backward
}  // namespace gradproof::kernels
#endif
