// Columns of gradInput from rows of windows, of select_pairs.h.
//
// Each column gets its window's term if the index is the column's position, else 0. Float columns
// have a lane each: a vector of windows is two vectors of columns. 16-bit columns share the lane of
// their window.
#include "opt/kernels/index_pool/select_pairs.h"
#include "opt/kernels/vector/column_pairs-inl.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_INDEX_POOL_SELECT_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_INDEX_POOL_SELECT_PAIRS_INL_H_
#undef GRADPROOF_KERNELS_INDEX_POOL_SELECT_PAIRS_INL_H_
#else
#define GRADPROOF_KERNELS_INDEX_POOL_SELECT_PAIRS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::select_pairs::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// Eight with AVX-512, too: rows are whole vectors of columns more often.
using Windows = hn::CappedTag<std::uint32_t, kVector>;

/// The rows of gradInput that a row of windows reaches.
template <class Scalar>
struct Rows {
  std::int64_t count = 0;
  std::uint32_t
      place[kMostSlices * kMostRows];  ///< of a row's first position, from the first row's
  Scalar* to[kMostSlices * kMostRows];
};

/// Writes a vector of words; streams it in pieces, without those of the first `skip` words. On
/// instruction sets that are not named here, a vector has 16 bytes.
template <int piece>
HWY_INLINE void write_words(hn::Vec<Windows> words, std::uint32_t* to, std::int64_t skip) {
  const Windows d;
  if constexpr (piece == 0) {
    hn::StoreU(words, d, to);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  } else if constexpr (piece == 16) {
    const hn::Half<Windows> half;
    if (skip <= 0) stream_vector(half, hn::LowerHalf(half, words), to);
    if (skip <= 4) stream_vector(half, hn::UpperHalf(half, words), to + 4);
#elif HWY_HAVE_SCALABLE  // streams are stores, and a vector may be one piece or two
  } else if constexpr (piece == 16) {
    hn::StoreU(words, d, to);
#endif
  } else {
    if (skip <= 0) stream_vector(d, words, to);
  }
}

/// All bits in lanes that are equal, none in the others. A vector and not a mask: with AVX-512,
/// fewer units of the processor combine masks.
HWY_INLINE hn::Vec<Windows> EqualLanes(hn::Vec<Windows> a, hn::Vec<Windows> b) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<Windows>{_mm256_cmpeq_epi32(a.raw, b.raw)};
#else
  return hn::VecFromMask(Windows(), hn::Eq(a, b));
#endif
}

/// The left terms where `left` has bits, the right ones where `right` has, else 0.
HWY_INLINE hn::Vec<Windows> ChosenTerms(hn::Vec<Windows> left, hn::Vec<Windows> left_terms,
                                        hn::Vec<Windows> right, hn::Vec<Windows> right_terms) {
  const auto chosen = hn::And(right, right_terms);
#if HWY_TARGET == HWY_AVX3  // as one instruction of three operands, rows take 1.06 times as long
  return hn::Or(hn::And(left, left_terms), chosen);
#else
  return hn::IfVecThenElse(left, left_terms, chosen);
#endif
}

/// How many lanes have all bits, without the first `skip`.
HWY_INLINE std::int64_t count_after(std::int64_t skip, hn::Vec<Windows> found) {
  const Windows d;
  const hn::RebindToSigned<Windows> di;
  auto counted = hn::MaskFromVec(found);
  if (skip > 0) {
    const auto first = hn::Set(di, static_cast<std::int32_t>(skip));
    counted = hn::And(counted, hn::RebindMask(d, hn::Gt(hn::Iota(di, 1), first)));
  }
  return static_cast<std::int64_t>(hn::CountTrue(d, counted));
}

/// Writes the columns of a vector of windows, from `column` on, in all rows. `position` is that of
/// the first column in the first row. The first `skip` windows were written before. Returns how
/// many of the other windows have their index in one of the rows. `known`: how many rows there are,
/// or 0.
template <int piece, int known>
HWY_INLINE std::int64_t select(const Rows<float>& rows, std::int64_t column,
                               const std::int32_t* index, const float* grad, std::uint32_t position,
                               std::int64_t skip) {
  const Windows d;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  const auto lower = hn::IndicesFromVec(d, hn::ShiftRight<1>(hn::Iota(d, 0)));
  const auto upper = hn::IndicesFromVec(d, hn::ShiftRight<1>(hn::Iota(d, lanes)));
  const auto indices = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(index));
  const auto terms = single_terms(d, grad);
  const auto low_terms = hn::TableLookupLanes(terms, lower);
  const auto high_terms = hn::TableLookupLanes(terms, upper);
  const auto first = hn::Add(hn::Set(d, position), hn::Iota(d, 0));
  const auto low = hn::Sub(hn::TableLookupLanes(indices, lower), first);
  const auto high =
      hn::Sub(hn::TableLookupLanes(indices, upper), hn::Add(first, hn::Set(d, lanes)));
  auto low_found = hn::Zero(d), high_found = low_found;
  const std::int64_t count = known > 0 ? known : rows.count;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto place = hn::Set(d, rows.place[k]);
    const auto in_low = EqualLanes(low, place), in_high = EqualLanes(high, place);
    low_found = hn::Or(low_found, in_low);
    high_found = hn::Or(high_found, in_high);
    auto* to = reinterpret_cast<std::uint32_t*>(rows.to[k]) + column;
    write_words<piece>(hn::And(in_low, low_terms), to, 2 * skip);
    write_words<piece>(hn::And(in_high, high_terms), to + lanes, 2 * skip - lanes);
  }
  return count_after(2 * skip, low_found) + count_after(2 * skip - lanes, high_found);
}
template <int piece, int known, class Scalar>
HWY_INLINE std::int64_t select(const Rows<Scalar>& rows, std::int64_t column,
                               const std::int32_t* index, const Scalar* grad,
                               std::uint32_t position, std::int64_t skip) {
  const Windows d;
  const auto left_terms = single_terms(d, grad), right_terms = hn::ShiftLeft<16>(left_terms);
  const auto first = hn::Add(hn::Set(d, position), hn::ShiftLeft<1>(hn::Iota(d, 0)));
  const auto places = hn::Sub(hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(index)), first);
  auto found = hn::Zero(d);
  const std::int64_t count = known > 0 ? known : rows.count;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto left = EqualLanes(places, hn::Set(d, rows.place[k]));
    const auto right = EqualLanes(places, hn::Set(d, rows.place[k] + 1));
    found = hn::Or(found, hn::Or(left, right));
    const auto both = ChosenTerms(left, left_terms, right, right_terms);
    write_words<piece>(both, reinterpret_cast<std::uint32_t*>(rows.to[k] + column), skip);
  }
  return count_after(skip, found);
}

/// Writes all columns of n rows of windows. `to` and `position` are those of the first one. Returns
/// how many of the windows have their index in a row that they reach.
template <int piece, int known, class Scalar>
HWY_NOINLINE std::int64_t SelectRows(const MaxPool3dBackwardGeometry& g, Rows<Scalar> to,
                                     const std::int32_t* index, const Scalar* grad,
                                     std::uint32_t position, std::int64_t n) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Windows()));
  const std::int64_t windows = g.out.w, pitch = g.stride.h * g.in.w;
  const std::int64_t index_pitch = g.indices.h, grad_pitch = g.grad_output.h;
  const std::int64_t rows = known > 0 ? known : to.count;
  std::int64_t found = 0;
  const auto select_at = [&](std::int64_t i, std::int64_t skip) HWY_ATTR {
    found += select<piece, known>(to, 2 * i, index + i, grad + i,
                                  position + static_cast<std::uint32_t>(2 * i), skip);
  };
  for (std::int64_t row = 0; row < n; ++row) {
    std::int64_t i = 0;
    for (; i + lanes <= windows; i += lanes) select_at(i, 0);
    if (i < windows) select_at(windows - lanes, i - (windows - lanes));
    index += index_pitch;
    grad += grad_pitch;
    position += static_cast<std::uint32_t>(pitch);
    for (std::int64_t k = 0; k < rows; ++k) to.to[k] += pitch;
  }
  return found;
}

}  // namespace gradproof::kernels::index_pool::select_pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_INDEX_POOL_SELECT_PAIRS_INL_H_
