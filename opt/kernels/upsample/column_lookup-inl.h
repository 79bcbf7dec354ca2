// Sums of columns along rows: each term of a vector of them is a permutation of two vectors. What
// the tables say of a vector of columns stays in registers for all rows.
#include <algorithm>

#include "hwy/highway.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/upsample/column_lookup.h"
#include "opt/kernels/upsample/even_columns-inl.h"
#include "opt/kernels/upsample/wide_columns-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_COLUMN_LOOKUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_COLUMN_LOOKUP_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_COLUMN_LOOKUP_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_COLUMN_LOOKUP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR
inline constexpr bool kHasLookup = false;
#else
inline constexpr bool kHasLookup = true;
#endif

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR

template <class Scalar, class Write>
HWY_INLINE void lookup_columns(const LookedUpRows&, const upsample::ColumnLookup&, std::int64_t,
                               std::int64_t, std::int64_t, const Write&) {}

#else

/// Lane i of x: lane at[i] of `low` and `high` side by side.
template <class D, class V, class VI>
HWY_INLINE V lookup(D d, V low, V high, VI at) {
#if HWY_TARGET == HWY_AVX3
  (void)d;
  return V{_mm512_permutex2var_ps(low.raw, at.raw, high.raw)};
#elif HWY_TARGET == HWY_AVX2
  // Permutations look at the lowest three bits alone, and blends at the highest.
  const V behind = hn::BitCast(d, hn::ShiftLeft<28>(at));
  return V{_mm256_blendv_ps(_mm256_permutevar8x32_ps(low.raw, at.raw),
                            _mm256_permutevar8x32_ps(high.raw, at.raw), behind.raw)};
#else
  const hn::RebindToSigned<D> di;
  const auto lanes = hn::Set(di, static_cast<std::int32_t>(hn::Lanes(d)));
  const auto within = hn::And(at, hn::Sub(lanes, hn::Set(di, 1)));
  const auto indices = hn::IndicesFromVec(d, within);
  const auto behind = hn::RebindMask(d, hn::Eq(hn::And(at, lanes), lanes));
  return hn::IfThenElse(behind, hn::TableLookupLanes(high, indices),
                        hn::TableLookupLanes(low, indices));
#endif
}

/// The same where all are lanes of `low`: with AVX2 one operation and not four.
template <class D, class V, class VI>
HWY_INLINE V lookup(D d, V low, VI at) {
#if HWY_TARGET == HWY_AVX2
  (void)d;
  return V{_mm256_permutevar8x32_ps(low.raw, at.raw)};
#else
  return lookup(d, low, low, at);
#endif
}

/// What the table says of a vector of columns.
template <std::size_t terms>
struct ColumnVector {
  using V = hn::Vec<Floats>;
  hn::Vec<hn::RebindToSigned<Floats> > at,
      next;  ///< each column's first position and the one behind
  V weight[terms];
  hn::Mask<Floats> some[terms];  ///< the columns that have such a term
  std::int64_t from;             ///< position of lane 0
  bool together, far;  ///< two terms from the same pair of vectors; whether these need the second

  /// `most`: positions of a row.
  HWY_INLINE ColumnVector(const upsample::ColumnLookup& table, std::int64_t begin,
                          std::int64_t column, std::int64_t most) {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int32_t* first = table.first + column;
    // Columns before the first term of a tile stand for earlier positions.
    const std::int32_t base =
        read_within(first[0], static_cast<std::int32_t>(begin),
                    static_cast<std::int32_t>(std::min<std::int64_t>(begin + most, INT32_MAX)));
    at = hn::Sub(hn::LoadU(di, first), hn::Set(di, base));
    next = hn::Add(at, hn::Set(di, 1));
    for (std::size_t t = 0; t < terms; ++t) {
      weight[t] =
          hn::LoadU(d, table.weights + column + static_cast<std::int64_t>(t) * table.stride);
      some[t] = hn::Ne(weight[t], hn::Zero(d));
    }
    from = base - begin;
    const std::int64_t reach = first[lanes - 1] - base + 1;
    together = reach < 2 * lanes;
    far = reach >= lanes;
  }

  /// The columns' sums of the row at x.
  HWY_INLINE V sums(const float* x) const {
    if (HWY_TARGET == HWY_AVX2 && !far) return sums<2, true>(x + from, false);
    return together ? sums<2, false>(x + from, far) : sums<1, false>(x + from, true);
  }

 private:
  /// `near`: one vector has all that two terms need.
  template <std::size_t step, bool near>
  HWY_INLINE V sums(const float* x, bool second) const {
    const Floats d;
    V sum = hn::Zero(d), low = sum, high = sum;
    for (std::size_t t = 0; t < terms; ++t) {
      if (t % step == 0) {
        low = hn::LoadU(d, x + t);
        high = second ? hn::LoadU(d, x + t + hn::Lanes(d)) : low;
      }
      const auto which = t % step == 0 ? at : next;
      const V value = near ? lookup(d, low, which) : lookup(d, low, high, which);
      // A sum that began with 0 is never −0, so adding 0 changes nothing.
      sum = hn::Add(sum, product_or_zero(some[t], weight[t], value));
    }
    return sum;
  }
};

/// Whether sums of two vectors of columns are written at once, for scalars of 16 bits. With AVX2
/// they are rounded when the tile is complete, and twice the tables do not fit its registers.
template <class Scalar>
inline constexpr bool kLookupPairs = sizeof(Scalar) < sizeof(float) && HWY_TARGET != HWY_AVX2;

template <std::size_t terms, class Scalar, class Write>
HWY_INLINE void lookup_columns_of(const LookedUpRows& rows, const upsample::ColumnLookup& table,
                                  std::int64_t begin, std::int64_t j0, std::int64_t width,
                                  const Write& write) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t j = (width + lanes - 1) / lanes * lanes;
  const std::int64_t pairs = kLookupPairs<Scalar> ? j / (2 * lanes) * 2 * lanes : 0;
  while (j > pairs) {
    j -= lanes;
#if HWY_TARGET == HWY_AVX2
    if constexpr (terms == EvenColumns::kTerms) {
      if (even_columns(rows, table, begin, j0, j, write)) continue;
    }
#endif
    const ColumnVector<terms> columns(table, begin, j0 + j, rows.step);
    for (std::int64_t r = 0; r < rows.count; ++r) {
      if (rows.begun[r]) write(r, j, columns.sums(rows.sums + r * rows.step));
    }
  }
  if constexpr (kLookupPairs<Scalar>) {
    while (j > 0) {
      j -= 2 * lanes;
      const ColumnVector<terms> low(table, begin, j0 + j, rows.step),
          high(table, begin, j0 + j + lanes, rows.step);
      for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* x = rows.sums + r * rows.step;
        if (rows.begun[r]) write(r, j, low.sums(x), high.sums(x));
      }
    }
  }
}

/// Sums of columns [j0, j0 + width), j0 a multiple of 16, of rows that begin with position `begin`.
/// Whole vectors of row r go to write(r, j − j0, sums), in descending order, for scalars of 16 bits
/// mostly two at once, and up to kTerms + 31 floats behind a row's last are read, though not used.
template <class Scalar, class Write>
HWY_INLINE void lookup_columns(const LookedUpRows& rows, const upsample::ColumnLookup& table,
                               std::int64_t begin, std::int64_t j0, std::int64_t width,
                               const Write& write) {
#if HWY_TARGET == HWY_AVX3
  if (table.wide) return wide_columns(rows, table, begin, j0, width, write);
#endif
  static_assert(upsample::ColumnLookup::kNarrow == 6);
  switch (table.terms) {
    case 1: return lookup_columns_of<1, Scalar>(rows, table, begin, j0, width, write);
    case 2: return lookup_columns_of<2, Scalar>(rows, table, begin, j0, width, write);
    case 3: return lookup_columns_of<3, Scalar>(rows, table, begin, j0, width, write);
    case 4: return lookup_columns_of<4, Scalar>(rows, table, begin, j0, width, write);
    case 5: return lookup_columns_of<5, Scalar>(rows, table, begin, j0, width, write);
    default: return lookup_columns_of<6, Scalar>(rows, table, begin, j0, width, write);
  }
}

#endif

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_COLUMN_LOOKUP_INL_H_
