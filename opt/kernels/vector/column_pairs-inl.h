// Rows of gradInput where no two outputs share a column: windows 2 wide at stride 2.
//
// Each term is stored twice, side by side, and each copy has a key that tells where the window's
// maximum is. Then a row of gradInput is the terms whose key is that of the row, else 0: a
// selection in lanes as wide as the scalar, without sums or rounding.
#include "opt/kernels/vector/column_pairs.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_COLUMN_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_COLUMN_PAIRS_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_COLUMN_PAIRS_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_COLUMN_PAIRS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

using Words = hn::Rebind<std::uint32_t, Floats>;

/// As wide as a scalar: its bits, or its key.
template <class Scalar>
using Key = std::conditional_t<sizeof(Scalar) == sizeof(float), std::uint32_t, std::uint16_t>;

#if HWY_TARGET == HWY_AVX3
/// Lanes of x and y in turn, first those of their lower halves. Two permutations of two vectors,
/// where Highway takes six of one.
struct PairsOfLanes {
  hn::Vec<Words> low, high;
  HWY_INLINE PairsOfLanes(hn::Vec<Words> x, hn::Vec<Words> y) {
    const auto lower = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const auto upper = _mm512_add_epi32(lower, _mm512_set1_epi32(8));
    low.raw = _mm512_permutex2var_epi32(x.raw, lower, y.raw);
    high.raw = _mm512_permutex2var_epi32(x.raw, upper, y.raw);
  }
};
#endif

/// to[2i] = x[i], to[2i + 1] = y[i], of which 16-bit keys are the lower halves.
template <class V>
HWY_INLINE void store_pairs(std::uint32_t* to, V x, V y) {
#if HWY_TARGET == HWY_SCALAR
  to[0] = hn::GetLane(x);
  to[1] = hn::GetLane(y);
#elif HWY_TARGET == HWY_AVX3
  const PairsOfLanes pairs(x, y);
  hn::StoreU(pairs.low, Words(), to);
  hn::StoreU(pairs.high, Words(), to + 16);
#else
  hn::StoreInterleaved2(x, y, Words(), to);
#endif
}
template <class V>
HWY_INLINE void store_pairs(std::uint16_t* to, V x, V y) {
  const Words du;
  const auto low = hn::And(x, hn::Set(du, 0xffff));  // of keys, which may have more
  hn::StoreU(hn::Or(low, hn::ShiftLeft<16>(y)), du, reinterpret_cast<std::uint32_t*>(to));
}

/// The bits of sums of one term each: 0 plus the term, so that −0 is 0, and NaN the one NaN.
template <class D, class Scalar>
HWY_INLINE hn::Vec<D> single_terms(D du, const Scalar* from) {
  const hn::Rebind<float, D> d;
  if constexpr (std::is_same_v<Scalar, float>) {
    return hn::BitCast(du, narrowed<float>(d, hn::Add(hn::Zero(d), hn::LoadU(d, from))));
  } else if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) {
    const auto x = hn::LoadU(d, reinterpret_cast<const float*>(from));
    return hn::BitCast(du, narrowed<float>(d, hn::Add(hn::Zero(d), through_float16(d, x))));
  } else {
    constexpr bool kBrain = std::is_same_v<Scalar, BFloat16>;
    const hn::Rebind<std::int32_t, D> di;
    const auto bits = hn::BitCast(di, hn::PromoteTo(du, load_words(d, from)));
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7fff));
    const auto nan = hn::Gt(magnitude, hn::Set(di, kBrain ? 0x7f80 : 0x7c00));
    const auto one = hn::IfThenElse(nan, hn::Set(di, kBrain ? 0x7fc0 : 0x7e00), bits);
    return hn::BitCast(du, hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(di)), one));
  }
}

/// work(from, i) for vectors of n scalars, i the first one's place: the last vector ends with them,
/// or is in a copy that `beyond(i)` continues.
template <class Scalar, class Beyond, class Work, class D = Floats>
HWY_INLINE void for_each_vector(const Scalar* from, std::int64_t n, const Beyond& beyond,
                                const Work& work, D d = D()) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) work(from + i, i);
  if (i == n) return;
  if (n >= lanes) return work(from + n - lanes, n - lanes);
  Scalar padded[hn::MaxLanes(D())];
  for (std::int64_t j = 0; j < lanes; ++j) padded[j] = j < n ? from[j] : beyond(j);
  work(padded, 0);
}

/// The terms of n outputs, each twice.
template <class Scalar>
HWY_INLINE void double_terms(const Scalar* from, std::int64_t n, Key<Scalar>* HWY_RESTRICT to) {
  for_each_vector(
      from, n, [](std::int64_t) { return Scalar{}; },
      [to](const Scalar* at, std::int64_t i) HWY_ATTR {
        const auto terms = single_terms(Words(), at);
        store_pairs(to + 2 * i, terms, terms);
      });
}

/// Columns [0, n) and up to a line more: terms whose keys are chosen, else 0.
template <class Scalar, class Chosen>
HWY_INLINE void select_columns(Scalar* to, std::int64_t n, const Key<Scalar>* HWY_RESTRICT terms,
                               const Key<Scalar>* HWY_RESTRICT keys, const Chosen& chosen) {
  const hn::CappedTag<Key<Scalar>, 64 / sizeof(Scalar)> d;
  auto* bits = reinterpret_cast<Key<Scalar>*>(to);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < n; i += lanes) {
    const auto here = chosen(d, hn::LoadU(d, keys + i));
    hn::StoreU(hn::IfThenElseZero(here, hn::LoadU(d, terms + i)), d, bits + i);
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_COLUMN_PAIRS_INL_H_
