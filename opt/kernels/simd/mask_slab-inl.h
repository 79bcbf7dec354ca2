// Vectors of sums of terms that words select: from scalars to terms, and from sums to scalars.
#include "opt/kernels/simd/column_pairs-inl.h"
#include "opt/kernels/simd/mask_slab.h"
#include "opt/kernels/simd/strided-inl.h"

#if defined(GRADPROOF_KERNELS_SIMD_MASK_SLAB_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_SIMD_MASK_SLAB_INL_H_
#undef GRADPROOF_KERNELS_SIMD_MASK_SLAB_INL_H_
#else
#define GRADPROOF_KERNELS_SIMD_MASK_SLAB_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_slab::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// The terms of outputs [0, n) of a row, as sums of one term each: no −0 among them, nor a NaN but
/// the one. So sums may begin with a term.
template <class Scalar>
void LoadTerms(const Scalar* grad, std::int64_t stride, std::int64_t n, float* terms) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (n < lanes) {
    for (std::int64_t i = 0; i < n; ++i) narrow(0 + widen(grad[i * stride]), terms[i]);
    return;
  }
  const auto load = [&](std::int64_t i) HWY_ATTR {
    const auto* stored = reinterpret_cast<const Stored<Scalar>*>(grad);
    const std::size_t at = static_cast<std::size_t>(i);
    auto x = stride == 1 ? load_positions<true>(d, stored, at, 1)
                         : load_positions<false>(d, stored, at, stride);
    if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) x = through_float16(d, x);
    hn::StoreU(narrowed<float>(d, hn::Add(hn::Zero(d), x)), d, terms + i);
  };
  for (std::int64_t i = 0; i + lanes <= n; i += lanes) load(i);
  load(n - lanes);  // some of them again, if a vector remains that is not whole
}

/// Where sums get their terms: from `rows` × `columns` outputs, neighbours of each other, in
/// ascending position. The words of one lie kWordsPitch behind those of the one before.
struct Sources {
  const std::uint16_t* words = nullptr;  ///< of the first output, for the block's first sum
  std::int64_t terms = 0;                ///< of the same, from the channel's first term
  std::int64_t rows = 0, columns = 0;
};

/// A channel of a tile.
struct Channel {
  const float* terms;
  std::uint16_t bit;  ///< in each word
};

/// Whether the words have a channel's bit.
HWY_INLINE hn::Mask<Floats> Chosen(const std::uint16_t* words, std::uint16_t bit) {
  const Floats d;
  const auto all = load_words(d, words);
#if HWY_TARGET == HWY_AVX3
  return hn::Mask<Floats>{hn::TestBit(all, hn::Set(HalfWords<Floats>(), bit)).raw};
#else
  const Words du;
  return hn::RebindMask(d, hn::TestBit(hn::PromoteTo(du, all), hn::Set(du, bit)));
#endif
}

/// Adds a term where it is chosen.
HWY_INLINE hn::Vec<Floats> AddChosen(hn::Mask<Floats> chosen, hn::Vec<Floats> term,
                                     hn::Vec<Floats> sum) {
#if HWY_TARGET == HWY_AVX3
  sum.raw = _mm512_mask_add_ps(sum.raw, chosen.raw, sum.raw, term.raw);  // no sum is −0
#else
  sum = hn::Add(sum, hn::IfThenElseZero(chosen, term));
#endif
  return sum;
}

/// Sums of the terms of rows × columns outputs, of which rows are `pitch` apart.
template <int rows, int columns>
HWY_INLINE hn::Vec<Floats> Sum(const std::uint16_t* words, std::uint16_t bit, const float* terms,
                               std::int64_t pitch) {
  const Floats d;
  auto sum = hn::IfThenElseZero(Chosen(words, bit), hn::LoadU(d, terms));
  for (int k = 1; k < rows * columns; ++k) {
    const auto term = hn::LoadU(d, terms + k / columns * pitch + k % columns);
    sum = AddChosen(Chosen(words + k * kWordsPitch, bit), term, sum);
  }
  return sum;
}

/// The sums from i on; `rows` and `columns` are those of the sources, or -1.
template <int rows, int columns>
HWY_INLINE hn::Vec<Floats> Sum(const Sources& s, const Channel& c, std::int64_t i,
                               std::int64_t pitch) {
  const Floats d;
  const std::uint16_t* words = s.words + i;
  const float* terms = c.terms + s.terms + i;
  if constexpr (rows > 0) return Sum<rows, columns>(words, c.bit, terms, pitch);
  auto sum = hn::Zero(d);
  for (std::int64_t row = 0; row < s.rows; ++row, terms += pitch) {
    for (std::int64_t column = 0; column < s.columns; ++column, words += kWordsPitch) {
      sum = AddChosen(Chosen(words, c.bit), hn::LoadU(d, terms + column), sum);
    }
  }
  return sum;
}

/// Sums of `known` terms rounded to floats. A single term is rounded already.
template <class Scalar, int known>
HWY_INLINE hn::Vec<Floats> Finished(hn::Vec<Floats> sum) {
  const Floats d;
  if constexpr (known == 1) return sum;
  if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) sum = through_float16(d, sum);
#if HWY_TARGET == HWY_AVX3  // one instruction: NaN of any kind becomes the one, others stay
  const auto nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  sum.raw = _mm512_fixupimm_ps(nan.raw, sum.raw, _mm512_set1_epi32(0x11111100), 0);
  return sum;
#else
  return narrowed<float>(d, sum);
#endif
}

/// The same in the upper halves of lanes.
template <int known>
HWY_INLINE hn::Vec<Words> FinishedBrain(hn::Vec<Floats> sum) {
  if constexpr (known == 1) return hn::BitCast(Words(), sum);
  return hn::BitCast(Words(), rounded_bfloat16(Floats(), sum));
}

/// work(i) for vectors that make up n: the last one ends with them, or n is less than one.
template <class Work>
HWY_INLINE void for_each_end(std::int64_t n, std::int64_t step, const Work& work) {
  std::int64_t i = 0;
  for (; i + step < n; i += step) work(i);
  work(n < step ? 0 : n - step);
}

/// n sums, one after the other.
template <int rows, int columns, class Scalar>
void WriteFlat(const Sources& of, Channel c, std::int64_t pitch, std::int64_t n,
               Scalar* HWY_RESTRICT to) {
  const Floats d;
  const Sources s = of;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(Scalar) < sizeof(float)) {
    if (n >= 2 * lanes) {
      return for_each_end(n, 2 * lanes, [&](std::int64_t i) HWY_ATTR {
        const hn::Twice<HalfWords<Floats>> d16;
        const auto low = Sum<rows, columns>(s, c, i, pitch),
                   high = Sum<rows, columns>(s, c, i + lanes, pitch);
        hn::StoreU(narrowed_pair<Scalar>(d, low, high), d16,
                   reinterpret_cast<std::uint16_t*>(to + i));
      });
    }
  }
#endif
  for_each_end(n, lanes, [&](std::int64_t i) HWY_ATTR {
    const auto sum = Sum<rows, columns>(s, c, i, pitch);
    if constexpr (sizeof(Scalar) < sizeof(float)) {
      narrow_to(to + i, d, sum);
    } else {
      hn::StoreU(Finished < Scalar, rows < 0 ? rows : rows * columns > (sum), d,
                 reinterpret_cast<float*>(to + i));
    }
  });
}

/// Vectors of the sums of two remainders in turn.
template <int known_a, int known_b, class Scalar>
HWY_INLINE void StorePairs(hn::Vec<Floats> a, hn::Vec<Floats> b, Scalar* to) {
  const Floats d;
  const Words du;
  if constexpr (std::is_same_v<Scalar, BFloat16>) {
    const auto low = hn::ShiftRight<16>(FinishedBrain<known_a>(a));
    const auto high = hn::And(FinishedBrain<known_b>(b), hn::Set(du, 0xffff0000u));
    hn::StoreU(hn::Or(low, high), du, reinterpret_cast<std::uint32_t*>(to));
  } else if constexpr (std::is_same_v<Scalar, Float16>) {
    store_pairs(reinterpret_cast<std::uint16_t*>(to), hn::PromoteTo(du, narrowed<Scalar>(d, a)),
                hn::PromoteTo(du, narrowed<Scalar>(d, b)));
  } else {
    store_pairs(reinterpret_cast<std::uint32_t*>(to), hn::BitCast(du, Finished<Scalar, known_a>(a)),
                hn::BitCast(du, Finished<Scalar, known_b>(b)));
  }
}

/// The sums of two remainders in turn, n pairs.
template <class Scalar>
void WritePairs(const Sources& a, const Sources& b, const Channel& c, std::int64_t pitch,
                std::int64_t n, Scalar* to) {
  for_each_end(n, static_cast<std::int64_t>(hn::Lanes(Floats())), [&](std::int64_t i) HWY_ATTR {
    StorePairs<-1, -1>(Sum<-1, -1>(a, c, i, pitch), Sum<-1, -1>(b, c, i, pitch), to + 2 * i);
  });
}

/// Pairs of rows of pairs of columns: windows of 2 or 3 at stride 2, whose kernel positions' words
/// lie in the order of the sums. Of its two rows (columns), a pair has terms of `low` and of `high`
/// outputs, the latter from its output `high_first` on.
template <class Scalar>
struct RowPairs {
  std::int64_t first, count;    ///< sum of the first pair, and how many there are
  std::int64_t columns, pitch;  ///< column pairs, and sums from one pair of rows to the next
  Sources sources;              ///< of the first sum
  Scalar* to;
  std::int64_t row;  ///< scalars from a row to the next
};

template <int low, int high, int high_first, class Scalar>
void WriteQuads(const Channel& c, const RowPairs<Scalar>& r) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  constexpr std::int64_t kLowHigh = low * low * kWordsPitch,
                         kHighLow = kLowHigh + low * high * kWordsPitch,
                         kHighHigh = kHighLow + high * low * kWordsPitch;
  const std::int64_t pitch = r.pitch;
  const std::uint16_t bit = c.bit;
  for (std::int64_t pair = 0; pair < r.count; ++pair) {
    Scalar* HWY_RESTRICT to = r.to + 2 * pair * r.row;
    const std::int64_t first = r.first + pair * pitch;
    // The last vector first: what it spoils behind its row is written later.
    const std::int64_t last = std::max<std::int64_t>(0, r.columns - lanes);
    for (std::int64_t j = last, next = 0;; j = next, next += lanes) {
      const std::uint16_t* HWY_RESTRICT words = r.sources.words + first + j;
      const float* HWY_RESTRICT terms = c.terms + r.sources.terms + first + j;
      StorePairs<low * low, low * high>(
          Sum<low, low>(words, bit, terms, pitch),
          Sum<low, high>(words + kLowHigh, bit, terms + high_first, pitch), to + 2 * j);
      terms += high_first * pitch;
      StorePairs<high * low, high * high>(
          Sum<high, low>(words + kHighLow, bit, terms, pitch),
          Sum<high, high>(words + kHighHigh, bit, terms + high_first, pitch), to + r.row + 2 * j);
      if (next >= last) break;
    }
  }
}

// The usual counts are known to the compiler, which then needs no register for any address.
template <class Scalar>
void WriteFlat(const Sources& s, const Channel& c, std::int64_t pitch, std::int64_t n, Scalar* to) {
  if (s.rows == 3 && s.columns == 3) return WriteFlat<3, 3>(s, c, pitch, n, to);
  if (s.rows == 5 && s.columns == 5) return WriteFlat<5, 5>(s, c, pitch, n, to);
  WriteFlat<-1, -1>(s, c, pitch, n, to);
}

/// The same for a kernel of 2 or 3, and its padding.
template <class Scalar>
void WriteQuads(std::int64_t kernel, std::int64_t padding, const Channel& c,
                const RowPairs<Scalar>& r) {
  if (kernel == 2) return WriteQuads<1, 1, 0>(c, r);
  if (padding == 1) return WriteQuads<1, 2, 0>(c, r);
  WriteQuads<2, 1, 1>(c, r);
}

}  // namespace gradproof::kernels::mask_slab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_SIMD_MASK_SLAB_INL_H_
