// A tile of UpsampleBilinear2dBackwardV2: first weighted sums of rows, in long vectors along the
// rows, then sums of columns, from rows that are in the L1 cache.
//
// A column of gradOutput contributes to one or two columns of gradInput anywhere in the row, which
// is no vector operation along a row. So the second step has vectors across 16 rows of gradInput,
// transposed in registers before and after. Any scale costs the same, and every lane adds in the
// order of the definition. Where a column has few terms, permutations along the row are faster.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/upsample/gather_rows_tile.cpp"
#include "opt/kernels/vector/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/upsample/add_columns-inl.h"
#include "opt/kernels/upsample/column_lookup-inl.h"
#include "opt/kernels/upsample/disjoint_columns-inl.h"
#include "opt/kernels/upsample/quad_columns-inl.h"
#include "opt/kernels/upsample/shared_rows-inl.h"
#include "opt/kernels/upsample/tiles.h"
#include "opt/kernels/vector/rows.h"
#include "opt/kernels/vector/sink-inl.h"
#include "opt/kernels/vector/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace up = upsample;

/// Rows r0 + i of all planes, i < count, from column j0 on. Planes are counted, because dividing
/// for each row takes as long as a short row's sums.
template <class Scalar>
void find_rows(const up::Problem& p, std::int64_t r0, std::int64_t count, std::int64_t j0,
               up::TileRow<Scalar>* rows) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4 &from = g.grad_output, &to = g.grad_input;
  const std::int64_t plane = r0 / g.in.h;
  std::int64_t h = r0 % g.in.h, n = plane / g.c, c = plane % g.c;
  for (std::int64_t i = 0; i < count;) {
    const auto* source =
        static_cast<const Scalar*>(p.buffers.grad_output) + n * from.n + c * from.c;
    auto* result = static_cast<Scalar*>(p.buffers.grad_input) + n * to.n + c * to.c + j0 * to.w;
    for (; i < count && h < g.in.h; ++i, ++h) rows[i] = {source, result + h * to.h, h};
    h = 0;
    if (++c < g.c) continue;
    c = 0;
    ++n;
  }
}

/// The weighted gradOutput rows of `count` tile rows, positions [at, at + n), at sums + i · step.
template <class Scalar>
HWY_INLINE void sum_rows(const up::Problem& p, const up::TileRow<Scalar>* tile, std::int64_t count,
                         std::int64_t at, std::int64_t n, float* sums, std::int64_t step,
                         bool* begun) {
  const Strides4& from = p.g.grad_output;
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(count - i, p.g.in.h - tile[i].h);
    const PlanePart<Scalar> part{tile[i].plane + at * from.w, from.h, n == 1 ? 1 : from.w};
    share_rows(part, p.groups, tile[i].h, run, static_cast<std::size_t>(n), sums + i * step, step,
               begun + i);
    i += run;
  }
}

/// Stores rows' sums. A row's last vector may overlap the next row, whose begin is stored later.
struct StoreSums {
  float* to;
  std::int64_t stride;

  template <class V>
  HWY_INLINE void operator()(std::int64_t r, std::int64_t j, V sums) const {
    hn::StoreU(sums, Floats(), to + r * stride + j);
  }
  template <class V>
  HWY_INLINE void operator()(std::int64_t r, std::int64_t j, V low, V high) const {
    (*this)(r, j, low);
    (*this)(r, j + static_cast<std::int64_t>(hn::Lanes(Floats())), high);
  }
};

/// Puts the tile's rows into scratch.staging, at a stride of `stride` floats, with vectors along
/// the rows. Returns false where it wrote them to gradInput itself: rows of whole lines, each
/// stored when it is done, because bursts of buffered stores stall.
template <class Scalar>
HWY_INLINE bool sum_tile_along(const up::Problem& p, const up::Reaching& positions, std::int64_t j0,
                               std::int64_t width, const up::TileRow<Scalar>* tile,
                               std::int64_t rows, const up::Scratch& scratch, std::int64_t stride) {
  const Floats d;
  const std::int64_t n = positions.end - positions.begin;
  const std::int64_t step = up::ColumnLookup::padded(n);
  // A stream is 16 bytes at least, even of a vector that has fewer.
  bool direct = p.streaming && p.quads.terms == 0 && !p.lookup.wide && p.g.grad_input.w == 1 &&
                hn::Lanes(d) * sizeof(Scalar) >= sizeof(double) * 2;
  // With AVX2 a vector is half a line of FLOAT, and two vectors are half a line of 16 bits.
  // Streamed in halves of lines, only FLOAT of few terms is faster than from the staging buffer.
  if (HWY_TARGET == HWY_AVX2)
    direct = direct && sizeof(Scalar) == sizeof(float) && p.lookup.terms < 3;
  // With AVX-512, sums of one or two terms are faster from the staging buffer, row by row.
  if (HWY_TARGET == HWY_AVX3) direct = direct && p.lookup.terms >= 3;
  for (std::int64_t r = 0; direct && r < rows; ++r)
    direct = whole_lines(tile[r].result, static_cast<std::size_t>(width));
  float* const sums = scratch.sums + up::kRows;  // the float before a row's first may be read
  // Several rows between writing a sum and reading it: a load that spans two stores on their way
  // waits until both have arrived.
  const std::int64_t most = std::min(up::kRows, up::kTileFloats / std::max(step, up::kRows));
  for (std::int64_t r = 0; r < rows; r += most) {
    const std::int64_t count = std::min(most, rows - r);
    bool begun[up::kRows];
    sum_rows(p, tile + r, count, positions.begin, n, sums, step, begun);
    const auto found = [&](std::int64_t i, std::int64_t some) {
      return LookedUpRows{sums + i * step, step, some, begun + i};
    };
    if (!direct) {
      float* staging = scratch.staging + r * stride;
      const StoreSums store{staging, stride};
      if (p.quads.terms > 0) {
        quad_columns(found(0, count), p.quads, positions.begin, j0, width, store);
      } else {
        lookup_columns<Scalar>(found(0, count), p.lookup, positions.begin, j0, width, store);
      }
      for (std::int64_t i = 0; i < count; ++i) {
        if (!begun[i]) std::fill_n(staging + i * stride, width, 0.0f);
      }
      continue;
    }
    // FLOAT: writing lines of 4 rows in turn is faster than of 16. In 16 bits both are equal.
    constexpr std::int64_t kStreams = sizeof(Scalar) == sizeof(float) ? 4 : up::kRows;
    for (std::int64_t i = 0; i < count; i += kStreams) {
      const std::int64_t some = std::min(kStreams, count - i);
      const up::TileRow<Scalar>* to = tile + r + i;
      const auto stream = [&](std::int64_t k, std::int64_t j, auto... columns)
                              HWY_ATTR { stream_sums(to[k].result + j, d, columns...); };
      lookup_columns<Scalar>(found(i, some), p.lookup, positions.begin, j0, width, stream);
      for (std::int64_t k = 0; k < some; ++k) {
        if (!begun[i + k]) stream_zero_lines(to[k].result, static_cast<std::size_t>(width));
      }
    }
  }
  return !direct;
}

/// The same where they go across, at any scale; needs stride ≥ kRows.
template <class Scalar>
HWY_INLINE void sum_tile_across(const up::Problem& p, const up::Reaching& positions,
                                std::int64_t j0, std::int64_t width,
                                const up::TileRow<Scalar>* tile, std::int64_t rows,
                                const up::Scratch& scratch, std::int64_t stride) {
  constexpr std::int64_t kSumsStride = up::kPositions + up::kRows;
  constexpr auto kLanes = static_cast<std::size_t>(up::kRows);
  float* columns = scratch.columns;
  std::fill_n(columns, (static_cast<std::size_t>(width) + 2) * kLanes, 0.0f);
  // Chunks of equal length: one of a few positions takes as long as one of many.
  const std::int64_t reached = positions.end - positions.begin;
  const std::int64_t chunks = (reached - 1) / up::kPositions + 1;
  const std::int64_t most = ((reached - 1) / chunks / up::kRows + 1) * up::kRows;
  for (std::int64_t at = positions.begin; at < positions.end; at += most) {
    const std::int64_t n = std::min(most, positions.end - at);
    bool begun[up::kRows] = {};
    sum_rows(p, tile, rows, at, n, scratch.sums, kSumsStride, begun);
    for (std::int64_t r = 0; r < up::kRows; ++r) {
      if (!begun[r]) std::fill_n(scratch.sums + r * kSumsStride, n, 0.0f);
    }
    for (std::int64_t b = 0; b < n; b += up::kBlockPositions) {
      const std::int64_t count = std::min(up::kBlockPositions, n - b);
      for (std::int64_t q = 0; q < count; q += up::kRows)
        transpose(scratch.sums + b + q, static_cast<std::size_t>(kSumsStride),
                  scratch.block + q * up::kRows, kBlock);
      add_columns(columns + (1 - j0) * up::kRows, up::kRows, scratch.block, up::kRows,
                  p.columns + at + b, count, up::kRows, j0 - 1, j0 + width - 1);
    }
  }

  // Blocks narrower than the tile overlap the next row, whose begin is written later.
  for (std::int64_t j = (width - 1) / up::kRows * up::kRows; j >= 0; j -= up::kRows) {
    transpose(columns + (1 + j) * up::kRows, kLanes, scratch.staging + j,
              static_cast<std::size_t>(stride));
  }
}

/// Writes a tile's rows, at a stride of `stride`, by write(to, from, count).
template <class Scalar, class Write>
HWY_INLINE void write_tile(const up::Problem& p, const up::TileRow<Scalar>* tile, std::int64_t rows,
                           std::int64_t width, std::int64_t stride, const Write& write) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4& to = g.grad_input;
  const bool whole = width == g.in.w && stride == width && (to.w == 1) &&
                     (g.in.h == 1 || to.h == width) && (g.c == 1 || to.c == g.in.h * width) &&
                     (g.n == 1 || to.n == g.c * g.in.h * width);
  if (whole) return write(tile->result, 0, rows * width);
  for (std::int64_t r = 0; r < rows; ++r) write(tile[r].result, r * stride, width);
}

template <class Scalar>
void rows_tile(const up::Problem& p, std::int64_t tile, const up::Scratch& scratch) {
  const UpsampleBackwardGeometry& g = p.g;
  const Strides4& to = g.grad_input;
  const std::int64_t j0 = tile % p.column_tiles * p.columns_per_tile;
  const std::int64_t width = std::min(p.columns_per_tile, g.in.w - j0);
  const std::int64_t r0 = tile / p.column_tiles * up::kRows;
  const std::int64_t rows = std::min(up::kRows, g.n * g.c * g.in.h - r0);
  const up::Reaching positions(p.columns, g.out.w, j0, j0 + width);
  const std::int64_t stride = std::max(width, up::kRows);
  up::TileRow<Scalar> tile_rows[up::kRows];
  find_rows(p, r0, rows, j0, tile_rows);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const std::int64_t reached = positions.end - positions.begin;
  if (p.disjoint.usable && reached >= lanes && reached <= kMostPaired) {
    if (!pair_tile(p, positions, j0, width, tile_rows, rows, scratch)) return;
    const auto* finished = reinterpret_cast<const Scalar*>(scratch.staging);
    return write_tile(p, tile_rows, rows, width, width,
                      [&](Scalar* row, std::int64_t from, std::int64_t count) HWY_ATTR {
                        write_copy(row, finished + from, static_cast<std::size_t>(count),
                                   p.streaming);
                      });
  }
#endif
  const bool along = p.quads.terms > 0 || p.lookup.terms > 0;
  if (kHasLookup && along && positions.end - positions.begin <= up::kTileFloats) {
    if (!sum_tile_along<Scalar>(p, positions, j0, width, tile_rows, rows, scratch, stride)) return;
  } else {
    sum_tile_across<Scalar>(p, positions, j0, width, tile_rows, rows, scratch, stride);
  }

  write_tile(p, tile_rows, rows, width, stride,
             [&](Scalar* row, std::int64_t from, std::int64_t count) HWY_ATTR {
               const float* sums = scratch.staging + from;
               if (to.w == 1 || width == 1) {
                 write_sums(row, sums, static_cast<std::size_t>(count), p.streaming);
               } else {
                 store_row(Row<Scalar>{row, count, to.w, 1}, sums);
               }
             });
}

void bilinear_rows_tile(const up::Problem& p, std::int64_t tile, const up::Scratch& scratch) {
  visit_narrow(p.g.element, [&](auto type) HWY_ATTR {
    rows_tile<typename decltype(type)::type>(p, tile, scratch);
  });
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels {
GRADPROOF_VARIANTS(bilinear_rows_tile);

namespace upsample {
TileBody rows_tile(InstructionSet set) { return GRADPROOF_DISPATCH(bilinear_rows_tile, set); }
}  // namespace upsample
}  // namespace gradproof::kernels
#endif
