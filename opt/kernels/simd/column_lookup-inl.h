// Sums of columns along a row: each term of a vector of them is a permutation of two vectors.
#include <algorithm>

#include "hwy/highway.h"
#include "opt/kernels/simd/column_lookup.h"
#include "opt/kernels/simd/convert-inl.h"

#if defined(GRADPROOF_KERNELS_SIMD_COLUMN_LOOKUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_SIMD_COLUMN_LOOKUP_INL_H_
#undef GRADPROOF_KERNELS_SIMD_COLUMN_LOOKUP_INL_H_
#else
#define GRADPROOF_KERNELS_SIMD_COLUMN_LOOKUP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR
inline constexpr bool kHasLookup = false;
#else
inline constexpr bool kHasLookup = true;
#endif

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR

template <std::size_t terms, class Write>
HWY_INLINE void lookup_columns(const float*, const bilinear_backward::ColumnLookup&, std::int64_t,
                               std::int64_t, std::int64_t, const Write&) {}

#else

/// Lane i of x: lane at[i] of `low` and `high` side by side.
template <class D, class V, class VI>
HWY_INLINE V lookup(D d, V low, V high, VI at) {
#if HWY_TARGET == HWY_AVX3
  (void)d;
  return V{_mm512_permutex2var_ps(low.raw, at.raw, high.raw)};
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

/// The sums of a vector of columns from `from`'s positions, `at` each column's first one.
/// `together`: how many terms in a row are looked up in the same pair of vectors, 1 or 2.
/// `common`: the first terms that all columns have.
template <std::size_t terms, std::size_t together, class VI>
HWY_INLINE hn::Vec<Floats> looked_up(const float* from, VI at, bool far, const float* weights,
                                     std::int64_t stride, std::size_t common) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto next = hn::Add(at, hn::Set(hn::RebindToSigned<Floats>(), 1));
  auto sum = hn::Zero(d), low = sum, high = sum;
  for (std::size_t t = 0; t < terms; ++t, weights += stride) {
    if (t % together == 0) {
      low = hn::LoadU(d, from + t);
      high = far ? hn::LoadU(d, from + t + lanes) : low;
    }
    const auto value = lookup(d, low, high, t % together == 0 ? at : next);
    const auto weight = hn::LoadU(d, weights);
    auto term = hn::Mul(weight, value);
    // A sum that began with 0 is never −0, so adding 0 changes nothing.
    if (t >= common) term = hn::IfThenElseZero(hn::Ne(weight, hn::Zero(d)), term);
    sum = hn::Add(sum, term);
  }
  return sum;
}

/// Sums of columns [j0, j0 + width), j0 a multiple of 16, of a row whose position `begin` is at x.
/// Whole vectors go to write(j − j0, sums), or two at once, and up to kTerms + 31 floats behind x's
/// last are read, though not used.
template <std::size_t terms, class Write>
HWY_INLINE void lookup_columns(const float* x, const bilinear_backward::ColumnLookup& table,
                               std::int64_t begin, std::int64_t j0, std::int64_t width,
                               const Write& write) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto sums = [&](std::int64_t j) HWY_ATTR {
    const std::int32_t* first = table.first + j0 + j;
    // Columns before the first term of a tile stand for earlier positions.
    const std::int32_t base = std::max(first[0], static_cast<std::int32_t>(begin));
    const auto at = hn::Sub(hn::LoadU(di, first), hn::Set(di, base));
    const float* from = x + (base - begin);
    const float* weights = table.weights + j0 + j;
    const std::size_t common = table.common[(j0 + j) / 16];
    const std::int64_t reach = first[lanes - 1] - base + 1;
    return reach < 2 * lanes
               ? looked_up<terms, 2>(from, at, reach >= lanes, weights, table.stride, common)
               : looked_up<terms, 1>(from, at, true, weights, table.stride, common);
  };
  std::int64_t j = 0;
  for (; j + 2 * lanes <= width; j += 2 * lanes) write(j, sums(j), sums(j + lanes));
  for (; j < width; j += lanes) write(j, sums(j));
}

#endif

/// The same where the number of terms is not known before.
template <class Write>
HWY_INLINE void lookup_columns(const float* x, const bilinear_backward::ColumnLookup& table,
                               std::int64_t begin, std::int64_t j0, std::int64_t width,
                               const Write& write) {
  static_assert(bilinear_backward::kTerms == 6);
  switch (table.terms) {
    case 1:
      return lookup_columns<1>(x, table, begin, j0, width, write);
    case 2:
      return lookup_columns<2>(x, table, begin, j0, width, write);
    case 3:
      return lookup_columns<3>(x, table, begin, j0, width, write);
    case 4:
      return lookup_columns<4>(x, table, begin, j0, width, write);
    case 5:
      return lookup_columns<5>(x, table, begin, j0, width, write);
    default:
      return lookup_columns<6>(x, table, begin, j0, width, write);
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_SIMD_COLUMN_LOOKUP_INL_H_
