// The outputs that a block of gather_rows.h gets its terms from, and their words.
#include <algorithm>

#include "opt/kernels/mask_pool/gather_rows.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_WORDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_WORDS_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_WORDS_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_WORDS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// The columns or rows of a block by their remainders modulo the stride. `place` is the position of
/// the first one, padding included.
struct Axis {
  std::int64_t place, stride, kernel;
  /// The remainders that kernel positions have.
  std::int64_t remainders() const { return std::min(stride, kernel); }
  std::int64_t index(std::int64_t offset) const { return (place + offset) % stride; }
  /// The output of the first column that kernel position k reaches from there on.
  std::int64_t output(std::int64_t k) const {
    return place / stride + (place % stride > k % stride ? 1 : 0) - k / stride;
  }
  /// The remainders in the order of the columns that have them.
  std::int64_t in_order(std::int64_t i) const {
    const std::int64_t first = place % stride;
    return first < remainders() ? (first + i) % remainders() : i;
  }
  std::int64_t last(std::int64_t remainder) const {
    return (kernel - 1 - remainder) / stride * stride + remainder;
  }
};

/// Whether words of two kernel positions may share lanes (halves-inl.h).
inline constexpr bool kPairedWords = HWY_TARGET == HWY_AVX2;
inline constexpr std::int64_t kWordsOfLane = kPairedWords ? 2 : 1;

/// Where words are stored: one after the other, or in one of the two halves of lanes of 32 bits.
enum class WordPlace { dense, low, high };

/// The words of one tile's planes, block by block.
struct BlockWords {
  const MaxPool2dBackwardGeometry& g;
  const MaskLayout& layout;
  const std::uint8_t* mask;
  std::int64_t group;
  Span outputs;             ///< columns of outputs that reach the tile
  std::int64_t pitch;       ///< sums of a row
  std::int64_t groups = 0;  ///< rows of sums
  /// Bytes from a block's words to those of the next block, which are prefetched: there are more
  /// kernel positions than the processor's own prefetcher tracks.
  std::int64_t ahead = 0;

  /// The words of kernel position k for all sums; those of the first are at output oh, ow. Sums
  /// that no output reaches from there get zeros.
  template <WordPlace place_of = WordPlace::dense>
  void unpack(std::int64_t k, std::int64_t oh, std::int64_t ow, std::uint16_t* to) const {
    const std::int64_t first = std::clamp<std::int64_t>(outputs.first - ow, 0, pitch),
                       last = std::clamp<std::int64_t>(outputs.last - ow, first, pitch);
    const std::int64_t above = std::clamp<std::int64_t>(-oh, 0, groups),
                       below = std::clamp<std::int64_t>(g.out.h - oh, above, groups);
    zero<place_of>(0, above * pitch, to);
    const bool joined = pitch == g.out.w;
    if (joined && above < below) {
      const std::int64_t at = (oh + above) * g.out.w + ow;
      const std::int64_t lead = std::max<std::int64_t>(0, -at), all = g.out.h * g.out.w;
      const std::int64_t n = std::min((below - above) * pitch, all - at);
      copy_words<place_of>(k, at + lead, n - lead, above * pitch + lead, to);
    }
    const bool whole = joined && first == 0 && last == pitch;
    for (std::int64_t i = above; i < below && !whole; ++i) {
      const std::int64_t row = i * pitch;
      if (!joined) {
        copy_words<place_of>(k, (oh + i) * g.out.w + ow + first, last - first, row + first, to);
      }
      zero<place_of>(row, row + first, to);
      zero<place_of>(row + last, row + pitch, to);
    }
    zero<place_of>(below * pitch, groups * pitch + kMostFloats, to);
  }

  /// Zeros for sums [first, last).
  template <WordPlace place_of>
  static void zero(std::int64_t first, std::int64_t last, std::uint16_t* to) {
    for (std::int64_t i = first; i < last; ++i) {
      if (place_of != WordPlace::high) to[place_of == WordPlace::dense ? i : 2 * i] = 0;
      if (place_of != WordPlace::dense) to[2 * i + 1] = 0;
    }
  }

  /// Copies n words (to the end of a vector) from output position p on, for sums from i on. The
  /// last vector ends fewer than 16 positions behind the last output; a mask has as many unused
  /// ones.
  template <WordPlace place_of>
  void copy_words(std::int64_t k, std::int64_t p, std::int64_t n, std::int64_t sum,
                  std::uint16_t* to) const {
    const Floats d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::uint8_t* words = mask + layout.at(group, k, p);
    for (std::int64_t i = 0; i < n; i += lanes) {
      prefetch(words + 2 * i + ahead);
      store_words<place_of>(load_words(d, words + 2 * i), sum + i, to);
    }
  }

  template <WordPlace place_of, class V>
  static void store_words(V words, std::int64_t sum, std::uint16_t* to) {
    if constexpr (place_of == WordPlace::dense) {
      hn::StoreU(words, HalfWords<Floats>(), to + sum);
    } else {
      const hn::Rebind<std::uint32_t, Floats> du;
      auto* lanes = reinterpret_cast<std::uint32_t*>(to) + sum;
      auto wide = hn::PromoteTo(du, words);
      if constexpr (place_of == WordPlace::high) {
        const auto low = hn::And(hn::LoadU(du, lanes), hn::Set(du, 0xffff));
        wide = hn::Or(hn::ShiftLeft<16>(wide), low);
      }
      hn::StoreU(wide, du, lanes);
    }
  }
};

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_WORDS_INL_H_
