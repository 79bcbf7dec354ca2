// Blocks of floats, rows made columns.
#include "hwy/highway.h"
#include "opt/kernels/simd/convert-inl.h"

#if defined(GRADPROOF_KERNELS_SIMD_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_SIMD_TRANSPOSE_INL_H_
#undef GRADPROOF_KERNELS_SIMD_TRANSPOSE_INL_H_
#else
#define GRADPROOF_KERNELS_SIMD_TRANSPOSE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Side of a block.
inline constexpr std::size_t kBlock = kMostFloats;

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR

/// to[j · to_stride + i] = from[i · from_stride + j] for i, j < kBlock. Rows of `to` are written in
/// ascending order of j, each once and whole.
HWY_INLINE void transpose(const float* from, std::size_t from_stride, float* to,
                          std::size_t to_stride) {
  for (std::size_t j = 0; j < kBlock; ++j) {
    for (std::size_t i = 0; i < kBlock; ++i) to[j * to_stride + i] = from[i * from_stride + j];
  }
}

#else

/// Four vectors, in each of whose 128-bit blocks the lanes are swapped with the vectors.
template <class D, class V>
HWY_INLINE void transpose_quads(D d, V& a, V& b, V& c, V& e) {
  const hn::Repartition<double, D> dd;
  const auto ab_low = hn::BitCast(dd, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(dd, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(dd, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(dd, hn::InterleaveUpper(d, c, e));
  a = hn::BitCast(d, hn::InterleaveLower(dd, ab_low, ce_low));
  b = hn::BitCast(d, hn::InterleaveUpper(dd, ab_low, ce_low));
  c = hn::BitCast(d, hn::InterleaveLower(dd, ab_high, ce_high));
  e = hn::BitCast(d, hn::InterleaveUpper(dd, ab_high, ce_high));
}

/// As above.
HWY_INLINE void transpose(const float* from, std::size_t from_stride, float* to,
                          std::size_t to_stride) {
  const Floats d;
  constexpr std::size_t n = hn::MaxLanes(Floats());
  using V = hn::Vec<Floats>;
  V v[n];
  for (std::size_t j = 0; j < kBlock; j += n) {
    for (std::size_t i = 0; i < kBlock; i += n) {
      for (std::size_t k = 0; k < n; ++k) v[k] = hn::LoadU(d, from + (i + k) * from_stride + j);
      for (std::size_t k = 0; k < n; k += 4) transpose_quads(d, v[k], v[k + 1], v[k + 2], v[k + 3]);
        // Vector 4q + r now holds, in block b, row quad q of column 4b + r: blocks and quads change
        // places, first neighbours, then halves.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
      for (std::size_t k = 0; k < n; k += 8) {
        for (std::size_t r = k; r < k + 4; ++r) {
          const V low = v[r], high = v[r + 4];
          v[r] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high), low);
          v[r + 4] = hn::OddEvenBlocks(high, hn::SwapAdjacentBlocks(low));
        }
      }
#endif
#if HWY_TARGET == HWY_AVX3
      for (std::size_t r = 0; r < 8; ++r) {
        const V low = v[r], high = v[r + 8];
        v[r] = hn::ConcatLowerLower(d, high, low);
        v[r + 8] = hn::ConcatUpperUpper(d, high, low);
      }
#endif
      for (std::size_t k = 0; k < n; ++k) hn::StoreU(v[k], d, to + (j + k) * to_stride + i);
    }
  }
}

#endif

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_SIMD_TRANSPOSE_INL_H_
