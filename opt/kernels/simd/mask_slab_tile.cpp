// One tile of mask_slab.h, compiled for every instruction set.
#include "opt/kernels/simd/mask_slab.h"

#include <bit>
#include <cstring>

#include "opt/kernels/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/simd/mask_slab_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/simd/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/simd/column_pairs-inl.h"
#include "opt/kernels/simd/staged_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_slab::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// What stands in memory: FloatViaFloat16 is a float there.
template <class Scalar>
using Stored = std::conditional_t<std::is_same_v<Scalar, FloatViaFloat16>, float, Scalar>;

/// Sums as they are before they are rounded to what is stored.
template <class Scalar, class D>
HWY_INLINE hn::Vec<D> Finished(D d, hn::Vec<D> sums) {
  if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) return through_float16(d, sums);
  return sums;
}

/// The terms of outputs [0, n) of a row.
template <class Scalar>
void LoadTerms(const Scalar* grad, std::int64_t stride, std::int64_t n, float* terms) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (stride != 1 || n < lanes) {
    for (std::int64_t i = 0; i < n; ++i) terms[i] = widen(grad[i * stride]);
    return;
  }
  const auto load = [&](std::int64_t i) HWY_ATTR {
    const auto x = widen_from(d, reinterpret_cast<const Stored<Scalar>*>(grad + i));
    if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) {
      hn::StoreU(through_float16(d, x), d, terms + i);
    } else {
      hn::StoreU(x, d, terms + i);
    }
  };
  for (std::int64_t i = 0; i + lanes <= n; i += lanes) load(i);
  load(n - lanes);  // some of them again, if a vector remains that is not whole
}

/// The outputs that reach the columns of one remainder from one kernel position: where the words
/// and the first channel's terms for the first column stand. Terms that do not exist are zeros,
/// whatever their words.
struct Source {
  const std::uint32_t* words;
  const float* terms;
};

struct Sources {
  int count = 0;
  Source at[kMostSources];
};

/// A channel of a tile.
struct Channel {
  std::int64_t offset;  ///< of its terms from the first channel's
  std::uint32_t bit;    ///< in each word
};

/// Adds what a source gives to the columns from `column` on.
HWY_INLINE void AddSource(const Source& source, const Channel& c, std::int64_t column,
                          hn::Vec<Floats>& sum) {
  const Floats d;
  const Words du;
  const auto word = hn::LoadU(du, source.words + column);
  const auto chosen = hn::RebindMask(d, hn::TestBit(word, hn::Set(du, c.bit)));
  const auto term = hn::LoadU(d, source.terms + c.offset + column);
  sum = hn::Add(sum, hn::IfThenElseZero(chosen, term));
}

/// Sums of the columns from `column` on. `known` is the count, or -1.
template <int known>
HWY_INLINE hn::Vec<Floats> Sum(const Sources& s, const Channel& c, std::int64_t column) {
  const Source* HWY_RESTRICT sources = s.at;
  auto sum = hn::Zero(Floats());
  for (int i = 0; i < (known < 0 ? s.count : known); ++i) AddSource(sources[i], c, column, sum);
  return sum;
}

/// Rounds n sums (to the end of a vector).
template <int known, class Scalar>
HWY_INLINE void WriteFlat(const Sources& s, const Channel& c, std::int64_t n,
                          Scalar* HWY_RESTRICT to) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  // Two at a time: an addition waits for the one before it, which takes longer than all else.
  for (; i + lanes < n; i += 2 * lanes) {
    const Source* HWY_RESTRICT sources = s.at;
    auto low = hn::Zero(d), high = hn::Zero(d);
    for (int j = 0; j < (known < 0 ? s.count : known); ++j) {
      AddSource(sources[j], c, i, low);
      AddSource(sources[j], c, i + lanes, high);
    }
#if HWY_TARGET != HWY_SCALAR
    if constexpr (sizeof(Scalar) < sizeof(float)) {
      const hn::Twice<HalfWords<Floats>> d16;
      hn::StoreU(narrowed_pair<Scalar>(d, low, high), d16,
                 reinterpret_cast<std::uint16_t*>(to + i));
      continue;
    }
#endif
    narrow_to(reinterpret_cast<Stored<Scalar>*>(to + i), d, Finished<Scalar>(d, low));
    narrow_to(reinterpret_cast<Stored<Scalar>*>(to + i + lanes), d, Finished<Scalar>(d, high));
  }
  for (; i < n; i += lanes) {
    narrow_to(reinterpret_cast<Stored<Scalar>*>(to + i), d,
              Finished<Scalar>(d, Sum<known>(s, c, i)));
  }
}

/// The same for columns of two remainders in turn, n pairs.
template <int known_a, int known_b, class Scalar>
HWY_INLINE void WritePairs(const Sources& a, const Sources& b, const Channel& c, std::int64_t n,
                           Scalar* HWY_RESTRICT to) {
  const Floats d;
  const Words du;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < n; i += lanes) {
    const auto x = Sum<known_a>(a, c, i), y = Sum<known_b>(b, c, i);
    if constexpr (std::is_same_v<Scalar, BFloat16>) {
      const auto low = hn::ShiftRight<16>(hn::BitCast(du, rounded_bfloat16(d, x)));
      const auto high = hn::And(hn::BitCast(du, rounded_bfloat16(d, y)), hn::Set(du, 0xffff0000u));
      hn::StoreU(hn::Or(low, high), du, reinterpret_cast<std::uint32_t*>(to + 2 * i));
    } else if constexpr (std::is_same_v<Scalar, Float16>) {
      store_pairs(reinterpret_cast<std::uint16_t*>(to + 2 * i),
                  hn::PromoteTo(du, narrowed<Scalar>(d, x)),
                  hn::PromoteTo(du, narrowed<Scalar>(d, y)));
    } else {
      store_pairs(reinterpret_cast<std::uint32_t*>(to + 2 * i),
                  hn::BitCast(du, narrowed<float>(d, Finished<Scalar>(d, x))),
                  hn::BitCast(du, narrowed<float>(d, Finished<Scalar>(d, y))));
    }
  }
}

// The counts of windows of 3 are known to the compiler: loops of unknown length are mispredicted at
// each of the few vectors that a row has.
template <class Scalar>
void WriteFlat(const Sources& sources, const Channel& c, std::int64_t n, Scalar* to) {
  if (sources.count == 9) return WriteFlat<9>(sources, c, n, to);
  WriteFlat<-1>(sources, c, n, to);
}
template <class Scalar>
void WritePairs(const Sources& a, const Sources& b, const Channel& c, std::int64_t n, Scalar* to) {
  switch (a.count * 16 + b.count) {
    case 0x12:
      return WritePairs<1, 2>(a, b, c, n, to);
    case 0x21:
      return WritePairs<2, 1>(a, b, c, n, to);
    case 0x24:
      return WritePairs<2, 4>(a, b, c, n, to);
    case 0x42:
      return WritePairs<4, 2>(a, b, c, n, to);
    default:
      return WritePairs<-1, -1>(a, b, c, n, to);
  }
}

/// One tile, row by row.
template <class Scalar>
class Rows {
 public:
  Rows(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile, const Scratch& scratch)
      : g_(g), plan_(plan), tile_(tile), scratch_(scratch), outputs_(plan.w.reaching(tile.w)) {
    // Column w has place w + padding - origin·stride, which is never negative.
    origin_ = std::min(outputs_.first, (tile.w.first + g.padding.w) / g.stride.w);
    shift_ = tile.w.first + g.padding.w - origin_ * g.stride.w;
    const std::int64_t size = tile.channels * plan.term_rows * plan.pitch;
    std::memset(scratch.terms, 0, static_cast<std::size_t>(size) * sizeof(float));
    loaded_ = oh_.first = oh_.last = plan.h.reaching(tile.h).first;
    for (std::int64_t k = 0; k < plan.mask.kernel_positions; ++k) {
      const std::int64_t first = plan.mask.at(tile.group, k, oh_.first * g.out.w + outputs_.first);
      for (std::int64_t i = 0; i < kMaskAhead; i += std::int64_t{kLine}) {
        hwy::Prefetch(tile.mask + first + i);
      }
    }
  }

  /// Finds what row h is made of. Rows are asked for in ascending order.
  void prepare(std::int64_t h) {
    while (oh_.last < g_.out.h && oh_.last * g_.stride.h - g_.padding.h <= h) ++oh_.last;
    while (oh_.first < oh_.last && oh_.first * g_.stride.h - g_.padding.h + g_.kernel.h <= h) {
      ++oh_.first;
    }
    // One row ahead, so that its vectors have left the store buffer when others overlap them.
    for (loaded_ = std::max(loaded_, oh_.first); loaded_ <= std::min(oh_.last, g_.out.h - 1);
         ++loaded_) {
      load(loaded_);
    }
    unpacked_ = scratch_.words;
    if (g_.stride.w <= 2) find_sources(h, shift_, a_);
    if (g_.stride.w == 2) find_sources(h, shift_ + 1, b_);
    row_ = h;
  }

  /// That row of a channel, width scalars (to the end of a vector).
  void write(std::int64_t channel, std::int64_t width, Scalar* to) {
    const Channel c{channel * plan_.term_rows * plan_.pitch, tile_.bit << channel};
    const std::int64_t sw = g_.stride.w;
    if (sw == 1) return WriteFlat(a_, c, width, to);
    if (sw == 2) return WritePairs(a_, b_, c, (width + 1) / 2, to);
    for (std::int64_t first = 0; first < std::min(sw, width); ++first) {
      unpacked_ = scratch_.words;
      find_sources(row_, shift_ + first, a_);
      const std::int64_t n = (width - first - 1) / sw + 1;
      auto* row = reinterpret_cast<Scalar*>(scratch_.row);
      WriteFlat(a_, c, n, row);
      for (std::int64_t i = 0; i < n; ++i) to[first + i * sw] = row[i];
    }
  }

 private:
  float* terms(std::int64_t oh) const {
    return scratch_.terms + (oh & (plan_.term_rows - 1)) * plan_.pitch;
  }

  void load(std::int64_t oh) {
    const Strides4& s = g_.grad_output;
    const std::int64_t n = outputs_.last - outputs_.first;
    if (n <= 0) return;
    for (std::int64_t c = 0; c < tile_.channels; ++c) {
      const Scalar* grad = tile_.grad_output + c * s.c + oh * s.h + outputs_.first * s.w;
      LoadTerms(grad, s.w, n, terms(oh) + c * plan_.term_rows * plan_.pitch + plan_.front);
      // Too many rows in turn for the processor to foresee the next one.
      if (s.w == 1 && oh + 1 < g_.out.h) {
        for (std::int64_t i = 0; i < n; i += std::int64_t{kLine / sizeof(Scalar)}) {
          hwy::Prefetch(grad + s.h + i);
        }
      }
    }
  }

  /// What adds to the columns at places place, place + stride, … of row h, in ascending output
  /// position.
  void find_sources(std::int64_t h, std::int64_t place, Sources& to) {
    const std::int64_t sw = g_.stride.w, least = place % sw, first = origin_ + place / sw;
    to.count = 0;
    if (least >= g_.kernel.w) return;
    for (std::int64_t oh = oh_.first; oh < oh_.last; ++oh) {
      const std::int64_t kh = h + g_.padding.h - oh * g_.stride.h;
      const float* row = terms(oh) + plan_.front - outputs_.first;
      // Descending kw is ascending ow.
      for (std::int64_t i = (g_.kernel.w - 1 - least) / sw; i >= 0; --i) {
        const std::int64_t ow = first - i;
        unpack(kh * g_.kernel.w + least + i * sw, oh * g_.out.w + ow);
        to.at[to.count++] = {unpacked_, row + ow};
        unpacked_ += plan_.pitch;
      }
    }
  }

  /// The words of kernel position k from output position p on, for the row's columns, one a lane:
  /// all channels of the tile test them. p may lie before the row's first output where k > 0, and
  /// the last vector ends beyond its last one, but by less than the 16 positions that a mask has to
  /// spare.
  void unpack(std::int64_t k, std::int64_t p) {
    const Floats d;
    const Words du;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(du));
    const std::int64_t width = tile_.w.last - tile_.w.first;
    const std::int64_t n = ((width - 1) / g_.stride.w + lanes) / lanes * lanes;
    const std::uint8_t* words = tile_.mask + plan_.mask.at(tile_.group, k, p);
    for (std::int64_t i = 0; i < n; i += lanes) {
      hwy::Prefetch(words + 2 * i + kMaskAhead);
      hn::StoreU(hn::PromoteTo(du, load_words(d, words + 2 * i)), du, unpacked_ + i);
    }
  }

  /// Bytes of words that are called in early: more kernel positions stand apart than the processor
  /// watches, and waiting for their words took 4 tenths of a 5×5 kernel's time.
  static constexpr std::int64_t kMaskAhead = 256;

  const Geometry& g_;
  const Plan& plan_;
  const MaskTile<Scalar>& tile_;
  const Scratch& scratch_;
  Span outputs_;  ///< columns of outputs that reach the tile
  Span oh_;       ///< rows of outputs that reach the row in hand
  std::int64_t origin_, shift_, loaded_, row_ = 0;
  Sources a_, b_;
  std::uint32_t* unpacked_ = nullptr;
};

template <class Scalar>
void WriteTile(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
               const Scratch& scratch) {
  Rows<Scalar> rows(g, plan, tile, scratch);
  StagedRows<Scalar> outputs[MaskLayout::kChannels];
  for (std::int64_t c = 0; c < tile.channels; ++c) {
    outputs[c].start(scratch.staged + c * plan.staged, plan.streaming);
  }
  const Strides4& s = g.grad_input;
  const std::int64_t width = tile.w.last - tile.w.first;
  for (std::int64_t h = tile.h.first; h < tile.h.last; ++h) {
    rows.prepare(h);
    for (std::int64_t c = 0; c < tile.channels; ++c) {
      Scalar* to = tile.grad_input + c * s.c + h * s.h + tile.w.first * s.w;
      if (s.w == 1 || width == 1) {
        rows.write(c, width, outputs[c].append(to, width));
        outputs[c].settle();
      } else {
        auto* row = reinterpret_cast<Scalar*>(scratch.staged);
        rows.write(c, width, row);
        for (std::int64_t i = 0; i < width; ++i) to[i * s.w] = row[i];
      }
    }
  }
  for (std::int64_t c = 0; c < tile.channels; ++c) outputs[c].finish();
  end_streams(plan.streaming);
}

}  // namespace

GRADPROOF_MASK_SCALARS(GRADPROOF_MASK_INSTANCE)

}  // namespace gradproof::kernels::mask_slab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::mask_slab {

GRADPROOF_MASK_SCALARS(GRADPROOF_MASK_CHOICE)

}  // namespace gradproof::kernels::mask_slab
#endif  // HWY_ONCE
