// Vectors of the sums of two columns in turn, for quads-inl.h: finished, and stored or streamed.
#include "opt/kernels/mask_pool/halves-inl.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_QUAD_STORES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_QUAD_STORES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_QUAD_STORES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_QUAD_STORES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2
template <bool stream, class D, class Scalar>
HWY_INLINE void StoreVector(D d, hn::Vec<D> bits, Scalar* to) {
  if constexpr (stream) {
    stream_vector(d, bits, to);
  } else {
    hn::StoreU(bits, d, reinterpret_cast<hn::TFromD<D>*>(to));
  }
}

/// Vectors of the sums of two remainders in turn.
template <int known_a, int known_b, bool finite, bool stream, class Scalar>
HWY_INLINE void StoreQuads(hn::Vec<Floats> a, hn::Vec<Floats> b, Scalar* to) {
  if constexpr (!finite || std::is_same_v<Scalar, FloatViaFloat16>) {
    StorePairs<known_a, known_b>(a, b, to);
  } else if constexpr (std::is_same_v<Scalar, BFloat16>) {
    const hn::Repartition<std::uint16_t, Words> d16;
    const auto low = hn::ShiftRight<16>(FinishedBrain<known_a, true>(a));
    const auto high = FinishedBrain<known_b, true>(b);
    StoreVector<stream>(d16, hn::OddEven(hn::BitCast(d16, high), hn::BitCast(d16, low)), to);
  } else if constexpr (std::is_same_v<Scalar, Float16>) {
    const hn::Rebind<hwy::float16_t, Floats> df16;
    const HalfWords<Floats> d16;
    const auto low = hn::BitCast(d16, hn::DemoteTo(df16, a)),
               high = hn::BitCast(d16, hn::DemoteTo(df16, b));
    StoreVector<stream>(d16, hn::InterleaveLower(d16, low, high), to);
    StoreVector<stream>(d16, hn::InterleaveUpper(d16, low, high), to + hn::Lanes(d16));
  } else {
    const Floats d;
    const auto low = hn::InterleaveLower(d, a, b), high = hn::InterleaveUpper(d, a, b);
    StoreVector<stream>(d, hn::ConcatLowerLower(d, high, low), to);
    StoreVector<stream>(d, hn::ConcatUpperUpper(d, high, low), to + hn::Lanes(d));
  }
}
#elif HWY_TARGET == HWY_AVX3
/// Pairs of sums, none of them NaN, as bits: half(first, second) gets those of both halves of the
/// vectors.
template <class Scalar, int known_a, int known_b, class Half>
HWY_INLINE void PairHalves(hn::Vec<Floats> a, hn::Vec<Floats> b, const Half& half) {
  const Words du;
  if constexpr (std::is_same_v<Scalar, float>) {
    const PairsOfLanes pairs(hn::BitCast(du, a), hn::BitCast(du, b));
    half(pairs.low, pairs.high);
  } else {
    const auto pairs = [&]() HWY_ATTR {
      if constexpr (std::is_same_v<Scalar, BFloat16>) {
        return hn::Or(hn::ShiftRight<16>(FinishedBrain<known_a, true>(a)),
                      hn::And(FinishedBrain<known_b, true>(b), hn::Set(du, 0xffff0000u)));
      } else {
        const hn::Rebind<hwy::float16_t, Floats> df16;
        const HalfWords<Floats> d16;
        const auto low = hn::PromoteTo(du, hn::BitCast(d16, hn::DemoteTo(df16, a)));
        const auto high = hn::PromoteTo(du, hn::BitCast(d16, hn::DemoteTo(df16, b)));
        return hn::Or(low, hn::ShiftLeft<16>(high));
      }
    }();
    const hn::Half<Words> d;
    half(hn::LowerHalf(d, pairs), hn::UpperHalf(d, pairs));
  }
}

template <int known_a, int known_b, bool finite, bool stream, class Scalar>
HWY_INLINE void StoreQuads(hn::Vec<Floats> a, hn::Vec<Floats> b, Scalar* to) {
  if constexpr (!finite) {
    StorePairs<known_a, known_b>(a, b, to);
  } else {
    PairHalves<Scalar, known_a, known_b>(a, b, [&](auto first, auto second) HWY_ATTR {
      const hn::DFromV<decltype(first)> d;
      hn::StoreU(first, d, reinterpret_cast<std::uint32_t*>(to));
      hn::StoreU(second, d, reinterpret_cast<std::uint32_t*>(to + 16));
    });
  }
}

#else
template <int known_a, int known_b, bool finite, bool stream, class Scalar>
HWY_INLINE void StoreQuads(hn::Vec<Floats> a, hn::Vec<Floats> b, Scalar* to) {
  StorePairs<known_a, known_b>(a, b, to);
}
#endif

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_QUAD_STORES_INL_H_
