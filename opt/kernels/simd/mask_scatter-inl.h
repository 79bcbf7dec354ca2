// Terms added where the words say: for large windows, of which lanes of 16 channels would test
// every word although only one of them has the channel's bit.
//
// The words of 16 outputs together are a vector. Words of a window's row, or of its column, are
// or-ed into the bits of the row's or column's number, so that each output and channel gets its
// place in a few instructions for all of the window. On AVX2 windows of 5 × 5 take 0.8 to
// 0.95 and those of 13 × 13 a third of the time that lanes take. AVX-512, which selects and adds
// 16 lanes in one instruction, keeps to them.
#include "opt/kernels/simd/mask_lanes-inl.h"
#include "opt/kernels/simd/mask_slab-inl.h"

#if defined(GRADPROOF_KERNELS_SIMD_MASK_SCATTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_SIMD_MASK_SCATTER_INL_H_
#undef GRADPROOF_KERNELS_SIMD_MASK_SCATTER_INL_H_
#else
#define GRADPROOF_KERNELS_SIMD_MASK_SCATTER_INL_H_
#endif

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_lanes::HWY_NAMESPACE {

using Places = hn::ScalableTag<std::uint16_t>;  ///< words of 16 outputs, or 16 channels of one
using PlaceVector = hn::Vec<Places>;

/// The outputs of one tile, a plane as a whole, 16 at a time.
template <class Scalar>
class Scatter {
 public:
  Scatter(const MaxPool2dBackwardGeometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
          const Scratch& scratch)
      : g_(g), plan_(plan), tile_(tile), scratch_(scratch), outputs_(g.out.h * g.out.w) {
    const auto add_axis = [&](std::int64_t kernel, std::int64_t pitch, bool rows) {
      for (int bit = 0; (kernel - 1) >> bit != 0; ++bit) {
        weights_[count_++] = {static_cast<std::uint16_t>(pitch << bit), bit, rows};
      }
    };
    add_axis(g.kernel.h, plan.scatter_width, true);
    add_axis(g.kernel.w, 1, false);
  }

  std::int64_t blocks() const { return parts(outputs_, kOutputs); }

  /// Into the slab. False where some channel of an output has no bit, or several: the words then
  /// have to be taken one by one. `between()` is called after each of the blocks.
  template <class Between>
  bool write(Scalar* slab, const Between& between) {
    const std::int64_t plane = plan_.scatter_height * plan_.scatter_width;
    const Terms terms = load_terms();
    std::fill_n(scratch_.planes, tile_.channels * plane, 0.0f);
    std::int64_t oh = 0, ow = 0;
    for (std::int64_t first = 0; first < outputs_; first += kOutputs) {
      const std::int64_t count = std::min(kOutputs, outputs_ - first);
      if (!find_places(first, count)) return false;
      for (std::int64_t i = 0; i < count; ++i) {
        float* sums = scratch_.planes + oh * g_.stride.h * plan_.scatter_width + ow * g_.stride.w;
        add({terms.at + first + i, terms.stride}, places_ + i * kLanes, sums, plane);
        if (++ow < g_.out.w) continue;
        ow = 0;
        ++oh;
      }
      between();
    }
    finish(slab, plane);
    return true;
  }

 private:
  static constexpr std::int64_t kOutputs = 16;  ///< whose words fill a vector

  /// Of one channel, and how far the next one's lie behind.
  struct Terms {
    const float* at;
    std::int64_t stride;
  };

  Terms load_terms() const {
    using mask_slab::HWY_NAMESPACE::LoadTerms;
    const Strides4& s = g_.grad_output;
    const bool joined = s.h == g_.out.w * s.w;
    if constexpr (std::is_same_v<Scalar, float>) {
      if (joined && s.w == 1) return {tile_.grad_output, s.c};
    }
    const std::int64_t run = joined ? outputs_ : g_.out.w;
    for (std::int64_t c = 0; c < tile_.channels; ++c) {
      const Scalar* from = tile_.grad_output + c * s.c;
      float* to = scratch_.linear + c * outputs_;
      for (std::int64_t i = 0; i < outputs_; i += run, from += s.h) {
        LoadTerms(from, s.w, run, to + i);
      }
    }
    return {scratch_.linear, outputs_};
  }

  /// Where in a plane of sums the terms of outputs from `first` on go, seen from their windows'
  /// beginnings: the words that say so are numbers whose bits are spread over 16 outputs.
  bool find_places(std::int64_t first, std::int64_t count) {
    const Places d;
    const std::uint8_t* words = tile_.mask + plan_.mask.at(tile_.group, 0, first);
    PlaceVector columns[kMostKernel], row_bits[4], column_bits[4];
    auto once = hn::Zero(d), twice = hn::Zero(d);
    for (std::int64_t kw = 0; kw < g_.kernel.w; ++kw) columns[kw] = hn::Zero(d);
    for (int bit = 0; bit < 4; ++bit) row_bits[bit] = column_bits[bit] = hn::Zero(d);
    for (std::int64_t kh = 0; kh < g_.kernel.h; ++kh) {
      auto row = hn::Zero(d);
      for (std::int64_t kw = 0; kw < g_.kernel.w; ++kw) {
        const auto word = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(words));
        words += 2 * plan_.mask.positions;
        twice = hn::Or(twice, hn::And(once, word));
        once = hn::Or(once, word);
        row = hn::Or(row, word);
        columns[kw] = hn::Or(columns[kw], word);
      }
      for (int bit = 0; bit < 4; ++bit) {
        if ((kh >> bit & 1) != 0) row_bits[bit] = hn::Or(row_bits[bit], row);
      }
    }
    for (std::int64_t kw = 0; kw < g_.kernel.w; ++kw) {
      for (int bit = 0; bit < 4; ++bit) {
        if ((kw >> bit & 1) != 0) column_bits[bit] = hn::Or(column_bits[bit], columns[kw]);
      }
    }
    const auto channels = hn::Set(d, static_cast<std::uint16_t>((1u << tile_.channels) - 1));
    const auto some = hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(count)), channels);
    const auto wrong = hn::And(some, hn::Or(twice, hn::Not(once)));
    if (!hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d)))) return false;

    std::uint16_t spread[8][kOutputs];
    PlaceVector values[8];
    for (int i = 0; i < count_; ++i) {
      const Weight& weight = weights_[i];
      hn::StoreU(weight.row ? row_bits[weight.bit] : column_bits[weight.bit], d, spread[i]);
      values[i] = hn::Set(d, weight.value);
    }
    const auto bits = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
    for (std::int64_t output = 0; output < count; ++output) {
      auto place = hn::Zero(d);
      for (int i = 0; i < count_; ++i) {
        const auto selected = hn::TestBit(hn::Set(d, spread[i][output]), bits);
        place = hn::Add(place, hn::IfThenElseZero(selected, values[i]));
      }
      hn::StoreU(place, d, places_ + output * kLanes);
    }
    return true;
  }

  /// An output's term of each channel. Channel after channel, so that a sum is not waited for when
  /// the next output's term, which often goes to the same place, is added.
  HWY_INLINE void add(Terms terms, const std::uint16_t* places, float* sums,
                      std::int64_t plane) const {
    const auto next = [&](std::int64_t c) HWY_ATTR {
      float& sum = sums[places[c]];
      sum = sum + *terms.at;
      terms.at += terms.stride;
      sums += plane;
    };
    if (tile_.channels == kLanes) {
      HWY_UNROLL(16)
      for (std::int64_t c = 0; c < kLanes; ++c) next(c);
    } else {
      for (std::int64_t c = 0; c < tile_.channels; ++c) next(c);
    }
  }

  void finish(Scalar* slab, std::int64_t plane) const {
    const Floats d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = g_.in.w;
    const float* inside = scratch_.planes + g_.padding.h * plan_.scatter_width + g_.padding.w;
    for (std::int64_t c = 0; c < tile_.channels; ++c) {
      for (std::int64_t h = 0; h < g_.in.h; ++h) {
        const float* sums = inside + c * plane + h * plan_.scatter_width;
        for (std::int64_t w = 0; w < width; w += lanes) {
          w = std::min(w, width - lanes);
          const auto sum = hn::LoadU(d, sums + w);
          if constexpr (sizeof(Scalar) == sizeof(float)) {
            store_lanes(Rounded<Scalar>(sum), slab + w);
          } else {
            narrow_to(slab + w, d, sum);
          }
        }
        slab += width;
      }
    }
  }

  /// What a bit of a window's row or column adds to a place.
  struct Weight {
    std::uint16_t value;
    int bit;
    bool row;
  };

  const MaxPool2dBackwardGeometry& g_;
  const Plan& plan_;
  const MaskTile<Scalar>& tile_;
  const Scratch& scratch_;
  std::int64_t outputs_;
  Weight weights_[8];
  int count_ = 0;
  std::uint16_t places_[kOutputs * kLanes];
};

}  // namespace gradproof::kernels::mask_lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET == HWY_AVX2

#endif  // GRADPROOF_KERNELS_SIMD_MASK_SCATTER_INL_H_
