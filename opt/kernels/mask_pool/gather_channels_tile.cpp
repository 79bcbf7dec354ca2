// One row of gather_channels.h, compiled for every instruction set.
#include "opt/kernels/mask_pool/gather_channels.h"

#include <algorithm>
#include <cstring>

#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/pool_window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/mask_pool/gather_channels_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/mask_pool/gather_lanes-inl.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_channels::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
using mask_pool::gather_lanes::HWY_NAMESPACE::AddSelected;
using mask_pool::gather_lanes::HWY_NAMESPACE::ChannelBits;
namespace {

using Geometry = MaxPool2dBackwardGeometry;
constexpr std::int64_t kLanes = MaskLayout::kChannels;

/// Where the terms of a column come from: the first row and column of outputs, how many there are,
/// and the distance in bytes between their words.
template <class To>
struct Sources {
  const To* terms;
  const std::uint8_t* words;
  std::int64_t rows, columns, words_row, words_next;
};

template <std::int64_t channels, class Scalar>
class Summed {
 public:
  Summed(const Geometry& g, const Row<Scalar>& row, bool streaming)
      : g_(g), row_(row), mask_(g.c, g.kernel, g.out), streaming_(streaming) {}

  void write() {
    const std::int64_t sh = g_.stride.h, sw = g_.stride.w, place = row_.h + g_.padding.h;
    const std::int64_t oh = place < g_.kernel.h ? 0 : (place - g_.kernel.h) / sh + 1;
    Sources<To> s{};
    s.rows = std::max<std::int64_t>(0, std::min(g_.out.h, place / sh + 1) - oh);
    // The stride of an axis of extent 1 may be any number, and its multiples need not fit.
    if (g_.out.h > 1) s.words_row = 2 * (g_.out.w - sh * g_.kernel.w * mask_.positions);
    if (g_.out.w > 1) s.words_next = 2 * (1 - sw * mask_.positions);
    if (oh + s.rows < g_.out.h) prefetch_row(oh + s.rows);
    for (std::int64_t first = 0; first < std::min(sw, g_.in.w); ++first) {
      // Columns with the same remainder get their terms from the same kernel positions.
      const std::int64_t at = first + g_.padding.w, least = at % sw;
      const std::int64_t count = least < g_.kernel.w ? (g_.kernel.w - 1 - least) / sw + 1 : 0;
      std::int64_t last = at / sw;
      // Counted, because the column after the last one need not fit.
      std::int64_t left = (g_.in.w - 1 - first) / sw + 1;
      for (std::int64_t w = first; left > 0;) {
        const std::int64_t low = std::max<std::int64_t>(0, last - count + 1);
        s.columns = std::max<std::int64_t>(0, std::min(last + 1, g_.out.w) - low);
        if (s.rows > 0 && s.columns > 0) {
          const std::int64_t kh = place - oh * sh, kw = least + (last - low) * sw;
          s.terms = reinterpret_cast<const To*>(row_.grad_output) + oh * g_.grad_output.h +
                    low * g_.grad_output.w;
          s.words = row_.mask + mask_.at(0, kh * g_.kernel.w + kw, oh * g_.out.w + low);
        }
        // As long as no edge takes terms away, those of the next column are beside this one's.
        const bool inside = last + 1 >= count && last < g_.out.w;
        const std::int64_t run = inside ? std::min(left, g_.out.w - last) : 1;
        sum_run(s, w, run);
        left -= run, last += run;
        if (left > 0) w += run * sw;
      }
    }
  }

 private:
  using To = Stored<Scalar>;

  /// Prefetches the words and terms of a row of outputs. Words are in as many places as windows
  /// have positions, and the terms' stride is that of all channels: the processor's own prefetcher
  /// follows neither.
  void prefetch_row(std::int64_t oh) const {
    constexpr std::int64_t kWords = kLine / 2;  // of a line
    for (std::int64_t group = 0; group * kLanes < channels; ++group) {
      for (std::int64_t k = 0; k < mask_.kernel_positions; ++k) {
        for (std::int64_t w = 0; w < g_.out.w; w += kWords)
          prefetch(row_.mask + mask_.at(group, k, oh * g_.out.w + w));
      }
    }
    const auto* terms = reinterpret_cast<const To*>(row_.grad_output) + oh * g_.grad_output.h;
    for (std::int64_t w = 0; w < g_.out.w; ++w) {
      for (std::int64_t c = 0; c < channels; c += kLine / sizeof(To))
        prefetch(terms + w * g_.grad_output.w + c);
    }
  }

  /// Loops over few terms are unrolled.
  void sum_run(const Sources<To>& s, std::int64_t w, std::int64_t n) {
    if (s.rows == 1) return sum_run<1>(s, w, n);
    if (s.rows == 2) return sum_run<2>(s, w, n);
    if (s.rows == 3) return sum_run<3>(s, w, n);
    sum_columns<0, 0>(s, w, n);
  }
  template <int rows>
  void sum_run(const Sources<To>& s, std::int64_t w, std::int64_t n) {
    if (s.columns == 1) return sum_columns<rows, 1>(s, w, n);
    if (s.columns == 2) return sum_columns<rows, 2>(s, w, n);
    if (s.columns == 3) return sum_columns<rows, 3>(s, w, n);
    sum_columns<0, 0>(s, w, n);
  }

  /// Sums `n` columns w, w + stride, …; the terms of each are one output to the right of those of
  /// the one before.
  /// @tparam rows, columns  of the terms; 0: what `s` says
  template <int rows, int columns>
  HWY_NOINLINE void sum_columns(const Sources<To> s, std::int64_t w, std::int64_t n) {
    const Floats d;
    // Copies: the compiler must assume that a store to a result changes the members.
    const std::int64_t row_count = rows > 0 ? rows : s.rows,
                       column_count = columns > 0 ? columns : s.columns;
    const std::int64_t next = g_.grad_output.w, down = g_.grad_output.h, group = mask_.at(1, 0, 0);
    // The stride of a single window may be any number.
    const std::int64_t step = n > 1 ? g_.stride.w * g_.grad_input.w : 0;
    const bool streaming = streaming_;
    To* const to = reinterpret_cast<To*>(row_.grad_input + w * g_.grad_input.w);
    alignas(64) float sums[channels];
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t c = 0; c < channels; c += static_cast<std::int64_t>(hn::Lanes(d))) {
        const auto bits = ChannelBits(c % kLanes);
        auto sum = hn::Zero(d);
        for (std::int64_t row = 0; row < row_count; ++row) {
          for (std::int64_t j = 0; j < column_count; ++j) {
            const std::uint8_t* word =
                s.words + c / kLanes * group + row * s.words_row + j * s.words_next + 2 * i;
            auto term = widen_from(d, s.terms + row * down + (i + j) * next + c);
            if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) term = through_float16(d, term);
            sum = AddSelected(word, bits, term, sum);
          }
        }
        if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) sum = through_float16(d, sum);
        hn::StoreU(sum, d, sums + c);
      }
      take_lines<channels>(to + i * step, sums, streaming);
    }
  }

  const Geometry& g_;
  const Row<Scalar>& row_;
  MaskLayout mask_;
  bool streaming_;
};

template <class Scalar>
void WriteRow(const Geometry& g, const Row<Scalar>& row, bool streaming) {
  if (row.channels == kChannels) return Summed<kChannels, Scalar>(g, row, streaming).write();
  Summed<kLanes, Scalar>(g, row, streaming).write();
}

}  // namespace

void write_row(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index) {
  visit_mask_scalar(plan.g, [&](auto type) HWY_ATTR {
    WriteRow(plan.g, plan.row<typename decltype(type)::type>(b, index), plan.streaming);
  });
}

}  // namespace gradproof::kernels::mask_pool::gather_channels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::mask_pool::gather_channels {
GRADPROOF_VARIANTS(write_row);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_row, set); }

}  // namespace gradproof::kernels::mask_pool::gather_channels
#endif  // HWY_ONCE
