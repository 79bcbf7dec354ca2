// Vectors of sums of terms that words select: from scalars to terms, and from sums to scalars.
#include <cmath>

#include "opt/kernels/mask_pool/gather_rows.h"
#include "opt/kernels/mask_pool/words-inl.h"
#include "opt/kernels/vector/column_pairs-inl.h"
#include "opt/kernels/vector/strided-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_GATHER_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_GATHER_ROWS_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_GATHER_ROWS_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_GATHER_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// Whether there are loops for sums of finite terms, which are not tested for NaN (quads-inl.h).
template <class Scalar>
inline constexpr bool kFiniteSums = HWY_TARGET == HWY_AVX2 ||
                                    (HWY_TARGET == HWY_AVX3 &&
                                     !std::is_same_v<Scalar, FloatViaFloat16>);

/// The terms of outputs [0, n) of a row as sums of one term each: 0 for −0, the one NaN for any
/// NaN. So a sum may begin with a term. Returns whether all are finite; false if that is not used.
template <class Scalar>
bool LoadTerms(const Scalar* grad, std::int64_t stride, std::int64_t n, float* terms) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (n < lanes) {
    bool finite = kFiniteSums<Scalar>;
    for (std::int64_t i = 0; i < n; ++i) {
      narrow(0 + widen(grad[i * stride]), terms[i]);
      finite = finite && std::isfinite(terms[i]);
    }
    return finite;
  }
  const Words du;
  auto most = hn::Zero(du);  // of their magnitudes' bits
  const auto load = [&](std::int64_t i) HWY_ATTR {
    const auto* stored = reinterpret_cast<const Stored<Scalar>*>(grad);
    const std::size_t at = static_cast<std::size_t>(i);
    auto x = stride == 1 ? load_positions<true>(d, stored, at, 1)
                         : load_positions<false>(d, stored, at, stride);
    if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) x = through_float16(d, x);
    x = hn::Add(hn::Zero(d), x);
    if constexpr (kFiniteSums<Scalar>) {
      most = hn::Max(most, hn::ShiftLeft<1>(hn::BitCast(du, x)));
    } else {
      x = narrowed<float>(d, x);
    }
    hn::StoreU(x, d, terms + i);
  };
  for (std::int64_t i = 0; i + lanes <= n; i += lanes) load(i);
  load(n - lanes);  // some of them again, if a vector remains that is not whole
  if constexpr (!kFiniteSums<Scalar>) return false;
  const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  if (hn::AllTrue(d, hn::Lt(hn::BitCast(d, hn::ShiftRight<1>(most)), infinity))) return true;
  for (std::int64_t i = 0; i < n; ++i) narrow(terms[i], terms[i]);
  return false;
}

/// Where sums get their terms: from `rows` × `columns` neighbouring outputs, in ascending position.
/// The words of each output begin kWordsPitch after those of the one before.
struct Sources {
  const std::uint16_t* words = nullptr;  ///< of the first output, for the block's first sum
  std::int64_t terms = 0;                ///< of the same, from the channel's first term
  std::int64_t rows = 0, columns = 0;
};

/// A channel of a tile.
struct Channel {
  const float* terms;
  std::uint16_t bit;    ///< in each word
  bool finite = false;  ///< all terms are, and it is used
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

/// Adds a term that is 0 in lanes that are not chosen.
HWY_INLINE hn::Vec<Floats> AddTerm(hn::Vec<Floats> term, hn::Vec<Floats> sum) {
  return hn::Add(sum, term);
}

/// Adds a term where it is chosen.
HWY_INLINE hn::Vec<Floats> AddChosen(hn::Mask<Floats> chosen, hn::Vec<Floats> term,
                                     hn::Vec<Floats> sum) {
#if HWY_TARGET == HWY_AVX3
  sum.raw = _mm512_mask_add_ps(sum.raw, chosen.raw, sum.raw, term.raw);  // no sum is −0
#else
  sum = AddTerm(hn::IfThenElseZero(chosen, term), sum);
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
  return one_nan(d, sum);
}

/// The same in the upper halves of lanes.
template <int known, bool finite = false>
HWY_INLINE hn::Vec<Words> FinishedBrain(hn::Vec<Floats> sum) {
  if constexpr (known == 1) return hn::BitCast(Words(), sum);
  return hn::BitCast(Words(), rounded_bfloat16<finite>(Floats(), sum));
}

/// work(i) for vectors that make up n: the last one ends with them, or n is less than one.
template <class Work>
HWY_INLINE void for_each_end(std::int64_t n, std::int64_t step, const Work& work) {
  std::int64_t i = 0;
  for (; i + step < n; i += step) work(i);
  work(n < step ? 0 : n - step);
}

/// n sums, one after the other: sum(i) is a vector of those from i on. It is called with ascending
/// i, but for the last one. `known`: how many terms each sum has, or less than 0.
template <int known, class Scalar, class Sum>
HWY_INLINE void WriteSums(std::int64_t n, Scalar* HWY_RESTRICT to, const Sum& sum) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(Scalar) < sizeof(float)) {
    if (n >= 2 * lanes) {
      return for_each_end(n, 2 * lanes, [&](std::int64_t i) HWY_ATTR {
        const hn::Twice<HalfWords<Floats>> d16;
        const auto low = sum(i), high = sum(i + lanes);
        hn::StoreU(narrowed_pair<Scalar>(d, low, high), d16,
                   reinterpret_cast<std::uint16_t*>(to + i));
      });
    }
  }
#endif
  for_each_end(n, lanes, [&](std::int64_t i) HWY_ATTR {
    if constexpr (sizeof(Scalar) < sizeof(float)) {
      narrow_to(to + i, d, sum(i));
    } else {
      hn::StoreU(Finished<Scalar, known>(sum(i)), d, reinterpret_cast<float*>(to + i));
    }
  });
}

template <int rows, int columns, class Scalar>
void WriteFlat(const Sources& of, Channel c, std::int64_t pitch, std::int64_t n, Scalar* to) {
  const Sources s = of;
  WriteSums<(rows < 0 ? rows : rows * columns)>(
      n, to, [&](std::int64_t i) HWY_ATTR { return Sum<rows, columns>(s, c, i, pitch); });
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

// The usual counts are known to the compiler, which then needs no register for any address.
template <class Scalar>
void WriteFlat(const Sources& s, const Channel& c, std::int64_t pitch, std::int64_t n, Scalar* to) {
  if (s.rows == 3 && s.columns == 3) return WriteFlat<3, 3>(s, c, pitch, n, to);
  if (s.rows == 5 && s.columns == 5) return WriteFlat<5, 5>(s, c, pitch, n, to);
  WriteFlat<-1, -1>(s, c, pitch, n, to);
}

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_GATHER_ROWS_INL_H_
