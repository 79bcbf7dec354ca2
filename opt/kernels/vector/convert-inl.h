// Vectors of float from stored scalars and back, with the same bits on every target.
//
// Highway's own conversions differ: float → bfloat16 truncates, float → float16 rounds to nearest
// even only where the processor has instructions for it. opt/base/element.h says what is right; a
// sum that is NaN becomes the one NaN of scalar.h.
#include "hwy/highway.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/vector/dispatch.h"

#if defined(GRADPROOF_KERNELS_VECTOR_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_CONVERT_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_CONVERT_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_CONVERT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t kMostFloats = 16;  ///< lanes of the widest vectors
using Floats = hn::CappedTag<float, kMostFloats>;
template <class D>
using HalfWords = hn::Rebind<std::uint16_t, D>;  ///< as many lanes, half as wide

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
inline constexpr bool kHasFloat16 = true;
#else
inline constexpr bool kHasFloat16 = false;
#endif

// A scalar's bits, N of them.
template <class D>
HWY_INLINE auto load_words(D, const void* from) {
  const HalfWords<D> d16;
  return hn::LoadU(d16, static_cast<const std::uint16_t*>(from));
}

/// Lanes(d) scalars as float; `from` need not be aligned.
template <class D>
HWY_INLINE hn::Vec<D> widen_from(D d, const float* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> widen_from(D d, const BFloat16* from) {
  const hn::Rebind<std::uint32_t, D> d32;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, load_words(d, from))));
}
/// float16 in the lower halves of 32-bit words, whose upper halves are 0.
template <class D, class V>
HWY_INLINE hn::Vec<D> widen_float16_words(D d, V words) {
  const hn::Rebind<std::int32_t, D> di;
  const auto h = hn::BitCast(di, words);
  if constexpr (kHasFloat16) {
    const hn::Rebind<hwy::float16_t, D> d16;
    return hn::PromoteTo(d, hn::BitCast(d16, hn::DemoteTo(HalfWords<D>(), h)));
  } else {  // as to_float(Float16) of opt/base/element.h
    const auto magnitude = hn::ShiftLeft<13>(hn::And(h, hn::Set(di, 0x7fff)));
    const auto sign = hn::ShiftLeft<16>(hn::And(h, hn::Set(di, 0x8000)));
    const auto subnormal = hn::BitCast(
        di,
        hn::Sub(hn::BitCast(d, hn::Add(magnitude, hn::Set(di, 0x38800000))), hn::Set(d, 0x1p-14f)));
    const auto normal = hn::Add(magnitude, hn::Set(di, 0x38000000));
    const auto special = hn::Add(magnitude, hn::Set(di, 0x70000000));
    auto bits = hn::IfThenElse(hn::Lt(magnitude, hn::Set(di, 0x00800000)), subnormal, normal);
    bits = hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, 0x0f7fffff)), special, bits);
    const auto quiet =
        hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(di, 0x0f800000)), hn::Set(di, 0x00400000));
    return hn::BitCast(d, hn::Or(hn::Or(bits, quiet), sign));
  }
}
template <class D>
HWY_INLINE hn::Vec<D> widen_from(D d, const Float16* from) {
  if constexpr (kHasFloat16) {
    const hn::Rebind<hwy::float16_t, D> d16;
    return hn::PromoteTo(d, hn::BitCast(d16, load_words(d, from)));
  } else {
    return widen_float16_words(d,
                               hn::PromoteTo(hn::Rebind<std::uint32_t, D>(), load_words(d, from)));
  }
}

/// Floats, any NaN made the one NaN.
template <class D, class V>
HWY_INLINE V one_nan(D d, V x) {
  const auto nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
#if HWY_TARGET == HWY_AVX3  // one instruction, without a mask: NaN is replaced, all else stays
  constexpr int kKeepNumbers = 0x11111100;
  // perhaps uncovered: AVX-512
  if constexpr (sizeof x.raw == 64) {
    return V{_mm512_fixupimm_ps(nan.raw, x.raw, _mm512_set1_epi32(kKeepNumbers), 0)};
  } else if constexpr (sizeof x.raw == 32) {
    return V{_mm256_fixupimm_ps(nan.raw, x.raw, _mm256_set1_epi32(kKeepNumbers), 0)};
  } else {
    return V{_mm_fixupimm_ps(nan.raw, x.raw, _mm_set1_epi32(kKeepNumbers), 0)};
  }
#else
  return hn::IfThenElse(hn::IsNaN(x), nan, x);
#endif
}

/// Sums rounded to bfloat16, in the upper half of each lane. Any NaN becomes the one NaN; with
/// `finite` terms there is none.
template <bool finite = false, class D, class V>
HWY_INLINE auto rounded_bfloat16(D d, V sums) {
  const hn::Rebind<std::int32_t, D> di;
  if constexpr (!finite) sums = one_nan(d, sums);
  const auto all = hn::BitCast(di, sums);
  // Just under half of the last place, or half where the last place is odd.
  const auto odd = hn::And(hn::ShiftRight<16>(all), hn::Set(di, 1));
  return hn::Add(hn::Add(all, hn::Set(di, 0x7fff)), odd);  // the one NaN keeps its upper half
}

/// Finished sums in the form of `Scalar`, a vector of as many lanes. Any NaN becomes the one NaN.
template <class Scalar, class D, class V>
HWY_INLINE auto narrowed(D d, V sums) {
  if constexpr (std::is_same_v<Scalar, float>) {
    return one_nan(d, sums);
  } else {
    const hn::Rebind<std::int32_t, D> di;
    const HalfWords<D> d16;
    const auto all = hn::BitCast(di, sums);
    if constexpr (std::is_same_v<Scalar, BFloat16>) {
      const hn::Rebind<std::uint32_t, D> du;
      const auto bits = rounded_bfloat16(d, sums);
      return hn::DemoteTo(d16, hn::BitCast(di, hn::ShiftRight<16>(hn::BitCast(du, bits))));
    } else if constexpr (kHasFloat16) {
      const hn::Rebind<hwy::float16_t, D> df16;
      return hn::BitCast(d16, hn::DemoteTo(df16, narrowed<float>(d, sums)));
    } else {  // as to_float16 of opt/base/element.h
      const auto magnitude = hn::And(all, hn::Set(di, 0x7fffffff));
      const auto sign = hn::And(hn::ShiftRight<16>(all), hn::Set(di, 0x8000));
      const auto subnormal =
          hn::Sub(hn::BitCast(di, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f))),
                  hn::Set(di, 0x3f000000));
      const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
      const auto normal =
          hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, hn::Set(di, 0xfff - 0x38000000)), odd));
      auto bits = hn::IfThenElse(hn::Lt(magnitude, hn::Set(di, 0x38800000)), subnormal, normal);
      bits = hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, 0x477fffff)), hn::Set(di, 0x7c00), bits);
      bits = hn::Or(bits, sign);
      bits = hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, 0x7f800000)), hn::Set(di, 0x7e00), bits);
      return hn::DemoteTo(d16, bits);
    }
  }
}

#if HWY_TARGET != HWY_SCALAR  // whose vectors cannot be longer than one lane
/// Two vectors of finished sums as one of 16-bit scalars.
template <class Scalar, class D, class V>
HWY_INLINE auto narrowed_pair(D d, V low, V high) {
  const hn::Twice<HalfWords<D>> d16;
  if constexpr (std::is_same_v<Scalar, BFloat16>) {
    return hn::ConcatOdd(d16, hn::BitCast(d16, rounded_bfloat16(d, high)),
                         hn::BitCast(d16, rounded_bfloat16(d, low)));
  } else {
    return hn::Combine(d16, narrowed<Scalar>(d, high), narrowed<Scalar>(d, low));
  }
}
#endif

/// Stores finished sums; `to` need not be aligned.
template <class Scalar, class D, class V>
HWY_INLINE void narrow_to(Scalar* to, D d, V sums) {
  // Not DFromV: the type of an SVE vector does not say how many of its lanes are meant.
  using To = std::conditional_t<sizeof(Scalar) == sizeof(float), D, HalfWords<D>>;
  hn::StoreU(narrowed<Scalar>(d, sums), To(), reinterpret_cast<hn::TFromD<To>*>(to));
}

/// One scalar, as widen() and narrow(): of float16 with the processor's instructions where it has
/// some, which take a tenth of the operations.
template <class Scalar>
HWY_INLINE SumOf<Scalar> widen_one(Scalar x) {
  if constexpr (kHasFloat16 && std::is_same_v<Scalar, Float16>) {
    const hn::CappedTag<float, 4> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> d16;
    return hn::GetLane(
        hn::PromoteTo(d, hn::BitCast(d16, hn::Set(HalfWords<decltype(d)>(), x.bits))));
  } else {
    return widen(x);
  }
}
template <class Scalar>
HWY_INLINE void narrow_one(SumOf<Scalar> sum, Scalar& to) {
  if constexpr (kHasFloat16 && std::is_same_v<Scalar, Float16>) {
    const hn::CappedTag<float, 4> d;
    to.bits = hn::GetLane(narrowed<Scalar>(d, hn::Set(d, sum)));
  } else {
    narrow(sum, to);
  }
}

/// Floats rounded to float16 and back.
template <class D, class V>
HWY_INLINE V through_float16(D d, V x) {
  Float16 rounded[kMostFloats];
  narrow_to(rounded, d, x);
  return widen_from(d, rounded);
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_CONVERT_INL_H_
