// Disjoint rows and columns, with AVX2: no sum has more than one term. So a position's two products
// are rounded side by side as they are computed, and shuffles of bytes spread them over a row.
#include <algorithm>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
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

#if HWY_TARGET == HWY_AVX2

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
  auto* words = reinterpret_cast<std::uint16_t*>(to);
  hn::StoreU(hn::InterleaveLower(even, odd), d16, words);
  hn::StoreU(hn::InterleaveUpper(d16, even, odd), d16, words + hn::Lanes(d16));
}

/// What n positions of a gradOutput row, a vector of them at least, give to two columns each: pairs
/// of the gradInput row that gets `first` of it, and of the next, `step` scalars on, if that is to
/// get `second`.
template <bool both, class Scalar>
HWY_INLINE void pair_up(const Scalar* HWY_RESTRICT row, float first, float second, std::int64_t n,
                        const float* HWY_RESTRICT low, const float* HWY_RESTRICT high,
                        Scalar* HWY_RESTRICT pairs, std::int64_t step) {
  const Floats d;
  const auto zero = hn::Zero(d), first_weight = hn::Set(d, first),
             second_weight = hn::Set(d, second);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto pair = [&](std::int64_t i) HWY_ATTR {
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
  for (std::int64_t i = 0; i < n - lanes; i += lanes) {
    hwy::Prefetch(row + i + 4096 / sizeof(Scalar));
    pair(i);
  }
  pair(n - lanes);
}

/// A row's pairs and its columns.
template <class Scalar>
struct PairedRow {
  const Scalar* pairs;  ///< from position `first` on
  Scalar* to;
};

/// A line of each row of `most` scalars, its columns from j on; the table's blocks are those of
/// these columns.
template <bool stream, class Scalar>
HWY_INLINE void spread_line(const PairedRow<Scalar>* rows, std::int64_t count, std::int64_t first,
                            std::int64_t most, std::int64_t j,
                            const up::DisjointColumns::Block* blocks) {
  const hn::FixedTag<std::uint8_t, 32> d;
  const hn::Half<decltype(d)> half;
  const auto both = [&](const auto* low, const auto* high) HWY_ATTR {
    return hn::Combine(d, hn::LoadU(half, reinterpret_cast<const std::uint8_t*>(high)),
                       hn::LoadU(half, reinterpret_cast<const std::uint8_t*>(low)));
  };
  const auto shuffle0 = both(blocks[0].shuffle, blocks[1].shuffle);
  const auto shuffle1 = both(blocks[2].shuffle, blocks[3].shuffle);
  const auto start = [&](int block) {
    return read_within(blocks[block].start, 2 * first - 1, 2 * first + most) - 2 * first;
  };
  const std::int64_t start0 = start(0), start1 = start(1), start2 = start(2), start3 = start(3);
  for (std::int64_t r = 0; r < count; ++r) {
    const Scalar* x = rows[r].pairs;
    auto* to = reinterpret_cast<std::uint8_t*>(rows[r].to + j);
    const auto low = hn::TableLookupBytesOr0(both(x + start0, x + start1), shuffle0);
    const auto high = hn::TableLookupBytesOr0(both(x + start2, x + start3), shuffle1);
    if constexpr (stream) {
      hn::Stream(low, d, to);
      hn::Stream(high, d, to + hn::Lanes(d));
    } else {
      hn::StoreU(low, d, to);
      hn::StoreU(high, d, to + hn::Lanes(d));
    }
  }
}

/// Positions that reach a tile: every second column has one.
inline constexpr std::int64_t kMostPaired = up::kPositions / 2 + 1;

/// The tile where rows and columns are strided, at most kMostPaired positions: rounded results in
/// scratch.staging, `width` to a row. False where they went to their place at once: rows of whole
/// lines, from the staging buffer 1.1 to 1.25 times as long. Not inlined, so that its loops have
/// all registers.
template <class Scalar>
HWY_NOINLINE bool pair_tile(const up::Problem& p, const up::Reaching& positions, std::int64_t j0,
                            std::int64_t width, const up::TileRow<Scalar>* tile, std::int64_t rows,
                            const up::Scratch& scratch) {
  const std::int64_t n = positions.end - positions.begin, step = up::ColumnLookup::padded(2 * n);
  // The scalar before a row's first may be read.
  auto* pairs = reinterpret_cast<Scalar*>(scratch.sums + up::kRows);
  auto* staging = reinterpret_cast<Scalar*>(scratch.staging);
  bool direct = p.streaming;
  for (std::int64_t r = 0; direct && r < rows; ++r)
    direct = whole_lines(tile[r].result, static_cast<std::size_t>(width));
  const float *low = p.disjoint.low + positions.begin, *high = p.disjoint.high + positions.begin;
  PairedRow<Scalar> paired[up::kRows];
  std::int64_t count = 0, o = up::Reaching(p.rows, p.g.out.h, tile->h, tile->h + 1).begin;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t h = tile[r].h;
    if (h == 0) o = 0;
    while (o < p.g.out.h && p.rows[o].place() + 1 < h) ++o;
    const up::AxisTap tap = o < p.g.out.h ? p.rows[o] : up::AxisTap{h, 0, 0};
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
      pair_up<true>(row, weight, tap.w1, n, low, high, pairs, step);
      add();
      ++r;
    } else {
      pair_up<false>(row, weight, 0.0f, n, low, high, pairs, step);
    }
    add();
  }
  // A line may run over into the next row, with zeros: that is zeros, or its begin comes later.
  constexpr auto kScalars = static_cast<std::int64_t>(kLine / sizeof(Scalar));
  constexpr auto kBlocks = static_cast<std::int64_t>(kLine) / up::DisjointColumns::kBytes;
  const auto* blocks = p.disjoint.blocks + j0 / kScalars * kBlocks;
  for (std::int64_t line = (width - 1) / kScalars; line >= 0; --line) {
    if (direct) {
      spread_line<true>(paired, count, positions.begin, step, line * kScalars,
                        blocks + line * kBlocks);
    } else {
      spread_line<false>(paired, count, positions.begin, step, line * kScalars,
                         blocks + line * kBlocks);
    }
  }
  return !direct;
}

#endif

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_DISJOINT_COLUMNS_INL_H_
