// Words of two kernel positions in the halves of a lane of 32 bits.
//
// With AVX2, widening a word, testing its bit and masking the term take most of the time. Where two
// words share a lane, one shift moves a channel's bit to the sign, the only bit that a masked load
// tests.
#include <bit>

#include "opt/kernels/mask_pool/gather_rows-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_HALVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_HALVES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_HALVES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_HALVES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2
/// How far a channel's bit lies below the sign, in the lower and the upper words of lanes.
struct ChannelBit {
  hn::Vec<Words> below[2];
  HWY_INLINE explicit ChannelBit(std::uint16_t bit) {
    const auto low = static_cast<std::uint32_t>(std::countl_zero(std::uint32_t{bit}));
    below[0] = hn::Set(Words(), low);
    below[1] = hn::Set(Words(), low - 16);
  }
};

/// The words of `all` kernel positions, in the order of sums, of a vector of pairs.
template <int all>
struct PairedWords {
  static constexpr int kPairs = (all + 1) / 2;
  hn::Vec<Words> pairs[kPairs];
  const ChannelBit& bit;

  HWY_INLINE PairedWords(const std::uint16_t* words, const ChannelBit& of_channel)
      : bit(of_channel) {
    for (int i = 0; i < kPairs; ++i) {
      const std::uint16_t* pair = words + i * std::int64_t{2 * kWordsPitch};
      pairs[i] = hn::LoadU(Words(), reinterpret_cast<const std::uint32_t*>(pair));
    }
  }
  /// The terms, where words of kernel position k have the bit; else 0.
  HWY_INLINE hn::Vec<Floats> chosen(int k, const float* terms) const {
    const auto sign = hn::Shl(pairs[k / 2], bit.below[k % 2]);
    return hn::Vec<Floats>{_mm256_maskload_ps(terms, sign.raw)};
  }
};

/// Sums of the terms of rows × columns outputs, whose words are those of kernel positions from
/// `first` on.
template <int rows, int columns, int first, int all>
HWY_INLINE hn::Vec<Floats> PairedSum(const PairedWords<all>& words, const float* terms,
                                     std::int64_t pitch) {
  auto sum = words.chosen(first, terms);
  for (int k = 1; k < rows * columns; ++k) {
    sum = AddTerm(words.chosen(first + k, terms + k / columns * pitch + k % columns), sum);
  }
  return sum;
}

#else
using ChannelBit = std::uint16_t;
template <int all>
struct PairedWords {
  const std::uint16_t* words;
  ChannelBit bit;
};
template <int rows, int columns, int first, int all>
HWY_INLINE hn::Vec<Floats> PairedSum(const PairedWords<all>& words, const float* terms,
                                     std::int64_t pitch) {
  return Sum<rows, columns>(words.words + first * kWordsPitch, words.bit, terms, pitch);
}
#endif

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_HALVES_INL_H_
