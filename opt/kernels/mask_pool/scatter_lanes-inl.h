// Adds terms where the words point: for large windows, where gathering tests every word of a window
// although only one of them has a channel's bit.
//
// The words of 16 outputs are a vector. The words of each row of the window, and of each column,
// are or-ed into the bits of the row's or column's number. Eight such vectors are a matrix of bits;
// its transpose holds, for each channel, the places of its 16 outputs. Then each term costs one
// load, addition and store. It is compiled for AVX2 alone. With AVX-512 it is used for windows of
// more than 25 positions; the words of smaller ones are tested, because AVX-512 selects and adds 16
// lanes in one instruction.
#include <cstring>

#include "opt/kernels/mask_pool/gather_lanes-inl.h"
#include "opt/kernels/mask_pool/gather_rows-inl.h"
#include "opt/kernels/mask_pool/numbers-inl.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_SCATTER_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_SCATTER_LANES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_SCATTER_LANES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_SCATTER_LANES_INL_H_
#endif

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE {

/// The outputs of one tile, a plane as a whole. Its sums have no gaps between rows, but with
/// the padding's rows.
template <class Scalar>
class Scatter {
 public:
  Scatter(const MaxPool2dBackwardGeometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
          const Scratch& scratch)
      : g_(g),
        plan_(plan),
        tile_(tile),
        scratch_(scratch),
        outputs_(g.out.h * g.out.w),
        area_(g.in.h * g.in.w),
        plane_(plan.scatter_rows * g.in.w) {}

  std::int64_t blocks() const { return parts(outputs_, kLanes) * parts(tile_.channels, kTogether); }

  /// Finds the places. Returns false where a channel of an output has no bit, or several bits, or a
  /// bit that points beside the rows: such words must be read one by one.
  bool find() {
    if (g_.kernel.w == 3) return find_all<3>();
    return g_.kernel.w == 5 ? find_all<5>() : find_all<0>();
  }

  /// Adds the terms of channels [first, last), at most kTogether. `between()` is called for each of
  /// the blocks.
  template <class Between>
  void add(std::int64_t first, std::int64_t last, const Between& between) const {
    std::fill_n(scratch_.planes, (last - first) * plane_, 0.0f);
    const Strides4& s = g_.grad_output;
    const bool dense = s.w == 1 && s.h == g_.out.w;
    if (!dense) load_terms(first, last);
    const std::uint16_t* places = scratch_.places + first * kLanes;
    for (std::int64_t o = 0; o < outputs_; o += kLanes, places += kLanes * kLanes) {
      const std::int64_t count = std::min(kLanes, outputs_ - o);
      if (dense) {
        add_block(tile_.grad_output + first * s.c + o, s.c, places, count, last - first);
      } else {
        add_block(scratch_.linear + o, outputs_, places, count, last - first);
      }
      between();
    }
  }

  /// The finished plane of a channel, counted from the first of those that were added.
  template <bool stream>
  void finish(std::int64_t c, Scalar* to) const {
    const Floats d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const float* sums = scratch_.planes + c * plane_ + g_.padding.h * g_.in.w;
    if constexpr (sizeof(Scalar) == sizeof(float)) {
      for_each_place(lanes, [&](std::int64_t i) HWY_ATTR {
        const auto bits = Rounded<Scalar>(hn::LoadU(d, sums + i));
        if constexpr (stream) {
          stream_vector(Words(), bits, to + i);
        } else {
          store_lanes(bits, to + i);
        }
      });
    } else if (area_ < 2 * lanes) {
      for_each_place(
          lanes, [&](std::int64_t i) HWY_ATTR { narrow_to(to + i, d, hn::LoadU(d, sums + i)); });
    } else {
      for_each_place(2 * lanes, [&](std::int64_t i) HWY_ATTR {
        const auto bits = narrowed_pair<Scalar>(d, hn::LoadU(d, sums + i),  //
                                                hn::LoadU(d, sums + i + lanes));
        if constexpr (stream) {
          stream_vector(Places(), bits, to + i);
        } else {
          hn::StoreU(bits, Places(), reinterpret_cast<std::uint16_t*>(to + i));
        }
      });
    }
  }

 private:
  /// Of an output: its column, and where its window begins in a plane of sums.
  struct Position {
    std::int64_t column, start;
  };

  /// work(i) for vectors that make up a plane; the last one ends with it.
  template <class Work>
  HWY_INLINE void for_each_place(std::int64_t step, const Work& work) const {
    std::int64_t i = 0;
    for (; i + step <= area_; i += step) work(i);
    if (i < area_) work(area_ - step);
  }

  void load_terms(std::int64_t first, std::int64_t last) const {
    const Strides4& s = g_.grad_output;
    float* to = scratch_.linear;
    for (std::int64_t c = first; c < last; ++c) {
      for (std::int64_t oh = 0; oh < g_.out.h; ++oh, to += g_.out.w) {
        mask_pool::gather_rows::HWY_NAMESPACE::LoadTerms(tile_.grad_output + c * s.c + oh * s.h,
                                                         s.w, g_.out.w, to);
      }
    }
  }

  template <int width>
  bool find_all() {
    Position at = {0, -g_.padding.w};
    for (std::int64_t first = 0; first < outputs_; first += kLanes) {
      if (!find_places<width>(first, at)) return false;
    }
    return true;
  }

  /// Where the terms of 16 outputs go in the planes of sums of kTogether channels. `at`: of the
  /// first of them, then of the next block's. `width`: the kernel's, or 0.
  template <int width>
  bool find_places(std::int64_t first, Position& at) {
    const Places d;
    const std::int64_t kernel_w = width == 0 ? g_.kernel.w : width;
    const std::uint8_t* words = tile_.mask + plan_.mask.at(tile_.group, 0, first);
    PlaceVector columns[width == 0 ? kMostKernel : width], bits[8];
    for (std::int64_t kw = 0; kw < kernel_w; ++kw) columns[kw] = hn::Zero(d);
    for (auto& of_number : bits) of_number = hn::Zero(d);
    auto once = hn::Zero(d), wrong = hn::Zero(d);
    for (std::int64_t kh = 0; kh < g_.kernel.h; ++kh) {
      auto row = hn::Zero(d);
      for (std::int64_t kw = 0; kw < kernel_w; ++kw) {
        const auto word = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(words));
        words += 2 * plan_.mask.positions;
        wrong = hn::Or(wrong, hn::And(row, word));
        row = hn::Or(row, word);
        columns[kw] = hn::Or(columns[kw], word);
      }
      wrong = hn::Or(wrong, hn::And(once, row));
      once = hn::Or(once, row);
      AddNumber(kh, row, bits + 4);
    }
    const auto lane = hn::Iota(d, 0), outs = Value(g_.out.w), stride = Value(g_.stride.w);
    const std::int64_t next_row = g_.stride.h * g_.in.w - g_.stride.w * g_.out.w;
    auto column = hn::Add(lane, Value(at.column));
    auto start = hn::Add(hn::Mul(lane, stride), Value(at.start));
    for (std::int64_t wrapped = 0; wrapped < kLanes; wrapped += g_.out.w) {
      const auto wraps = hn::Not(hn::Lt(column, outs));
      column = hn::Sub(column, hn::IfThenElseZero(wraps, outs));
      start = hn::Add(start, hn::IfThenElseZero(wraps, Value(next_row)));
    }
    auto place = hn::Sub(hn::Mul(column, stride), Value(g_.padding.w));
    for (std::int64_t kw = 0; kw < kernel_w; ++kw) {
      const auto inside = hn::Lt(place, Value(g_.in.w));  // negative ones are large
      wrong = hn::Or(wrong, hn::IfThenZeroElse(inside, columns[kw]));
      place = hn::Add(place, Value(1));
      AddNumber(kw, columns[kw], bits);
    }
    const auto channels = Value((1 << tile_.channels) - 1);
    const auto count = static_cast<std::size_t>(outputs_ - first);
    const auto some = hn::IfThenElseZero(hn::FirstN(d, count), channels);
    wrong = hn::And(some, hn::Or(wrong, hn::Not(once)));
    if (!hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d)))) return false;

    TransposeBits(bits);
    // Of a number, the upper half is the row and the lower half the column.
    const auto rest = Value(g_.in.w - 16);
    const auto place_of = [&](PlaceVector number) HWY_ATTR {
      return hn::Add(start, hn::Add(number, hn::Mul(hn::ShiftRight<4>(number), rest)));
    };
    std::uint16_t* to = scratch_.places + first * kLanes;
    for (int c = 0; c < kTogether; ++c, to += kLanes) {
      hn::StoreU(place_of(hn::And(bits[c], Value(0xff))), d, to);
      hn::StoreU(place_of(hn::ShiftRight<8>(bits[c])), d, to + kTogether * kLanes);
      start = hn::Add(start, Value(plane_));
    }
    at.column += kLanes;
    at.start += kLanes * g_.stride.w;
    for (; at.column >= g_.out.w; at.column -= g_.out.w) at.start += next_row;
    return true;
  }

  /// The terms of a block: four at a time, channel after channel, so that a sum is not waited for
  /// when the next output's term, which often goes to the same place, is added. A Zen 3 takes about
  /// 1.7 cycles a term, as it does for stores to changing lines alone.
  template <class From>
  HWY_INLINE void add_block(const From* from, std::int64_t stride, const std::uint16_t* places,
                            std::int64_t count, std::int64_t channels) const {
    std::int64_t i = 0;
    for (; i + kFour <= count; i += kFour) {
      for (std::int64_t c = 0; c < channels; ++c) {
        add_four(from + c * stride + i, places + c * kLanes + i);
      }
    }
    for (; i < count; ++i) {
      for (std::int64_t c = 0; c < channels; ++c) {
        scratch_.planes[places[c * kLanes + i]] += widen(from[c * stride + i]);
      }
    }
  }

  template <class From>
  HWY_INLINE void add_four(const From* from, const std::uint16_t* at) const {
    const hn::CappedTag<float, kFour> d;
    auto terms = widen_from(d, reinterpret_cast<const Stored<From>*>(from));
    if constexpr (std::is_same_v<From, FloatViaFloat16>) terms = through_float16(d, terms);
    const auto odd = _mm_movehdup_ps(terms.raw), high = _mm_movehl_ps(terms.raw, terms.raw);
    std::uint64_t places;
    std::memcpy(&places, at, sizeof places);
    const auto add = [&](int i, __m128 term) HWY_ATTR {
      float& sum = scratch_.planes[places >> 16 * i & 0xffff];
      sum = sum + _mm_cvtss_f32(term);
    };
    add(0, terms.raw);
    add(1, odd);
    add(2, high);
    add(3, _mm_movehl_ps(odd, odd));
  }

  static constexpr std::int64_t kFour = 4;

  const MaxPool2dBackwardGeometry& g_;
  const Plan& plan_;
  const MaskTile<Scalar>& tile_;
  const Scratch& scratch_;
  std::int64_t outputs_, area_, plane_;
};

}  // namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET == HWY_AVX2

#endif  // GRADPROOF_KERNELS_MASK_POOL_SCATTER_LANES_INL_H_
