// One tile of gather_lanes.h, compiled for every instruction set.
#include "opt/kernels/mask_pool/gather_lanes.h"

#include <cstring>

#include "opt/kernels/mask_pool/mask_ahead.h"
#include "opt/kernels/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/mask_pool/gather_lanes_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/mask_pool/gather_lanes-inl.h"
#include "opt/kernels/mask_pool/scatter_lanes-inl.h"
#include "opt/kernels/mask_pool/write_planes-inl.h"
#include "opt/kernels/vector/sink-inl.h"
#include "opt/kernels/vector/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// One tile. A vector holds one position of all its channels.
template <class Scalar>
class Transposed {
 public:
  Transposed(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
             const Scratch& scratch)
      : g_(g),
        plan_(plan),
        tile_(tile),
        scratch_(scratch),
        width_(tile.w.last - tile.w.first),
        area_((tile.h.last - tile.h.first) * width_),
        oh_(plan.h.reaching(tile.h)),
        ow_(plan.w.reaching(tile.w)),
        outputs_(std::max<std::int64_t>(0, ow_.last - ow_.first)),
        pitch_(outputs_ + 2 * plan.border),
        ahead_(g, plan, plan.h, tile) {
    const std::int64_t calls = (tile.h.last - tile.h.first) * parts(width_, kColumnsAtOnce);
    lines_per_call_ = parts(ahead_.lines(), calls);
  }

  void write() {
#if HWY_TARGET == HWY_AVX2
    if (plan_.scatter_rows > 0 && scatter()) return;
#endif
    load_terms();
    const Strides4& s = g_.grad_input;
    Scalar* place = tile_.grad_input + tile_.h.first * s.h + tile_.w.first * s.w;
    constexpr bool kVectorIsLine = HWY_TARGET == HWY_AVX3;
    if (kVectorIsLine && whole_planes() && plan_.batch_rows * width_ % kTransposed<Scalar> == 0) {
      return write_sums<true>(place, s.c);
    }
    if (!plan_.streaming && s.w == 1 && s.h == width_) return write_sums<false>(place, s.c);
    write_sums<false>(staging(), area_);
    write_finished(g_, tile_, staging(), plan_.streaming);
  }

 private:
  Scalar* staging() const { return reinterpret_cast<Scalar*>(scratch_.staging); }

  /// Whether planes are streamed to gradInput and are whole lines there.
  bool whole_planes() const {
    const Strides4& s = g_.grad_input;
    return plan_.streaming && s.w == 1 && s.h == width_ &&
           s.c * std::int64_t{sizeof(Scalar)} % std::int64_t{kLine} == 0 &&
           whole_lines(tile_.grad_input + tile_.h.first * s.h, static_cast<std::size_t>(area_));
  }

  /// The finished tile, channels `pitch` scalars from each other.
  template <bool stream>
  void write_sums(Scalar* to, std::int64_t pitch) {
    for (std::int64_t h = tile_.h.first; h < tile_.h.last;) {
      const std::int64_t last = std::min(h + plan_.batch_rows, tile_.h.last);
      for (std::int64_t row = h; row < last; ++row) {
        add_row(row, scratch_.sums + (row - h) * width_ * kLanes);
      }
      const std::int64_t n = (last - h) * width_;
      finish<stream>(n, to, pitch);
      to += n;
      h = last;
    }
  }

  void load_terms() {
    const Strides4& s = g_.grad_output;
    const std::int64_t rows = oh_.last - oh_.first;
    if (rows <= 0) return;
    const std::int64_t border = plan_.border * kLanes;
    for (std::int64_t row = 0; row < rows; ++row) {
      float* terms = scratch_.terms + row * pitch_ * kLanes;
      std::fill(terms, terms + border, 0.0f);
      std::fill(terms + border + outputs_ * kLanes, terms + pitch_ * kLanes, 0.0f);
    }
    if (outputs_ == 0) return;
    const Scalar* grad = tile_.grad_output + oh_.first * s.h + ow_.first * s.w;
    const bool joined = s.h == outputs_ * s.w;
    const std::int64_t run = joined ? rows : 1;
    for (std::int64_t row = 0; row < rows; row += run) {
      load_run(grad + row * s.h, run * outputs_,
               scratch_.terms + (row * pitch_ + plan_.border) * kLanes);
    }
  }

  /// Transposes n outputs of each channel into lanes.
  void load_run(const Scalar* grad, std::int64_t n, float* terms) {
    constexpr std::int64_t kBlock = kTransposed<Scalar>;
    const Strides4& s = g_.grad_output;
    const bool whole = s.w == 1 && n >= kBlock;
    for (std::int64_t i = 0; i < n; i += kBlock) {
      if (whole) i = std::min(i, n - kBlock);
      const std::int64_t count = std::min(kBlock, n - i);
      const Scalar* from = grad + i * s.w;
      std::int64_t stride = s.c;
      Scalar gathered[kLanes * kBlock];
      if (!whole) {
        for (std::int64_t c = 0; c < tile_.channels; ++c) {
          for (std::int64_t j = 0; j < count; ++j)
            gathered[c * kBlock + j] = from[c * stride + j * s.w];
        }
        from = gathered;
        stride = kBlock;
      }
      std::int64_t column = i % outputs_;
      float* to = terms + (i / outputs_ * pitch_ + column) * kLanes;
      alignas(kLine) std::uint32_t transposed[kLanes * kLanes];
      transpose_block(
          [&](std::int64_t c, std::int64_t lane) HWY_ATTR {
            // Missing channels repeat the last one; their lanes are ignored.
            const std::int64_t channel = std::min(c, tile_.channels - 1);
            return load_lanes(from + channel * stride + lane * kInLane<Scalar>);
          },
          [&](std::int64_t position, std::int64_t lane, hn::Vec<Words> row)
              HWY_ATTR { hn::StoreU(row, Words(), transposed + position * kLanes + lane); });
      for (std::int64_t j = 0; j < count; ++j) {
        const std::uint32_t* row = transposed + j / kInLane<Scalar> * kLanes;
        for_each_lane([&](std::int64_t lane) HWY_ATTR {
          const auto pair = hn::LoadU(Words(), row + lane);
          const auto term = kInLane<Scalar> == 2 && j % 2 == 1 ? SecondTerms<Scalar>(pair)
                                                               : FirstTerms<Scalar>(pair);
          hn::StoreU(term, Floats(), to + lane);
        });
        to += kLanes;
        if (++column < outputs_) continue;
        column = 0;
        to += 2 * plan_.border * kLanes;
      }
    }
  }

  template <class Load, class Store>
  static HWY_INLINE void transpose_block(const Load& load, const Store& store) {
    transpose(
        [&](std::size_t i, std::size_t j) HWY_ATTR {
          return hn::BitCast(Floats(),
                             load(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)));
        },
        [&](std::size_t j, std::size_t i, hn::Vec<Floats> row) HWY_ATTR {
          store(static_cast<std::int64_t>(j), static_cast<std::int64_t>(i),
                hn::BitCast(Words(), row));
        });
  }

  void add_row(std::int64_t h, std::uint32_t* sums) {
    const std::int64_t sw = g_.stride.w, sh = g_.stride.h, place = h + g_.padding.h;
    const std::int64_t low = place - g_.kernel.h, oh = low < 0 ? 0 : divided(low, sh) + 1;
    const std::int64_t kh = place - oh * sh;
    Sources s;
    s.rows = std::max<std::int64_t>(0, std::min(g_.out.h, divided(place, sh) + 1) - oh);
    s.terms_row = pitch_ * kLanes;
    s.words_row = 2 * (g_.out.w - sh * g_.kernel.w * plan_.mask.positions);
    s.words_next = 2 * (1 - sw * plan_.mask.positions);
    for (std::int64_t first = 0; first < std::min(sw, width_); ++first) {
      const std::int64_t at = tile_.w.first + g_.padding.w + first, group = divided(at, sw);
      const std::int64_t least = at - group * sw;
      s.count = least < g_.kernel.w ? divided(g_.kernel.w - 1 - least, sw) + 1 : 0;
      const std::int64_t ow = group + 1 - s.count, kw = at - ow * sw;
      s.terms =
          scratch_.terms + ((oh - oh_.first) * pitch_ + plan_.border + ow - ow_.first) * kLanes;
      s.words = tile_.mask + plan_.mask.at(tile_.group, kh * g_.kernel.w + kw, oh * g_.out.w + ow);
      const std::int64_t columns = divided(width_ - 1 - first, sw) + 1;
      visit_count(s.count, [&](auto count) HWY_ATTR {
        add_columns<decltype(count)::value>(s, columns, sums + first * kLanes);
      });
    }
  }

  /// Rows and columns mostly move by one, and divisions take 5 % of the time.
  static HWY_INLINE std::int64_t divided(std::int64_t n, std::int64_t stride) {
    return stride == 1 ? n : n / stride;
  }

  /// Sums of neighbours, a stride apart, whose rows of terms are a multiple of `count`.
  template <int count>
  HWY_INLINE void add_columns(Sources s, std::int64_t columns, std::uint32_t* to) {
    const auto add = [&](auto some) HWY_ATTR {
      constexpr int kSome = decltype(some)::value;
      for (; columns >= kSome; columns -= kSome) {
        AddSources<Scalar, kSome, count>(s, to, g_.stride.w);
        ahead_.call(lines_per_call_);
        to += kSome * g_.stride.w * kLanes;
        s.terms += kSome * kLanes;
        s.words += kSome * 2;
      }
    };
    add(std::integral_constant<int, kColumnsAtOnce>());
    add(std::integral_constant<int, 4>());
    add(std::integral_constant<int, 2>());
    add(std::integral_constant<int, 1>());
  }

  /// Writes n positions of all channels, which are whole lines if they are streamed.
  template <bool stream>
  void finish(std::int64_t n, Scalar* to, std::int64_t channel_pitch) {
    constexpr std::int64_t kBlock = kTransposed<Scalar>;
    for (std::int64_t i = 0; i < n; i += kBlock) {
      if (n >= kBlock) i = std::min(i, n - kBlock);
      const std::uint32_t* sums = scratch_.sums + i * kLanes;
      const auto load = [&](std::int64_t place, std::int64_t lane) HWY_ATTR {
        const Words du;
        if constexpr (kInLane<Scalar> == 1) {
          return hn::LoadU(du, sums + place * kLanes + lane);
        } else {
          const auto first = hn::LoadU(du, sums + 2 * place * kLanes + lane);
          const auto second = hn::LoadU(du, sums + (2 * place + 1) * kLanes + lane);
          return hn::Or(hn::ShiftRight<16>(first), hn::And(second, hn::Set(du, 0xffff0000u)));
        }
      };
      const std::int64_t channels = tile_.channels;
      Scalar few[kLanes * kBlock];
      Scalar* rows = n >= kBlock ? to + i : few;
      const std::int64_t pitch = n >= kBlock ? channel_pitch : kBlock;
      transpose_block(load, [&](std::int64_t c, std::int64_t lane, hn::Vec<Words> row) HWY_ATTR {
        if (c >= channels) return;
        Scalar* place = rows + c * pitch + lane * kInLane<Scalar>;
        if constexpr (stream) {
          stream_vector(Words(), row, place);
        } else {
          store_lanes(row, place);
        }
      });
      if (n >= kBlock) continue;
      for (std::int64_t c = 0; c < channels; ++c)
        std::copy_n(few + c * kBlock, n, to + c * channel_pitch);
    }
  }

#if HWY_TARGET == HWY_AVX2
  /// All of the tile, as far as its words allow it.
  bool scatter() {
    Scatter<Scalar> terms(g_, plan_, tile_, scratch_);
    if (!terms.find()) return false;
    const std::int64_t lines = parts(ahead_.lines(), std::max<std::int64_t>(1, terms.blocks()));
    const Strides4& s = g_.grad_input;
    const bool whole = whole_planes();
    for (std::int64_t first = 0; first < tile_.channels; first += kTogether) {
      const std::int64_t last = std::min(first + kTogether, tile_.channels);
      terms.add(first, last, [&]() HWY_ATTR { ahead_.call(lines); });
      for (std::int64_t c = first; c < last; ++c) {
        if (whole) {
          terms.template finish<true>(c - first, tile_.grad_input + c * s.c);
        } else {
          terms.template finish<false>(c - first, staging() + c * area_);
        }
      }
    }
    if (!whole) write_finished(g_, tile_, staging(), plan_.streaming);
    return true;
  }
#endif

  const Geometry& g_;
  const Plan& plan_;
  const MaskTile<Scalar>& tile_;
  const Scratch& scratch_;
  std::int64_t width_, area_;
  Span oh_, ow_;
  std::int64_t outputs_, pitch_;  ///< outputs of a row of terms, and with its borders
  MaskAhead ahead_;
  std::int64_t lines_per_call_ = 0;
};

template <class Scalar>
void WriteTile(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
               const Scratch& scratch) {
  Transposed<Scalar>(g, plan, tile, scratch).write();
}

}  // namespace

void write_tile(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                const Scratch& scratch) {
  visit_mask_tile(plan, b, index,
                  [&](const auto& tile) HWY_ATTR { WriteTile(plan.g, plan, tile, scratch); });
}

}  // namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::mask_pool::gather_lanes {
GRADPROOF_VARIANTS(write_tile);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_tile, set); }

}  // namespace gradproof::kernels::mask_pool::gather_lanes
#endif  // HWY_ONCE
