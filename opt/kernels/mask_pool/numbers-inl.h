// Numbers of 8 bits for 16 outputs and as many channels: from a vector of words for each bit to a
// vector of numbers for each two channels.
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_NUMBERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_NUMBERS_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_NUMBERS_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_NUMBERS_INL_H_
#endif

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

using Places = hn::ScalableTag<std::uint16_t>;  ///< words, or places, of 16 outputs
using PlaceVector = hn::Vec<Places>;

HWY_INLINE PlaceVector Value(std::int64_t value) {
  return hn::Set(Places(), static_cast<std::uint16_t>(value));
}

/// Exchanges the bits of a that are `distance` above `mask`'s with b's bits in `mask`.
template <int distance>
HWY_INLINE void ExchangeBits(PlaceVector& a, PlaceVector& b, std::int64_t mask) {
  const auto different = hn::And(hn::Xor(hn::ShiftRight<distance>(a), b), Value(mask));
  b = hn::Xor(b, different);
  a = hn::Xor(a, hn::ShiftLeft<distance>(different));
}

/// Of each byte: bit i of vector j becomes bit j of vector i.
HWY_INLINE void TransposeBits(PlaceVector (&bits)[8]) {
  for (int i = 0; i < 8; i += 2) ExchangeBits<1>(bits[i], bits[i + 1], 0x5555);
  for (int i : {0, 1, 4, 5}) ExchangeBits<2>(bits[i], bits[i + 2], 0x3333);
  for (int i = 0; i < 4; ++i) ExchangeBits<4>(bits[i], bits[i + 4], 0x0f0f);
}

/// Sets a number's bits, each in a vector of its own, where `chosen` says.
HWY_INLINE void AddNumber(std::int64_t number, PlaceVector chosen, PlaceVector* bits) {
  for (int bit = 0; bit < 4; ++bit) {
    if ((number >> bit & 1) != 0) bits[bit] = hn::Or(bits[bit], chosen);
  }
}

}  // namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET == HWY_AVX2

#endif  // GRADPROOF_KERNELS_MASK_POOL_NUMBERS_INL_H_
