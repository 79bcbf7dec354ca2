// Pairs of rows of pairs of columns of gather_rows.h: windows of 2 or 3 at stride 2.
//
// With AVX2, words share lanes (halves-inl.h), and sums are tested for NaN only where a term is not
// finite. Whole vectors are streamed as they are finished: bursts of buffered stores stall.
#include "opt/kernels/mask_pool/halves-inl.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {

/// The two rows (columns) of a pair have terms of `low` and of `high` outputs, the latter from
/// output `high_first` on. The words of kernel positions are in the order of the sums.
template <class Scalar>
struct RowPairs {
  std::int64_t first, count;    ///< sum of the first pair, and how many there are
  std::int64_t columns, pitch;  ///< column pairs, and sums from one pair of rows to the next
  Sources sources;              ///< of the first sum
  Scalar* to;
  std::int64_t row;     ///< scalars from a row to the next
  bool stream = false;  ///< vectors are whole and aligned, and gradInput is too large for caches
};

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
#else
template <int known_a, int known_b, bool finite, bool stream, class Scalar>
HWY_INLINE void StoreQuads(hn::Vec<Floats> a, hn::Vec<Floats> b, Scalar* to) {
  StorePairs<known_a, known_b>(a, b, to);
}
#endif

#if HWY_TARGET == HWY_AVX3
/// The terms of n × n outputs, each loaded once, because most of these vectors span two lines.
template <int n>
class QuadTerms {
 public:
  HWY_INLINE QuadTerms(const float* first, std::int64_t pitch) : next_(first), pitch_(pitch) {
    for (int row = 0; row < n; ++row) load(row);
  }
  /// Moves to the outputs one row below.
  HWY_INLINE void advance() {
    for (int column = 0; column < n; ++column) at[0][column] = at[n - 1][column];
    load(n - 1);
  }

  hn::Vec<Floats> at[n][n];

 private:
  HWY_INLINE void load(int row) {
    for (int column = 0; column < n; ++column) {
      at[row][column] = hn::LoadU(Floats(), next_ + column);
    }
    next_ += pitch_;
  }

  const float* next_;
  std::int64_t pitch_;
};

/// Sums of the terms of rows × columns outputs, the first of which is at row, column; their words
/// are those of kernel positions from `first` on.
template <int rows, int columns, int row, int column, int first, int all, int n>
HWY_INLINE hn::Vec<Floats> QuadSum(const PairedWords<all>& words, const QuadTerms<n>& terms) {
  const auto chosen = [&](int k) HWY_ATTR {
    return Chosen(words.words + (first + k) * kWordsPitch, words.bit);
  };
  auto sum = hn::IfThenElseZero(chosen(0), terms.at[row][column]);
  for (int k = 1; k < rows * columns; ++k) {
    sum = AddChosen(chosen(k), terms.at[row + k / columns][column + k % columns], sum);
  }
  return sum;
}
#else
/// The same in memory: other instruction sets have too few registers.
template <int n>
struct QuadTerms {
  const float* first;
  std::int64_t pitch;
  HWY_INLINE void advance() { first += pitch; }
};
template <int rows, int columns, int row, int column, int first, int all, int n>
HWY_INLINE hn::Vec<Floats> QuadSum(const PairedWords<all>& words, const QuadTerms<n>& terms) {
  return PairedSum<rows, columns, first>(words, terms.first + row * terms.pitch + column,
                                         terms.pitch);
}
#endif

template <int low, int high, int high_first, bool finite, bool stream, class Scalar>
void WriteQuads(const Channel& c, const RowPairs<Scalar>& r) {
  using Terms = QuadTerms<std::max(low, high)>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  constexpr int kLowHigh = low * low, kHighLow = kLowHigh + low * high,
                kHighHigh = kHighLow + high * low, kAll = kHighHigh + high * high;
  const std::int64_t pitch = r.pitch, row = r.row;
  const ChannelBit bit(c.bit);
  const std::uint16_t* HWY_RESTRICT all_words = r.sources.words;
  const float* HWY_RESTRICT all_terms = c.terms + r.sources.terms;
  const auto write = [&](std::int64_t sum, const Terms& terms, Scalar* HWY_RESTRICT to) HWY_ATTR {
    const PairedWords<kAll> words{all_words + kWordsOfLane * sum, bit};
    StoreQuads<low * low, low * high, finite, stream>(
        QuadSum<low, low, 0, 0, 0>(words, terms),
        QuadSum<low, high, 0, high_first, kLowHigh>(words, terms), to);
    StoreQuads<high * low, high * high, finite, stream>(
        QuadSum<high, low, high_first, 0, kHighLow>(words, terms),
        QuadSum<high, high, high_first, high_first, kHighHigh>(words, terms), to + row);
  };
  const std::int64_t last = std::max<std::int64_t>(0, r.columns - lanes);
  if constexpr (stream) {
    for (std::int64_t pair = 0; pair < r.count; ++pair) {
      Scalar* HWY_RESTRICT to = r.to + 2 * pair * row;
      const std::int64_t first = r.first + pair * pitch;
      for (std::int64_t j = 0; j <= last; j += lanes) {
        write(first + j, Terms{all_terms + first + j, pitch}, to + 2 * j);
      }
    }
    return;
  }
  // Down all rows, vector by vector: the lower row of a pair's terms is the upper row of the next
  // pair's. The last vector of the rows comes first, because it overwrites the beginning of the
  // next row, which is written later.
  for (std::int64_t j = last, next = 0;; j = next, next += lanes) {
    Terms terms{all_terms + r.first + j, pitch};
    Scalar* HWY_RESTRICT to = r.to + 2 * j;
    for (std::int64_t pair = 0, sum = r.first + j; pair < r.count; ++pair, sum += pitch) {
      write(sum, terms, to);
      terms.advance();
      to += 2 * row;
    }
    if (next >= last) break;
  }
}

template <int low, int high, int high_first, class Scalar>
void WriteQuads(const Channel& c, const RowPairs<Scalar>& r) {
  if constexpr (kPairedWords) {
    if (c.finite && r.stream) return WriteQuads<low, high, high_first, true, true>(c, r);
    if (c.finite) return WriteQuads<low, high, high_first, true, false>(c, r);
  }
  WriteQuads<low, high, high_first, false, false>(c, r);
}

/// The same for a kernel of 2 or 3, and its padding.
template <class Scalar>
void WriteQuads(std::int64_t kernel, std::int64_t padding, const Channel& c,
                const RowPairs<Scalar>& r) {
  if (kernel == 2) return WriteQuads<1, 1, 0>(c, r);
  if (padding == 1) return WriteQuads<1, 2, 0>(c, r);
  WriteQuads<2, 1, 1>(c, r);
}

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
