// Disjoint rows and columns, with AVX2 and AVX-512: no sum has more than one term. So a position's
// two products are rounded side by side as they are computed, and shuffles of bytes spread them
// over a row.
#include <algorithm>

#include "hwy/highway.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/upsample/tiles.h"
#include "opt/kernels/vector/convert-inl.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_DISJOINT_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_DISJOINT_COLUMNS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_DISJOINT_COLUMNS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_DISJOINT_COLUMNS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace up = upsample;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// Stores pairs of finished sums. Any NaN among them is the one NaN.
template <class V>
HWY_INLINE void store_pairs(V low, V high, float* to) {
  hn::StoreInterleaved2(low, high, Floats(), to);
}
template <class V>
HWY_INLINE void store_pairs(V low, V high, BFloat16* to) {
  const hn::RebindToUnsigned<Floats> d32;
  const hn::RepartitionToNarrow<decltype(d32)> d16;
  const auto even = hn::ShiftRight<16>(hn::BitCast(d32, rounded_bfloat16<true>(Floats(), low)));
  const auto odd = hn::BitCast(d16, rounded_bfloat16<true>(Floats(), high));
  hn::StoreU(hn::OddEven(odd, hn::BitCast(d16, even)), d16, reinterpret_cast<std::uint16_t*>(to));
}
template <class V>
HWY_INLINE void store_pairs(V low, V high, Float16* to) {
  const hn::Rebind<hwy::float16_t, Floats> df16;
  const HalfWords<Floats> d16;
  const auto even = hn::BitCast(d16, hn::DemoteTo(df16, low));
  const auto odd = hn::BitCast(d16, hn::DemoteTo(df16, high));
  hn::StoreInterleaved2(even, odd, d16, reinterpret_cast<std::uint16_t*>(to));
}

/// What n positions of a gradOutput row, a vector of them at least, give to two columns each: pairs
/// of the gradInput row that gets `first` of it, and of the next, `step` scalars on, if that is to
/// get `second`. Prefetches what is `ahead` scalars further.
template <bool both, class Scalar>
HWY_INLINE void pair_up(const Scalar* HWY_RESTRICT row, float first, float second, std::int64_t n,
                        const float* HWY_RESTRICT low, const float* HWY_RESTRICT high,
                        Scalar* HWY_RESTRICT pairs, std::int64_t step, std::int64_t ahead) {
  const Floats d;
  const auto zero = hn::Zero(d), first_weight = hn::Set(d, first),
             second_weight = hn::Set(d, second);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto pair = [&](std::int64_t i) HWY_ATTR {
    prefetch(row + i + ahead);
    const auto store = [&](auto x, Scalar* to) HWY_ATTR {
      // A sum begins with 0 and so is never −0.
      store_pairs(hn::Add(hn::Mul(hn::LoadU(d, low + i), x), zero),
                  hn::Add(hn::Mul(hn::LoadU(d, high + i), x), zero), to + 2 * i);
    };
    // Weights are finite and not 0 where they count: a product is NaN where x is.
    const auto x = narrowed<float>(d, widen_from(d, row + i));
    store(hn::Mul(first_weight, x), pairs);
    if constexpr (both) store(hn::Mul(second_weight, x), pairs + step);
  };
  for (std::int64_t i = 0; i < n - lanes; i += lanes) pair(i);
  pair(n - lanes);
}

/// A row's pairs and its columns.
template <class Scalar>
struct PairedRow {
  const Scalar* pairs;  ///< of the tile's positions
  Scalar* to;
};

using Bytes = hn::CappedTag<std::uint8_t, kLine>;
constexpr auto kVectorBytes = static_cast<std::int64_t>(hn::MaxLanes(Bytes()));
constexpr std::int64_t kBlockBytes =
    HWY_TARGET == HWY_AVX3 ? up::DisjointColumns::kLine : up::DisjointColumns::kBytes;

/// A vector of columns from a row's pairs, of which its blocks' runs begin at `start`. The
/// shuffle's bytes are the table's, which lead nowhere else whatever they are.
#if HWY_TARGET == HWY_AVX3
template <class Scalar>
HWY_INLINE hn::Vec<Bytes> spread(const Scalar* pairs, const std::int64_t* start,
                                 const std::uint8_t* shuffle) {
  const auto places = hn::LoadU(Bytes(), shuffle);
  const auto run = hn::LoadU(Bytes(), reinterpret_cast<const std::uint8_t*>(pairs + *start));
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    const __mmask16 some = ~_mm512_movepi32_mask(places.raw);
    return hn::Vec<Bytes>{_mm512_maskz_permutexvar_epi32(some, places.raw, run.raw)};
  } else {
    const __mmask32 some = ~_mm512_movepi16_mask(places.raw);
    return hn::Vec<Bytes>{_mm512_maskz_permutexvar_epi16(some, places.raw, run.raw)};
  }
}
#else
template <class Scalar>
HWY_INLINE hn::Vec<Bytes> spread(const Scalar* pairs, const std::int64_t* start,
                                 const std::uint8_t* shuffle) {
  const hn::Half<Bytes> half;
  const auto run = [&](std::int64_t at) HWY_ATTR {
    return hn::LoadU(half, reinterpret_cast<const std::uint8_t*>(pairs + at));
  };
  return hn::TableLookupBytesOr0(hn::Combine(Bytes(), run(start[1]), run(start[0])),
                                 hn::LoadU(Bytes(), shuffle));
}
#endif

/// The vectors of each row's first `size` bytes. The last vector may overwrite the beginning of the
/// next row with zeros; that row is zeros, or is written later.
template <bool stream, class Scalar>
HWY_INLINE void spread_rows(const PairedRow<Scalar>* rows, std::int64_t count,
                            const std::int64_t* starts, const std::uint8_t* shuffle,
                            std::int64_t size) {
  for (std::int64_t r = 0; r < count; ++r) {
    auto* to = reinterpret_cast<std::uint8_t*>(rows[r].to);
    const std::int64_t* start = starts;
    for (std::int64_t at = 0; at < size; at += kVectorBytes, start += kVectorBytes / kBlockBytes) {
      const auto bits = spread(rows[r].pairs, start, shuffle + at);
      if constexpr (stream) {
        stream_vector(Bytes(), bits, to + at);
      } else {
        hn::StoreU(bits, Bytes(), to + at);
      }
    }
  }
}

/// Positions that reach a tile: every second column has one.
inline constexpr std::int64_t kMostPaired = up::kPositions / 2 + 1;

/// The tile where rows and columns are disjoint, at most kMostPaired positions: rounded results in
/// scratch.staging, `width` to a row. False where it wrote them to gradInput itself: rows of whole
/// lines. Not inlined, so that its loops have all registers.
template <class Scalar>
HWY_NOINLINE bool pair_tile(const up::Problem& p, const up::Reaching& positions, std::int64_t j0,
                            std::int64_t width, const up::TileRow<Scalar>* tile, std::int64_t rows,
                            const up::Scratch& scratch) {
  const std::int64_t n = positions.end - positions.begin, step = up::ColumnLookup::padded(2 * n);
  // The scalar before a row's first may be read.
  auto* pairs = reinterpret_cast<Scalar*>(scratch.sums + up::kRows);
  auto* staging = reinterpret_cast<Scalar*>(scratch.staging);
  const std::int64_t ahead = prefetch_distance<Scalar>(n, p.g.out.h, p.g.grad_output.h);
  bool direct = p.streaming;
  for (std::int64_t r = 0; direct && r < rows; ++r)
    direct = whole_lines(tile[r].result, static_cast<std::size_t>(width));
  const float *low = p.disjoint.low + positions.begin, *high = p.disjoint.high + positions.begin;
  PairedRow<Scalar> paired[up::kRows];
  std::int64_t count = 0, o = p.groups.reaching(tile->h, tile->h + 1).begin;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t h = tile[r].h;
    if (h == 0) o = 0;
    while (o < p.g.out.h && p.groups.taps[o].place() + 1 < h) ++o;
    const up::AxisTap tap = o < p.g.out.h ? p.groups.taps[o] : up::AxisTap{h, 0, 0};
    const float weight = tap.i0 == h ? tap.w0 : tap.i0 < h ? tap.w1 : 0.0f;
    const auto row_of = [&] { return direct ? tile[r].result : staging + r * width; };
    if (weight == 0) {
      if (direct) {
        stream_zero_lines(row_of(), static_cast<std::size_t>(width));
      } else {
        std::fill_n(row_of(), width, Scalar{});
      }
      continue;
    }
    const Scalar* row = tile[r].plane + o * p.g.grad_output.h + positions.begin;
    const auto add = [&] {
      paired[count++] = {pairs, row_of()};
      pairs += step;
    };
    if (tap.i0 == h && tap.w1 != 0 && r + 1 < rows) {
      pair_up<true>(row, weight, tap.w1, n, low, high, pairs, step, ahead);
      add();
      ++r;
    } else {
      pair_up<false>(row, weight, 0.0f, n, low, high, pairs, step, ahead);
    }
    add();
  }
  // Kept here for all rows: another thread may change the table meanwhile.
  constexpr auto kScalar = static_cast<std::int64_t>(sizeof(Scalar));
  const std::int64_t from = j0 * kScalar, size = width * kScalar, before = 2 * positions.begin;
  std::int64_t starts[up::kPositions * sizeof(float) / kBlockBytes];
  for (std::int64_t b = 0; b < up::DisjointColumns::padded(size) / kBlockBytes; ++b) {
    starts[b] =
        read_within(p.disjoint.starts[from / kBlockBytes + b], before - 1, 2 * positions.end - 1) -
        before;
  }
  const std::uint8_t* shuffle = p.disjoint.shuffle + from;
  if (direct) {
    spread_rows<true>(paired, count, starts, shuffle, size);
  } else {
    spread_rows<false>(paired, count, starts, shuffle, size);
  }
  return !direct;
}

#endif

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_DISJOINT_COLUMNS_INL_H_
