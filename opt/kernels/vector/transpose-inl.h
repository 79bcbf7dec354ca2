// Blocks of floats, rows made columns.
#include "hwy/highway.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_TRANSPOSE_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_TRANSPOSE_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_TRANSPOSE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Side of a block.
inline constexpr std::size_t kBlock = kMostFloats;

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR

/// Transposes a block of kBlock × kBlock floats that is seen through functions: load(i, j) is the
/// vector of row i from lane j on, and store(j, i, vector) gets row j of the result from lane i on,
/// rows in ascending order, each once and whole.
template <class Load, class Store>
HWY_INLINE void transpose(const Load& load, const Store& store) {
  const Floats d;
  const std::size_t n = hn::Lanes(d);
  float rows[kBlock * kBlock], columns[kBlock * kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) {
    for (std::size_t j = 0; j < kBlock; j += n) hn::StoreU(load(i, j), d, rows + i * kBlock + j);
  }
  for (std::size_t j = 0; j < kBlock; ++j) {
    for (std::size_t i = 0; i < kBlock; ++i) columns[j * kBlock + i] = rows[i * kBlock + j];
    for (std::size_t i = 0; i < kBlock; i += n) {
      store(j, i, hn::LoadU(d, columns + j * kBlock + i));
    }
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
template <class Load, class Store>
HWY_INLINE void transpose(const Load& load, const Store& store) {
  const Floats d;
  constexpr std::size_t n = hn::MaxLanes(Floats());
  using V = hn::Vec<Floats>;
  V v[n];
  for (std::size_t j = 0; j < kBlock; j += n) {
    for (std::size_t i = 0; i < kBlock; i += n) {
      for (std::size_t k = 0; k < n; ++k) v[k] = load(i + k, j);
      for (std::size_t k = 0; k < n; k += 4) transpose_quads(d, v[k], v[k + 1], v[k + 2], v[k + 3]);
        // Vector 4q + r now holds, in block b, row quad q of column 4b + r: blocks and quads are
        // swapped, first neighbours, then halves.
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
      for (std::size_t r = 0; r < 8; ++r) {  // perhaps uncovered: AVX-512
        const V low = v[r], high = v[r + 8];
        v[r] = hn::ConcatLowerLower(d, high, low);
        v[r + 8] = hn::ConcatUpperUpper(d, high, low);
      }
#endif
      for (std::size_t k = 0; k < n; ++k) store(j + k, i, v[k]);
    }
  }
}

#endif

/// to[j · to_stride + i] = from[i · from_stride + j] for i, j < kBlock.
HWY_INLINE void transpose(const float* from, std::size_t from_stride, float* to,
                          std::size_t to_stride) {
  transpose([&](std::size_t i, std::size_t j)
                HWY_ATTR { return hn::LoadU(Floats(), from + i * from_stride + j); },
            [&](std::size_t j, std::size_t i, hn::Vec<Floats> row)
                HWY_ATTR { hn::StoreU(row, Floats(), to + j * to_stride + i); });
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_TRANSPOSE_INL_H_
