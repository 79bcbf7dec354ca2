// One row of gather_channels.h, compiled for every instruction set.
#include "opt/kernels/mask_pool/gather_channels.h"

#include <algorithm>
#include <cstring>

#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/pool_window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/mask_pool/gather_channels_tile.cpp"
#include "hwy/foreach_target.h"
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

/// Columns of a row that are summed at once: additions to one sum wait for each other, so others
/// run in between.
constexpr int kColumns = 4;

/// Outputs of a row that are prefetched. Their stride is that of all channels, and their words are
/// in as many places as windows have positions: the processor's own prefetcher follows neither.
constexpr std::int64_t kAhead = 16;

/// Where the terms of a position come from: rows and columns of outputs from the first one on, and
/// the distance in bytes between their words.
struct Sources {
  std::int64_t terms;
  const std::uint8_t* words;
  std::int64_t rows, columns, words_row, words_next;
};

template <class Scalar>
class Summed {
 public:
  Summed(const Geometry& g, const Row<Scalar>& row, bool streaming)
      : g_(g), row_(row), mask_(g.c, g.kernel, g.out), streaming_(streaming) {}

  void write() {
    const std::int64_t sh = g_.stride.h, sw = g_.stride.w, place = row_.h + g_.padding.h;
    const std::int64_t oh = place < g_.kernel.h ? 0 : (place - g_.kernel.h) / sh + 1;
    Sources s{};
    s.words = row_.mask;
    s.rows = std::min(g_.out.h, place / sh + 1) - oh;
    // The stride of an axis of extent 1 may be any number, and its multiples need not fit.
    if (g_.out.h > 1) s.words_row = 2 * (g_.out.w - sh * g_.kernel.w * mask_.positions);
    if (g_.out.w > 1) s.words_next = 2 * (1 - sw * mask_.positions);
    if (oh + s.rows < g_.out.h) prefetch_words(oh + s.rows);
    for (std::int64_t first = 0; first < std::min(sw, g_.in.w); ++first) {
      // Columns with the same remainder get their terms from the same kernel positions.
      const std::int64_t at = first + g_.padding.w, least = at % sw;
      const std::int64_t count = least < g_.kernel.w ? (g_.kernel.w - 1 - least) / sw + 1 : 0;
      std::int64_t last = at / sw;
      // Counted, because the column after the last one need not fit.
      std::int64_t left = (g_.in.w - 1 - first) / sw + 1;
      for (std::int64_t i = 0; left > 0;) {
        const bool inside = last - count >= -1 && last + kColumns <= g_.out.w && left >= kColumns;
        const std::int64_t low = std::max<std::int64_t>(0, last - count + 1);
        s.columns = std::min(last + 1, g_.out.w) - low;
        if (s.rows > 0 && s.columns > 0) {
          const std::int64_t kh = place - oh * sh, kw = least + (last - low) * sw;
          s.terms = oh * g_.grad_output.h + low * g_.grad_output.w;
          s.words = row_.mask + mask_.at(0, kh * g_.kernel.w + kw, oh * g_.out.w + low);
        }
        if (inside) {
          add<kColumns>(s, first + i * sw);
        } else {
          add<1>(s, first + i * sw);
        }
        const std::int64_t done = inside ? kColumns : 1;
        i += done, last += done, left -= done;
      }
    }
    end_streams(streaming_);
  }

 private:
  using To = Stored<Scalar>;

  /// Prefetches the words of a row of outputs.
  void prefetch_words(std::int64_t oh) const {
    constexpr std::int64_t kWords = kLine / 2;  // of a line
    for (std::int64_t group = 0; group < kChannels / kLanes; ++group) {
      for (std::int64_t k = 0; k < mask_.kernel_positions; ++k) {
        for (std::int64_t w = 0; w < g_.out.w; w += kWords)
          hwy::Prefetch(row_.mask + mask_.at(group, k, oh * g_.out.w + w));
      }
    }
  }

  /// Prefetches the terms of later columns in the last row; the other rows were read before.
  template <int columns>
  HWY_INLINE void prefetch_terms(const Sources& s, const To* grad) const {
    const To* at = grad + (s.rows - 1) * g_.grad_output.h + kAhead * g_.grad_output.w;
    for (int i = 0; i < columns; ++i, at += g_.grad_output.w) {
      for (std::size_t c = 0; c < kChannels; c += kLine / sizeof(To)) hwy::Prefetch(at + c);
    }
  }

  /// Sums columns w, w + stride, ….
  template <int columns>
  HWY_INLINE void add(const Sources& s, std::int64_t w) {
    const Floats d;
    const std::int64_t next = g_.grad_output.w;
    const auto* grad = reinterpret_cast<const To*>(row_.grad_output) + s.terms;
    if (columns > 1 && s.rows > 0) prefetch_terms<columns>(s, grad);
    alignas(64) float sums[columns * kChannels];
    for (std::int64_t c = 0; c < kChannels; c += static_cast<std::int64_t>(hn::Lanes(d))) {
      const auto bits = ChannelBits(c % kLanes);
      const std::uint8_t* group_words = s.words + c / kLanes * mask_.at(1, 0, 0);
      const auto term = [&](const To* at) HWY_ATTR {
        auto x = widen_from(d, at);
        if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) x = through_float16(d, x);
        return x;
      };
      const auto finish = [&](int i, hn::Vec<Floats> sum) HWY_ATTR {
        if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) sum = through_float16(d, sum);
        hn::StoreU(sum, d, sums + i * kChannels + c);
      };
#if HWY_HAVE_SCALABLE  // vectors of unknown size cannot be in arrays
      for (int i = 0; i < columns; ++i) {
        auto sum = hn::Zero(d);
        for (std::int64_t row = 0; row < s.rows; ++row) {
          const To* terms = grad + row * g_.grad_output.h + c;
          const std::uint8_t* words = group_words + row * s.words_row + 2 * i;
          for (std::int64_t j = 0; j < s.columns; ++j, words += s.words_next) {
            sum = AddSelected(words, bits, term(terms + (i + j) * next), sum);
          }
        }
        finish(i, sum);
      }
#else
      hn::Vec<Floats> sum[columns];
      for (int i = 0; i < columns; ++i) sum[i] = hn::Zero(d);
      for (std::int64_t row = 0; row < s.rows; ++row) {
        const To* terms = grad + row * g_.grad_output.h + c;
        const std::uint8_t* words = group_words + row * s.words_row;
        for (std::int64_t j = 0; j < s.columns; ++j, words += s.words_next) {
          for (int i = 0; i < columns; ++i) {
            sum[i] = AddSelected(words + 2 * i, bits, term(terms + (i + j) * next), sum[i]);
          }
        }
      }
      for (int i = 0; i < columns; ++i) finish(i, sum[i]);
#endif
    }
    for (int i = 0; i < columns; ++i) {
      auto* to = reinterpret_cast<To*>(row_.grad_input + (w + i * g_.stride.w) * g_.grad_input.w);
      take_lines<kChannels>(to, sums + i * kChannels, streaming_);
    }
  }

  const Geometry& g_;
  const Row<Scalar>& row_;
  MaskLayout mask_;
  bool streaming_;
};

template <class Scalar>
void WriteRow(const Geometry& g, const Row<Scalar>& row, bool streaming) {
  Summed<Scalar>(g, row, streaming).write();
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
