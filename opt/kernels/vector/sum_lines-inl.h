// Lines of gradInput from float sums that start anew afterwards.
#include <cstring>

#include "opt/kernels/vector/stream-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_SUM_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_SUM_LINES_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_SUM_LINES_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_SUM_LINES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Stores the 64 bytes that `sums` round to at `to`, and clears them.
template <bool stream>
HWY_INLINE void StoreLine(float* HWY_RESTRICT sums, float* HWY_RESTRICT to) {
  const Floats d;
  for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
    const hn::Vec<Floats> x = narrowed<float>(d, hn::LoadU(d, sums + i));
    hn::StoreU(hn::Zero(d), d, sums + i);
    if constexpr (stream) {
      hn::Stream(x, d, to + i);
    } else {
      hn::StoreU(x, d, to + i);
    }
  }
}
template <bool stream, class Scalar>
HWY_INLINE void StoreLine(float* HWY_RESTRICT sums, Scalar* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 32; ++i) narrow(sums[i], to[i]);
  std::memset(sums, 0, 32 * sizeof(float));
#else
  const Floats d;
  const hn::Twice<HalfWords<Floats> > d16;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < 32; i += 2 * lanes) {
    const auto both =
        narrowed_pair<Scalar>(d, hn::LoadU(d, sums + i), hn::LoadU(d, sums + i + lanes));
    hn::StoreU(hn::Zero(d), d, sums + i);
    hn::StoreU(hn::Zero(d), d, sums + i + lanes);
    auto* at = reinterpret_cast<std::uint16_t*>(to + i);
    if constexpr (stream) {
      hn::Stream(both, d16, at);
    } else {
      hn::StoreU(both, d16, at);
    }
  }
#endif
}

/// The same for n sums that make whole lines, streamed if `to` begins one.
template <std::int64_t n, class Scalar>
HWY_INLINE void StoreLines(float* HWY_RESTRICT sums, Scalar* HWY_RESTRICT to, bool streaming) {
  constexpr auto kScalars = static_cast<std::int64_t>(kLine / sizeof(Scalar));
  const bool stream = streaming && reinterpret_cast<std::uintptr_t>(to) % kLine == 0;
  for (std::int64_t i = 0; i < n; i += kScalars) {
    if (stream) {
      StoreLine<true>(sums + i, to + i);
    } else {
      StoreLine<false>(sums + i, to + i);
    }
  }
}

/// Rounds n sums to `to` and clears them.
template <class Scalar>
void StoreSums(float* HWY_RESTRICT sums, std::int64_t n, Scalar* HWY_RESTRICT to, bool stream) {
  constexpr std::int64_t kLine = 64 / sizeof(Scalar);
  const auto part_line = [&](std::int64_t count) HWY_ATTR {
    const hn::CappedTag<float, 4> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    n -= count;
    for (; count >= lanes; count -= lanes, sums += lanes, to += lanes) {
      narrow_to(to, d, hn::LoadU(d, sums));
      hn::StoreU(hn::Zero(d), d, sums);
    }
    for (; count > 0; --count, ++sums, ++to) {
      narrow(*sums, *to);
      *sums = 0;
    }
  };
  if (stream) {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 64);
    if (past != 0) part_line(std::min(n, (64 - past) / std::int64_t{sizeof(Scalar)}));
    for (; n >= kLine; n -= kLine, sums += kLine, to += kLine) StoreLine<true>(sums, to);
  } else {
    for (; n >= kLine; n -= kLine, sums += kLine, to += kLine) StoreLine<false>(sums, to);
  }
  if (n > 0) part_line(n);
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_SUM_LINES_INL_H_
