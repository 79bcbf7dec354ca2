// Vectors of float from strided scalars: every second one by de-interleaving, others one by
// one.
#include "hwy/highway.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_STRIDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_STRIDED_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_STRIDED_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_STRIDED_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR
inline constexpr bool kHasEverySecond = false;
template <class Scalar>
HWY_INLINE hn::Vec<Floats> every_second(Floats d, const Scalar* from) {
  return widen_from(d, from);
}
#else
inline constexpr bool kHasEverySecond = true;

/// from[0], from[2], …: the second load ends with the last of them, because memory after it may
/// belong to another tensor.
HWY_INLINE hn::Vec<Floats> every_second(Floats d, const float* from) {
  const auto low = hn::LoadU(d, from), high = hn::LoadU(d, from + hn::Lanes(d) - 1);
  return hn::ConcatEven(d, hn::Shuffle2301(high), low);
}

/// The same in pairs of 16-bit words, of which the lower half has its scalars in the lower word and
/// the upper half in the upper one.
template <class Scalar>
HWY_INLINE hn::Vec<Floats> every_second(Floats d, const Scalar* from) {
  const hn::Rebind<std::uint32_t, Floats> d32;
  const hn::Half<decltype(d32)> half;
  const auto load = [&](const Scalar* at) HWY_ATTR {
    const hn::Repartition<std::uint16_t, decltype(half)> words;
    return hn::BitCast(half, hn::LoadU(words, reinterpret_cast<const std::uint16_t*>(at)));
  };
  const auto low = load(from), high = load(from + hn::Lanes(d) - 1);
  if constexpr (std::is_same_v<Scalar, BFloat16>) {
    return hn::BitCast(
        d, hn::Combine(d32, hn::And(high, hn::Set(half, 0xffff0000u)), hn::ShiftLeft<16>(low)));
  } else {
    const auto words =
        hn::Combine(d32, hn::ShiftRight<16>(high), hn::And(low, hn::Set(half, 0xffffu)));
    return widen_float16_words(d, words);
  }
}
#endif

/// Lanes(d) scalars from position i of a row on, `stride` apart, as float.
template <bool dense, class Scalar>
HWY_INLINE hn::Vec<Floats> load_positions(Floats d, const Scalar* row, std::size_t i,
                                          std::int64_t stride) {
  if constexpr (dense) return widen_from(d, row + i);
  const Scalar* from = row + static_cast<std::int64_t>(i) * stride;
  if (kHasEverySecond && stride == 2) return every_second(d, from);
  Scalar gathered[kMostFloats];
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t lane = 0; lane < lanes; ++lane, from += stride) gathered[lane] = *from;
  return widen_from(d, gathered);
}

/// Prefetches positions as far from these as `ahead` scalars.
template <bool dense, class Scalar>
HWY_INLINE void prefetch_positions(const Scalar* row, std::size_t i, std::int64_t stride,
                                   std::int64_t ahead) {
  const Scalar* at = row + ahead + static_cast<std::int64_t>(i) * (dense ? 1 : stride);
  prefetch(at);
  if constexpr (!dense) prefetch(at + kMostFloats);
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_STRIDED_INL_H_
