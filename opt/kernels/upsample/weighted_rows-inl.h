// Weighted sums of rows in float, terms in the order given: long vectors along the rows.
#include <algorithm>

#include "hwy/highway.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_WEIGHTED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_WEIGHTED_ROWS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_WEIGHTED_ROWS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_WEIGHTED_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

inline constexpr std::size_t kFused = 4;  ///< rows that go into a sum while it is in a register

/// One vector of each of `terms` rows, whose weights are w[0..terms). `fresh`: there is no sum yet.
template <std::size_t terms, bool fresh, class V, class Scalar>
HWY_INLINE void weigh_vector(float* sums, const Scalar* const (&rows)[kFused], V w0, V w1, V w2,
                             V w3, std::size_t i) {
  const Floats d;
  auto sum = hn::Mul(w0, widen_from(d, rows[0] + i));
  if constexpr (!fresh) sum = hn::Add(hn::LoadU(d, sums + i), sum);
  if constexpr (terms > 1) sum = hn::Add(sum, hn::Mul(w1, widen_from(d, rows[1] + i)));
  if constexpr (terms > 2) sum = hn::Add(sum, hn::Mul(w2, widen_from(d, rows[2] + i)));
  if constexpr (terms > 3) sum = hn::Add(sum, hn::Mul(w3, widen_from(d, rows[3] + i)));
  hn::StoreU(sum, d, sums + i);
}

template <std::size_t terms, bool fresh, class Scalar>
HWY_INLINE void weigh(float* sums, std::size_t n, const Scalar* const (&rows)[kFused],
                      const float (&weights)[kFused]) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto w0 = hn::Set(d, weights[0]), w1 = hn::Set(d, weights[1]), w2 = hn::Set(d, weights[2]),
             w3 = hn::Set(d, weights[3]);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    // Rows are too short for the processor to foresee the next one; those before the last two of a
    // sum have mostly been in another. One by one: many at once would wait for each other.
    constexpr std::size_t kAhead = 4096 / sizeof(Scalar);
    prefetch(rows[terms - 1] + i + kAhead);
    if constexpr (terms > 1) prefetch(rows[terms - 2] + i + kAhead);
    weigh_vector<terms, fresh>(sums, rows, w0, w1, w2, w3, i);
  }
  if (i == n) return;
  // Nothing may be read behind a row's end.
  Scalar tails[kFused][kMostFloats] = {};
  const Scalar* ends[kFused] = {};
  float last[kMostFloats] = {};
  for (std::size_t t = 0; t < terms; ++t) {
    std::copy_n(rows[t] + i, n - i, tails[t]);
    ends[t] = tails[t];
  }
  if constexpr (!fresh) std::copy_n(sums + i, n - i, last);
  weigh_vector<terms, fresh>(last, ends, w0, w1, w2, w3, 0);
  std::copy_n(last, n - i, sums + i);
}

/// Not inlined: with eight loops in each place of use, the sanitizers' build of one file took
/// minutes.
template <bool fresh, class Scalar>
HWY_NOINLINE void weigh(float* sums, std::size_t n, const Scalar* const (&rows)[kFused],
                        const float (&weights)[kFused], std::size_t terms) {
  switch (terms) {
    case 1: return weigh<1, fresh>(sums, n, rows, weights);
    case 2: return weigh<2, fresh>(sums, n, rows, weights);
    case 3: return weigh<3, fresh>(sums, n, rows, weights);
    default: return weigh<4, fresh>(sums, n, rows, weights);
  }
}

/// sums[i] = Σ weight(e) · row(e)[i] over e of [first, last), which is not empty, for i < n.
template <class Scalar, class RowOf>
HWY_INLINE void weigh_rows(float* sums, std::size_t n, std::int64_t first, std::int64_t last,
                           const RowOf& row, const float* weights) {
  for (std::int64_t e = first; e < last; e += kFused) {
    const std::size_t terms = static_cast<std::size_t>(std::min<std::int64_t>(kFused, last - e));
    const Scalar* rows[kFused] = {};
    float factors[kFused] = {};
    for (std::size_t t = 0; t < terms; ++t) {
      rows[t] = row(e + static_cast<std::int64_t>(t));
      factors[t] = weights[e + static_cast<std::int64_t>(t)];
    }
    if (e == first) {
      weigh<true>(sums, n, rows, factors, terms);
    } else {
      weigh<false>(sums, n, rows, factors, terms);
    }
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_WEIGHTED_ROWS_INL_H_
