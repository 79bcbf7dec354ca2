// Copies dense rows from and into rows with strided columns, bit for bit: by vectors at stride 2,
// else one by one. Memory between the columns is never written, not even with its old bytes:
// another thread may own it.
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "opt/kernels/prefetch.h"

#if defined(GRADPROOF_KERNELS_VECTOR_STRIDED_COPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_STRIDED_COPY_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_STRIDED_COPY_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_STRIDED_COPY_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How many scalars ahead memory is prefetched: with gaps, the processor's own prefetcher leaves
/// every second store waiting.
template <class Scalar>
inline constexpr std::int64_t kGapAhead = 4096 / sizeof(Scalar);

#if HWY_TARGET != HWY_SCALAR  // whose vectors hold no scalar and a gap
/// Vectors of scalars with the gap behind each (Pairs), the same as words (Both), and of scalars
/// alone (Words).
template <class Scalar>
struct GappedWords {
  static constexpr bool kHalf = sizeof(Scalar) == 2;
  using Word = std::conditional_t<kHalf, std::uint16_t, std::uint32_t>;
  using Wide = std::conditional_t<kHalf, std::uint32_t, std::uint64_t>;
  using Pairs = hn::CappedTag<Wide, 64 / sizeof(Wide)>;
  using Both = hn::Repartition<Word, Pairs>;
  using Words = hn::Rebind<Word, Pairs>;
};
#endif

/// to[i] = from[i · stride] for i < n.
template <class Scalar>
HWY_INLINE void copy_from_gaps(const Scalar* from, std::int64_t stride, std::int64_t n,
                               Scalar* to) {
  std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  using In = GappedWords<Scalar>;
  const typename In::Words words;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(words));
  // Without the last scalar: memory after it may belong to another tensor.
  for (; stride == 2 && i + lanes < n; i += lanes) {
    const Scalar* at = from + 2 * i;
    prefetch(at + kGapAhead<Scalar>);
    const auto both =
        hn::LoadU(typename In::Both(), reinterpret_cast<const typename In::Word*>(at));
    hn::StoreU(hn::TruncateTo(words, hn::BitCast(typename In::Pairs(), both)), words,
               reinterpret_cast<typename In::Word*>(to + i));
  }
#endif
  for (; i < n; ++i) to[i] = from[i * stride];
}

/// to[i · stride] = from[i] for i < n.
template <class Scalar>
HWY_INLINE void copy_into_gaps(const Scalar* from, std::int64_t n, Scalar* to,
                               std::int64_t stride) {
  std::int64_t i = 0;
#if HWY_TARGET == HWY_AVX3  // elsewhere stores under a mask are slow, or write the gaps too
  // Not for FLOAT, which takes 1.1 to 1.2 times as long with them (Zen 4).
  if constexpr (sizeof(Scalar) == 2) {
    using In = GappedWords<Scalar>;
    const typename In::Pairs pairs;
    const typename In::Both both;
    const typename In::Words words;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(words));
    const auto low = hn::Set(pairs, static_cast<typename In::Word>(-1));
    const auto chosen = hn::Ne(hn::BitCast(both, low), hn::Zero(both));
    for (; stride == 2 && i + lanes <= n; i += lanes) {  // perhaps uncovered: AVX-512
      auto* at = reinterpret_cast<typename In::Word*>(to + 2 * i);
      prefetch(at + kGapAhead<Scalar>);
      const auto some = hn::LoadU(words, reinterpret_cast<const typename In::Word*>(from + i));
      hn::BlendedStore(hn::BitCast(both, hn::PromoteTo(pairs, some)), chosen, both, at);
    }
  }
#endif
  // A line at a time, so that each line is prefetched once.
  constexpr auto kBlock = static_cast<std::int64_t>(64 / 2 / sizeof(Scalar));
  for (; stride == 2 && i + kBlock <= n; i += kBlock) {
    prefetch(to + 2 * i + kGapAhead<Scalar>);
    for (std::int64_t j = i; j < i + kBlock; ++j) to[2 * j] = from[j];
  }
  for (; i < n; ++i) to[i * stride] = from[i];
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_STRIDED_COPY_INL_H_
