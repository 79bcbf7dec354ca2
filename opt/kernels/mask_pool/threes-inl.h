// Sums of windows of 3 × 3 that move by one, of gather_rows.h.
//
// With AVX2, words share lanes (halves-inl.h). With AVX-512, a row's terms are loaded once and
// shifted, because a load of 64 bytes that begins within a line takes 1.5 times as long. That takes
// 0.85 of the time in FLOAT and 0.92 in 16 bits, in the caches (Zen 4).
#include "opt/kernels/mask_pool/halves-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_THREES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_THREES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_THREES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_THREES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
/// Sums of the terms of 3 × 3 outputs, vector after vector.
class Threes {
 public:
  HWY_INLINE Threes(const std::uint16_t* words, std::uint16_t bit, const float* terms,
                    std::int64_t pitch)
      : words_(words), terms_(terms), pitch_(pitch), bit_(bit) {
    const Floats d;
    top_ = hn::LoadU(d, terms);
    middle_ = hn::LoadU(d, terms + pitch);
    bottom_ = hn::LoadU(d, terms + 2 * pitch);
  }

  /// The next vector of sums.
  HWY_INLINE hn::Vec<Floats> next() {
    const Floats d;
    terms_ += hn::Lanes(d);
    auto sum = hn::Zero(d);
    const auto add = [&](hn::Vec<Floats>& first, int row) HWY_ATTR {
      const auto then = hn::LoadU(d, terms_ + row * pitch_);
      const std::uint16_t* words = words_ + 3 * row * kWordsPitch;
      sum = AddChosen(Chosen(words, bit_), first, sum);
      sum = AddChosen(Chosen(words + kWordsPitch, bit_), shifted<1>(first, then), sum);
      sum = AddChosen(Chosen(words + 2 * kWordsPitch, bit_), shifted<2>(first, then), sum);
      first = then;
    };
    add(top_, 0);
    add(middle_, 1);
    add(bottom_, 2);
    words_ += hn::Lanes(d);
    return sum;
  }

 private:
  /// The floats from number `by` of two vectors on.
  template <int by>
  static HWY_INLINE hn::Vec<Floats> shifted(hn::Vec<Floats> first, hn::Vec<Floats> then) {
    return hn::Vec<Floats>{_mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(then.raw), _mm512_castps_si512(first.raw), by))};
  }

  const std::uint16_t* words_;
  const float* terms_;
  std::int64_t pitch_;
  std::uint16_t bit_;
  hn::Vec<Floats> top_, middle_, bottom_;
};
#endif

/// n sums of the terms of 3 × 3 outputs, one after the other.
template <class Scalar>
void WriteThrees(const Sources& s, const Channel& c, std::int64_t pitch, std::int64_t n,
                 Scalar* to) {
  const ChannelBit bit(c.bit);
  const std::uint16_t* all_words = s.words;
  const float* all_terms = c.terms + s.terms;
#if HWY_TARGET == HWY_AVX3
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const std::int64_t step = sizeof(Scalar) < sizeof(float) ? 2 * lanes : lanes;
  std::int64_t i = 0;
  Threes sums(all_words, bit, all_terms, pitch);
  for (; i + step <= n; i += step)
    WriteSums<9>(step, to + i, [&](std::int64_t) HWY_ATTR { return sums.next(); });
  if (i == n) return;
  if (n >= step) i = n - step;
  all_words += i, all_terms += i, to += i, n -= i;
#endif
  WriteSums<9>(n, to, [&](std::int64_t i) HWY_ATTR {
    const PairedWords<9> words{all_words + kWordsOfLane * i, bit};
    return PairedSum<3, 3, 0>(words, all_terms + i, pitch);
  });
}

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_THREES_INL_H_
