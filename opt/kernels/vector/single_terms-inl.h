// 16-bit scalars that need no sums: where no two terms share an element, gradInput is the terms.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_SINGLE_TERMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_SINGLE_TERMS_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_SINGLE_TERMS_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_SINGLE_TERMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

using LineOfWords = hn::CappedTag<std::uint16_t, kLine / sizeof(std::uint16_t)>;

/// The sum of all lanes.
HWY_INLINE std::int64_t total_of(hn::Vec<LineOfWords> counts) {
  const LineOfWords d;
  std::uint16_t lanes[kLine / sizeof(std::uint16_t)];
  hn::StoreU(counts, d, lanes);
  return std::accumulate(lanes, lanes + hn::Lanes(d), std::int64_t{0});
}

/// `counts`, one more in each lane where x is 0.
HWY_INLINE hn::Vec<LineOfWords> count_zeros(hn::Vec<LineOfWords> counts, hn::Vec<LineOfWords> x) {
  const LineOfWords d;
  return hn::Sub(counts, hn::VecFromMask(d, hn::Eq(x, hn::Zero(d))));
}

/// The rounded sum of a single term x: x itself, but 0 for −0, and the one NaN for any NaN.
template <class Scalar, class D>
HWY_INLINE hn::Vec<D> only_term(D d, hn::Vec<D> x) {
  constexpr std::int16_t kInfinity = std::is_same_v<Scalar, Float16> ? 0x7c00 : 0x7f80;
  constexpr std::int16_t kNan = std::is_same_v<Scalar, Float16> ? 0x7e00 : 0x7fc0;
  const hn::RebindToSigned<D> di;
  const auto magnitude = hn::BitCast(di, hn::And(x, hn::Set(d, 0x7fff)));
  const auto value = hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, kInfinity)), hn::Set(di, kNan),
                                    hn::BitCast(di, x));
  return hn::BitCast(d, hn::IfThenElseZero(hn::Gt(magnitude, hn::Zero(di)), value));
}

/// The rounded results of n < 65536 terms, `stride` apart, and how many of them are not 0.
/// `finished` has room for whole lines.
template <class Scalar>
HWY_INLINE std::int64_t finish_terms(const Scalar* terms, std::int64_t stride, std::int64_t n,
                                     std::uint16_t* HWY_RESTRICT finished) {
  const LineOfWords d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t whole = stride == 1 ? n / lanes * lanes : 0;
  const std::int64_t padded = (n + lanes - 1) / lanes * lanes;
  for (std::int64_t i = whole; i < n; ++i)
    std::memcpy(finished + i, terms + i * stride, sizeof(std::uint16_t));
  std::fill(finished + n, finished + padded, std::uint16_t{0});
  hn::Vec<LineOfWords> zeros = hn::Zero(d);
  for (std::int64_t i = 0; i < padded; i += lanes) {
    const auto* from = i < whole ? reinterpret_cast<const std::uint16_t*>(terms) : finished;
    const auto x = only_term<Scalar>(d, hn::LoadU(d, from + i));
    hn::StoreU(x, d, finished + i);
    zeros = count_zeros(zeros, x);
  }
  return padded - total_of(zeros);
}

/// Moves n rounded results to `to`, leaving 0. Returns how many of them were not 0.
template <class Scalar>
std::int64_t move_finished(std::uint16_t* HWY_RESTRICT finished, std::int64_t n,
                           Scalar* HWY_RESTRICT to, bool streaming) {
  const LineOfWords d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t count = 0;
  const auto part_line = [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) count += finished[i] != 0;
    const std::size_t bytes = static_cast<std::size_t>(end - first) * sizeof(std::uint16_t);
    std::memcpy(static_cast<void*>(to + first), finished + first, bytes);
    std::memset(finished + first, 0, bytes);
  };
  const auto head = static_cast<std::int64_t>(before_line(to, static_cast<std::size_t>(n)));
  const std::int64_t lines =
      static_cast<std::int64_t>(in_lines<Scalar>(static_cast<std::size_t>(n - head)));
  part_line(0, head);
  constexpr std::int64_t kCounted = 32768;  // scalars, so that no lane's count is too large
  auto* target = reinterpret_cast<std::uint16_t*>(to);
  for (std::int64_t i = head; i < head + lines;) {
    const std::int64_t first = i, end = std::min(head + lines, first + kCounted);
    hn::Vec<LineOfWords> zeros = hn::Zero(d);
    for (; i < end; i += lanes) {
      const auto x = hn::LoadU(d, finished + i);
      hn::StoreU(hn::Zero(d), d, finished + i);
      zeros = count_zeros(zeros, x);
      if (streaming) {
        hn::Stream(x, d, target + i);
      } else {
        hn::StoreU(x, d, target + i);
      }
    }
    count += end - first - total_of(zeros);
  }
  part_line(head + lines, n);
  return count;
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_SINGLE_TERMS_INL_H_
