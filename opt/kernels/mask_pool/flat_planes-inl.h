// Small planes of select_pairs.h as one run of vectors, whatever the length of their rows.
//
// A row of 7 pairs fills no vector, and most such rows cross a cache line. Windows tile the plane,
// so the terms of a vector of gradInput belong to a few outputs close to each other: one load and
// one permutation, which the plan lists for each vector of a plane (FlatVectors). Where a plane
// does not begin with a vector, it shares a vector with the plane before; lanes of the other plane
// have no key. Vectors are streamed in order.
#include "opt/kernels/mask_pool/select_pairs.h"
#include "opt/kernels/vector/column_pairs-inl.h"
#include "opt/kernels/vector/single_terms-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_FLAT_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_FLAT_PLANES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_FLAT_PLANES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_FLAT_PLANES_INL_H_
#endif

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::select_pairs::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// A vector of AVX2 of scalars' bits.
template <class Scalar>
using FlatBits = hn::ScalableTag<Key<Scalar>>;

/// The bits of single terms (column_pairs-inl.h) of n outputs, and up to a vector more.
template <class Scalar>
HWY_INLINE void flat_terms(const Scalar* from, std::int64_t n, Key<Scalar>* HWY_RESTRICT to) {
  const FlatBits<Scalar> d;
  for_each_vector(
      from, n, [](std::int64_t) { return Scalar{}; },
      [d, to](const Scalar* at, std::int64_t i) HWY_ATTR {
        if constexpr (sizeof(Scalar) == sizeof(float)) {
          hn::StoreU(single_terms(d, at), d, to + i);
        } else {
          const auto terms = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(at));
          hn::StoreU(only_term<Scalar>(d, terms), d, to + i);
        }
      },
      d);
}

/// The terms of one vector's outputs, in its lanes.
HWY_INLINE __m256i flat_permuted(const std::uint32_t* terms, __m256i places) {
  const auto all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(terms));
  return _mm256_permutevar8x32_epi32(all, places);
}
HWY_INLINE __m256i flat_permuted(const std::uint16_t* terms, __m256i places) {
  const auto all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(terms));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(all), places);
}

/// Planes that follow each other in memory; the first begins with a cache line.
template <class Scalar>
class FlatPlanes {
 public:
  /// @param keys of the plane's elements, with kFlatSpare zeros on either side
  FlatPlanes(const FlatVectors& vectors, const Key<Scalar>* keys, Scalar* to)
      : vectors_(vectors), keys_(keys), to_(reinterpret_cast<Key<Scalar>*>(to)) {}

  /// Writes the next plane.
  template <bool streaming>
  HWY_NOINLINE void write(const Key<Scalar>* HWY_RESTRICT terms, Key<Scalar> bit) {
    const FlatBits<Scalar> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto& phase = vectors_.phases[phase_];
    const auto bits = hn::Set(d, bit);
    const Key<Scalar>* HWY_RESTRICT keys = keys_ - phase.before;
    auto vector_of = [&](std::int64_t i) HWY_ATTR {
      const auto places =
          _mm256_load_si256(reinterpret_cast<const __m256i*>(phase.vectors[i].places));
      const hn::Vec<FlatBits<Scalar>> all{flat_permuted(terms + phase.first[i], places)};
      return hn::IfThenElseZero(hn::TestBit(hn::LoadU(d, keys + i * lanes), bits), all);
    };
    auto first = hn::Or(hn::Load(d, rest_), vector_of(0));
    Key<Scalar>* to = to_;
    const std::int64_t whole = phase.whole;
    for (std::int64_t i = 1; i < whole; ++i, to += lanes) {
      put<streaming>(first, to);
      first = vector_of(i);
    }
    put<streaming>(first, to);
    to_ = to + lanes;
    hn::Store(phase.parted ? vector_of(whole) : hn::Zero(d), d, rest_);
    phase_ = phase.next;
  }

 private:
  template <bool streaming>
  static HWY_INLINE void put(hn::Vec<FlatBits<Scalar>> v, Key<Scalar>* to) {
    const FlatBits<Scalar> d;
    streaming ? hn::Stream(v, d, to) : hn::Store(v, d, to);
  }

  const FlatVectors& vectors_;
  const Key<Scalar>* keys_;
  Key<Scalar>* to_;
  std::int64_t phase_ = 0;
  alignas(32) Key<Scalar> rest_[32 / sizeof(Scalar)] = {};  ///< of the plane before
};

}  // namespace gradproof::kernels::mask_pool::select_pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET == HWY_AVX2

#endif  // GRADPROOF_KERNELS_MASK_POOL_FLAT_PLANES_INL_H_
