// Weighted sums of rows. Each row contributes to one sum or to two neighbouring sums; it is read
// and converted once for both, in long vectors along the row.
//
// A sum gets its terms in ascending order of the rows, because the rows come in that order.
#include <type_traits>

#include "hwy/highway.h"
#include "opt/kernels/machine.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/upsample/row_groups.h"
#include "opt/kernels/vector/strided-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_SHARED_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

inline constexpr auto kShared = static_cast<std::size_t>(upsample::RowGroups::kMost);

/// Rows that contribute to the same sums.
template <class Scalar>
struct SharedRows {
  const Scalar* first;
  std::int64_t step;   ///< scalars from a row to the next
  std::int64_t ahead;  ///< scalars from a row to the one that is prefetched
  const upsample::AxisTap* taps;
  bool second;  ///< whether only the second sums of two get some
  std::size_t terms;

  const Scalar* row(std::size_t t) const { return first + static_cast<std::int64_t>(t) * step; }
  float low(std::size_t t) const { return second ? taps[t].w1 : taps[t].w0; }
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

/// Where a group's rows are read.
template <class Scalar>
struct RowReader {
  const Scalar* row[kShared];
  std::int64_t stride, ahead;
};

/// Adds row t's vector of positions from i on, weighted, to one sum or both. `prefetch`: prefetches
/// another one, because rows are too short for the processor to foresee the next; one by one,
/// because many at once would wait for each other.
template <std::size_t t, bool both, bool dense, bool prefetch, class Scalar, class V>
HWY_INLINE void add_row(const RowReader<Scalar>& from, std::size_t i, V low_weight, V high_weight,
                        V& low, V& high) {
  if constexpr (prefetch) prefetch_positions<dense>(from.row[t], i, from.stride, from.ahead);
  const V x = load_positions<dense>(Floats(), from.row[t], i, from.stride);
  low = hn::Add(low, hn::Mul(low_weight, x));
  if constexpr (both) high = hn::Add(high, hn::Mul(high_weight, x));
}

template <std::size_t terms, bool both, bool dense, class Scalar>
HWY_INLINE void share(const SharedRows<Scalar>& rows, std::int64_t stride, Sums low, Sums high,
                      std::size_t n) {
  const Floats d;
  using V = hn::Vec<Floats>;
  const std::size_t lanes = hn::Lanes(d);
  // Vectors of SVE cannot be in an array.
  const auto weight = [&](std::size_t t, bool of_high) HWY_ATTR {
    return t >= terms ? hn::Zero(d) : hn::Set(d, of_high ? rows.taps[t].w1 : rows.low(t));
  };
  const V a0 = weight(0, false), a1 = weight(1, false), a2 = weight(2, false),
          a3 = weight(3, false);
  const V b0 = weight(0, true), b1 = weight(1, true), b2 = weight(2, true), b3 = weight(3, true);
  RowReader<Scalar> from{{}, stride, rows.ahead};
  for (std::size_t t = 0; t < terms; ++t) from.row[t] = rows.row(t);
  const auto add = [&](std::size_t i, V& x, V& y, auto ahead) HWY_ATTR {
    constexpr bool kAhead = decltype(ahead)::value;
    add_row<0, both, dense, kAhead>(from, i, a0, b0, x, y);
    if constexpr (terms > 1) add_row<1, both, dense, kAhead>(from, i, a1, b1, x, y);
    if constexpr (terms > 2) add_row<2, both, dense, kAhead>(from, i, a2, b2, x, y);
    if constexpr (terms > 3) add_row<3, both, dense, kAhead>(from, i, a3, b3, x, y);
  };
  // With AVX2 a line has several vectors and is prefetched with the first of them. With AVX-512
  // each vector is prefetched: lines of 16 bits twice, which takes no longer.
  constexpr std::size_t kVectors =
      dense && HWY_TARGET == HWY_AVX2 ? kLine / sizeof(Scalar) / hn::MaxLanes(Floats()) : 1;
  // The last vector ends with the row. It is computed before the one that it overlaps has changed
  // what it starts from; both give what they share the same value. Where it begins a line, that is
  // prefetched, too: if only three lines of four were, nothing would prefetch the fourth, and all
  // would take twice as long.
  const std::size_t last = n - lanes;
  V last_low = vector_of<V>(low, last), last_high = last_low;
  if constexpr (both) last_high = vector_of<V>(high, last);
  if (kVectors == 1 || last % (kVectors * lanes) == 0) {
    add(last, last_low, last_high, std::true_type());
  } else {
    add(last, last_low, last_high, std::false_type());
  }
  const auto add_to = [&](std::size_t i, auto ahead) HWY_ATTR {
    V x = vector_of<V>(low, i), y = x;
    if constexpr (both) y = vector_of<V>(high, i);
    add(i, x, y, ahead);
    hn::StoreU(x, d, low.at + i);
    if constexpr (both) hn::StoreU(y, d, high.at + i);
  };
  for (std::size_t i = 0; i < last;) {
    add_to(i, std::true_type());
    i += lanes;
    for (std::size_t k = 1; k < kVectors && i < last; ++k, i += lanes) add_to(i, std::false_type());
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
        padded[t][i] = rows.row(t)[static_cast<std::int64_t>(i) * stride];
    }
    rows.first = padded[0];
    rows.step = kMostFloats;
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
};

/// The sums of n positions for gradInput rows first + r, r < count ≤ kMostRows, at sums + r · step;
/// a vector more may be overwritten. begun[r]: whether any row reaches it; if not, nothing was
/// written.
template <class Scalar>
HWY_INLINE void share_rows(const PlanePart<Scalar>& part, const upsample::RowGroups& groups,
                           std::int64_t first, std::int64_t count, std::size_t n, float* sums,
                           std::int64_t step, bool* begun) {
  std::fill_n(begun, count, false);
  const std::int64_t ahead =
      prefetch_distance<Scalar>(static_cast<std::int64_t>(n), groups.rows, part.row_stride);
  const auto range = groups.reaching(first, first + count);
  for (std::int64_t o = range.begin; o < range.end;) {
    const upsample::AxisTap* taps = groups.taps + o;
    const std::int64_t terms = groups.count(o, range.end);
    // The first of the two sums to which the rows give, and whether to it and to the next.
    const std::int64_t r = read_within(taps->i0, first - 1, first + count - 1) - first;
    const bool low = taps->w0 != 0 && r >= 0, high = taps->w1 != 0 && r + 1 < count;
    SharedRows<Scalar> rows{part.from + o * part.row_stride, part.row_stride, ahead, taps, !low,
                            static_cast<std::size_t>(terms)};
    o += terms;
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
