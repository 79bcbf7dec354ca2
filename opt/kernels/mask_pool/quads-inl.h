// Pairs of rows of pairs of columns of gather_rows.h: windows of 2 or 3 at stride 2.
//
// With AVX2, words share lanes (halves-inl.h). With AVX2 and AVX-512, sums are tested for NaN only
// where a term is not finite, and vectors are streamed as they are finished: bursts of buffered
// stores stall.
#include "opt/kernels/mask_pool/quad_stores-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {

/// If vectors of sums are streamed, each row has a multiple of so many sums: a vector with AVX2,
/// half a vector with AVX-512, whose halves may belong to two rows.
inline constexpr std::int64_t kStreamedSums = 8;

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

/// The sums of vectors of quads.
template <int low, int high, int high_first>
struct Quads {
  static constexpr int kLowHigh = low * low, kHighLow = kLowHigh + low * high,
                       kHighHigh = kHighLow + high * low, kAll = kHighHigh + high * high;
  using Words = PairedWords<kAll>;
  using Terms = QuadTerms<std::max(low, high)>;
  template <int terms>
  using Known = std::integral_constant<int, terms>;

  /// store(row, known_a, known_b, a, b) gets the pairs of sums of the first and of the second row,
  /// and how many terms each sum has.
  template <class Store>
  static HWY_INLINE void add(const Words& words, const Terms& terms, const Store& store) {
    store(0, Known<low * low>(), Known<low * high>(), QuadSum<low, low, 0, 0, 0>(words, terms),
          QuadSum<low, high, 0, high_first, kLowHigh>(words, terms));
    store(1, Known<high * low>(), Known<high * high>(),
          QuadSum<high, low, high_first, 0, kHighLow>(words, terms),
          QuadSum<high, high, high_first, high_first, kHighHigh>(words, terms));
  }
};

/// Where a channel's sums get their words and terms.
template <class Quads>
struct QuadInputs {
  template <class Scalar>
  HWY_INLINE QuadInputs(const Channel& c, const RowPairs<Scalar>& r)
      : bit(c.bit), words(r.sources.words), terms(c.terms + r.sources.terms), pitch(r.pitch) {}

  HWY_INLINE typename Quads::Words words_at(std::int64_t sum) const {
    return {words + kWordsOfLane * sum, bit};
  }
  HWY_INLINE typename Quads::Terms terms_at(std::int64_t sum) const { return {terms + sum, pitch}; }

  ChannelBit bit;
  const std::uint16_t* HWY_RESTRICT words;
  const float* HWY_RESTRICT terms;
  std::int64_t pitch;
};

/// Down all rows, vector by vector: the lower row of a pair's terms is the upper row of the next
/// pair's. The last vector of the rows comes first, because it overwrites the beginning of the
/// next row, which is written later.
template <bool finite, class Quads, class Scalar>
void StoreRows(const Channel& c, const RowPairs<Scalar>& r) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const std::int64_t pitch = r.pitch, row = r.row;
  const QuadInputs<Quads> inputs(c, r);
  const std::int64_t last = std::max<std::int64_t>(0, r.columns - lanes);
  for (std::int64_t j = last, next = 0;; j = next, next += lanes) {
    auto terms = inputs.terms_at(r.first + j);
    Scalar* HWY_RESTRICT to = r.to + 2 * j;
    for (std::int64_t pair = 0, sum = r.first + j; pair < r.count; ++pair, sum += pitch) {
      Quads::add(inputs.words_at(sum), terms,
                 [&](int of, auto known_a, auto known_b, auto a, auto b) HWY_ATTR {
                   StoreQuads<known_a(), known_b(), finite, false>(a, b, to + of * row);
                 });
      terms.advance();
      to += 2 * row;
    }
    if (next >= last) break;
  }
}

#if HWY_TARGET == HWY_AVX2
/// Finite sums, row by row.
template <class Quads, class Scalar>
void StreamRows(const Channel& c, const RowPairs<Scalar>& r) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const std::int64_t pitch = r.pitch, row = r.row;
  const QuadInputs<Quads> inputs(c, r);
  for (std::int64_t pair = 0; pair < r.count; ++pair) {
    for (std::int64_t j = 0; j < r.columns; j += lanes) {
      const std::int64_t sum = r.first + pair * pitch + j;
      Scalar* HWY_RESTRICT to = r.to + 2 * (pair * row + j);
      Quads::add(inputs.words_at(sum), inputs.terms_at(sum),
                 [&](int of, auto known_a, auto known_b, auto a, auto b) HWY_ATTR {
                   StoreQuads<known_a(), known_b(), true, true>(a, b, to + of * row);
                 });
    }
  }
}

#elif HWY_TARGET == HWY_AVX3
/// Finite sums, as one run of them: no lane is empty where a row ends with half of a vector.
template <class Quads, class Scalar>
void StreamRows(const Channel& c, const RowPairs<Scalar>& r) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const std::int64_t pitch = r.pitch, row = r.row, all = r.count * pitch;
  const QuadInputs<Quads> inputs(c, r);
  Scalar* to = r.to;
  std::int64_t column = 0;
  const auto next_half = [&] {
    Scalar* const half = to;
    to += 2 * kStreamedSums;
    column += kStreamedSums;
    if (column == pitch) {
      column = 0;
      to += row;
    }
    return half;
  };
  for (std::int64_t i = 0; i < all; i += lanes) {
    const std::int64_t sum = r.first + i;
    Scalar* const first = next_half();
    Scalar* const second = i + kStreamedSums < all ? next_half() : nullptr;
    Quads::add(inputs.words_at(sum), inputs.terms_at(sum),
               [&](int of, auto known_a, auto known_b, auto a, auto b) HWY_ATTR {
                 PairHalves<Scalar, known_a(), known_b()>(a, b, [&](auto low, auto high) HWY_ATTR {
                   const hn::DFromV<decltype(low)> d;
                   stream_vector(d, low, first + of * row);
                   if (second != nullptr) stream_vector(d, high, second + of * row);
                 });
               });
  }
}
#endif

template <class Quads, class Scalar>
void WriteQuads(const Channel& c, const RowPairs<Scalar>& r) {
  if constexpr (kFiniteSums<Scalar>) {
    if (c.finite && r.stream) return StreamRows<Quads>(c, r);
    if (c.finite) return StoreRows<true, Quads>(c, r);
  }
  StoreRows<false, Quads>(c, r);
}

/// The same for a kernel of 2 or 3, and its padding.
template <class Scalar>
void WriteQuads(std::int64_t kernel, std::int64_t padding, const Channel& c,
                const RowPairs<Scalar>& r) {
  if (kernel == 2) return WriteQuads<Quads<1, 1, 0>>(c, r);
  if (padding == 1) return WriteQuads<Quads<1, 2, 0>>(c, r);
  WriteQuads<Quads<2, 1, 1>>(c, r);
}

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_QUADS_INL_H_
