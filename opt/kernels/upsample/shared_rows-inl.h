// Weighted sums of rows. Each row contributes to one sum or to two neighbouring sums; it is read
// and converted once for both, in long vectors along the row.
//
// A sum gets its terms in ascending order of the rows, because the rows come in that order.
#include "hwy/highway.h"
#include "opt/kernels/machine.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/upsample/axis_tap.h"
#include "opt/kernels/vector/strided-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

inline constexpr std::size_t kShared = 4;  ///< rows that go into sums while these are in registers

/// Rows that contribute to the same sums.
template <class Scalar>
struct SharedRows {
  const Scalar* row[kShared];
  std::int64_t ahead;                 ///< scalars from a row to the one that is prefetched
  float low[kShared], high[kShared];  ///< weights of the one sum and of the next, if both get some
  std::size_t terms;
};

/// n sums, and whether they have terms already.
struct Sums {
  float* at;
  bool begun;
};

template <class V>
HWY_INLINE V vector_of(const Sums& sums, std::size_t i) {
  const Floats d;
  // A sum that began with 0 differs at most in the sign of 0, which the columns' sums drop.
  return sums.begun ? hn::LoadU(d, sums.at + i) : hn::Zero(d);
}

/// Adds row t's vector, weighted, to one sum or both.
template <bool both, class V>
HWY_INLINE void add_shares(V x, V low_weight, V high_weight, V& low, V& high) {
  low = hn::Add(low, hn::Mul(low_weight, x));
  if constexpr (both) high = hn::Add(high, hn::Mul(high_weight, x));
}

template <std::size_t terms, bool both, bool dense, class Scalar>
HWY_INLINE void share(const SharedRows<Scalar>& rows, std::int64_t stride, Sums low, Sums high,
                      std::size_t n) {
  const Floats d;
  using V = hn::Vec<Floats>;
  const std::size_t lanes = hn::Lanes(d);
  const V a0 = hn::Set(d, rows.low[0]), a1 = hn::Set(d, rows.low[1]), a2 = hn::Set(d, rows.low[2]),
          a3 = hn::Set(d, rows.low[3]);
  const V b0 = hn::Set(d, rows.high[0]), b1 = hn::Set(d, rows.high[1]),
          b2 = hn::Set(d, rows.high[2]), b3 = hn::Set(d, rows.high[3]);
  const auto add = [&](std::size_t i, V& x, V& y) HWY_ATTR {
    const auto load = [&](std::size_t t)
                          HWY_ATTR { return load_positions<dense>(d, rows.row[t], i, stride); };
    add_shares<both>(load(0), a0, b0, x, y);
    if constexpr (terms > 1) add_shares<both>(load(1), a1, b1, x, y);
    if constexpr (terms > 2) add_shares<both>(load(2), a2, b2, x, y);
    if constexpr (terms > 3) add_shares<both>(load(3), a3, b3, x, y);
  };
  // The last vector ends with the row. It is computed before the one that it overlaps has changed
  // what it starts from; both give what they share the same value.
  const std::size_t last = n - lanes;
  V last_low = vector_of<V>(low, last), last_high = last_low;
  if constexpr (both) last_high = vector_of<V>(high, last);
  add(last, last_low, last_high);
  const auto add_to = [&](std::size_t i) HWY_ATTR {
    V x = vector_of<V>(low, i), y = x;
    if constexpr (both) y = vector_of<V>(high, i);
    add(i, x, y);
    hn::StoreU(x, d, low.at + i);
    if constexpr (both) hn::StoreU(y, d, high.at + i);
  };
  // Rows are too short for the processor to foresee the next one. One by one: many at once would
  // wait for each other.
  const auto prefetch_at = [&](std::size_t i) HWY_ATTR {
    for (std::size_t t = 0; t < terms; ++t)
      prefetch_positions<dense>(rows.row[t], i, stride, rows.ahead);
  };
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX2
  // A line has several vectors, and is prefetched once.
  if constexpr (dense) {
    constexpr std::size_t kVectors = kLine / sizeof(Scalar) / hn::MaxLanes(Floats());
    for (; i + (kVectors - 1) * lanes < last; i += kVectors * lanes) {
      prefetch_at(i);
      for (std::size_t k = 0; k < kVectors; ++k) add_to(i + k * lanes);
    }
  }
#endif
  for (; i < last; i += lanes) {
    prefetch_at(i);
    add_to(i);
  }
  hn::StoreU(last_low, d, low.at + last);
  if constexpr (both) hn::StoreU(last_high, d, high.at + last);
}

template <bool both, bool dense, class Scalar>
HWY_INLINE void share(const SharedRows<Scalar>& rows, std::int64_t stride, Sums low, Sums high,
                      std::size_t n) {
  switch (rows.terms) {
    case 1: return share<1, both, dense>(rows, stride, low, high, n);
    case 2: return share<2, both, dense>(rows, stride, low, high, n);
    case 3: return share<3, both, dense>(rows, stride, low, high, n);
    default: return share<4, both, dense>(rows, stride, low, high, n);
  }
}

/// Not inlined: with all its loops in each place of use, the sanitizers' build of one file took
/// minutes. A row shorter than a vector is copied, because memory after it must not be read.
template <bool dense, class Scalar>
HWY_NOINLINE void share(SharedRows<Scalar>& rows, std::int64_t stride, Sums low, Sums high,
                        std::size_t n) {
  const std::size_t lanes = hn::Lanes(Floats());
  if (n < lanes) {
    Scalar padded[kShared][kMostFloats];
    for (std::size_t t = 0; t < rows.terms; ++t) {
      std::fill_n(padded[t], lanes, Scalar{});
      for (std::size_t i = 0; i < n; ++i)
        padded[t][i] = rows.row[t][static_cast<std::int64_t>(i) * stride];
      rows.row[t] = padded[t];
    }
    return high.at == nullptr ? share<false, true>(rows, 1, low, high, lanes)
                              : share<true, true>(rows, 1, low, high, lanes);
  }
  return high.at == nullptr ? share<false, dense>(rows, stride, low, high, n)
                            : share<true, dense>(rows, stride, low, high, n);
}

/// Part of a plane of gradOutput: positions from `from` on of its rows.
template <class Scalar>
struct PlanePart {
  const Scalar* from;
  std::int64_t row_stride, stride;
  const upsample::AxisTap* taps;  ///< what rows give, `rows` of them
  std::int64_t rows;
};

/// The sums of n positions for gradInput rows first + r, r < count ≤ kMostRows, at sums + r · step;
/// a vector more may be overwritten. begun[r]: whether any row reaches it; if not, nothing was
/// written.
template <class Scalar>
HWY_INLINE void share_rows(const PlanePart<Scalar>& part, std::int64_t first, std::int64_t count,
                           std::size_t n, float* sums, std::int64_t step, bool* begun) {
  std::fill_n(begun, count, false);
  const upsample::Reaching range(part.taps, part.rows, first, first + count);
  const std::int64_t ahead =
      prefetch_distance<Scalar>(static_cast<std::int64_t>(n), part.rows, part.row_stride);
  // The first of two sums that a row gives to, and whether to it and to the next.
  const auto gives = [&](std::int64_t o, bool& low, bool& high) {
    const std::int64_t r = read_within(part.taps[o].i0, first - 1, first + count - 1) - first;
    low = part.taps[o].w0 != 0 && r >= 0;
    high = part.taps[o].w1 != 0 && r + 1 < count;
    return r;
  };
  for (std::int64_t o = range.begin; o < range.end;) {
    bool low = false, high = false, next_low = false, next_high = false;
    const std::int64_t r = gives(o, low, high);
    std::int64_t next = r;
    SharedRows<Scalar> rows;
    rows.terms = 0;
    rows.ahead = ahead;
    do {
      const upsample::AxisTap& tap = part.taps[o];
      rows.row[rows.terms] = part.from + o * part.row_stride;
      rows.low[rows.terms] = low ? tap.w0 : tap.w1;
      rows.high[rows.terms] = tap.w1;
      ++rows.terms;
      if (++o == range.end) break;
      next = gives(o, next_low, next_high);
    } while (rows.terms < kShared && next == r && next_low == low && next_high == high);
    const auto row = [&](std::int64_t i) { return Sums{sums + i * step, begun[i]}; };
    const Sums none{nullptr, false};
    if (!low && !high) continue;
    const Sums one = row(low ? r : r + 1), two = low && high ? row(r + 1) : none;
    if (part.stride == 1) {
      share<true>(rows, 1, one, two, n);
    } else {
      share<false>(rows, part.stride, one, two, n);
    }
    if (low) begun[r] = true;
    if (high) begun[r + 1] = true;
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
