// One tile of select_pairs.h, compiled for every instruction set.
#include "opt/kernels/mask_pool/select_pairs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/mask_pool/select_pairs_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/mask_pool/terms_ahead.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/mask_pool/flat_planes-inl.h"
#include "opt/kernels/vector/column_pairs-inl.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::select_pairs::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// Whether vectors are written as they are finished: streamed where they make up whole lines.
constexpr bool kStreams = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3;

template <class Scalar>
class Blocks {
 public:
  Blocks(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile, const Scratch& scratch)
      : g_(g),
        plan_(plan),
        tile_(tile),
        keys_(reinterpret_cast<Key<Scalar>*>(scratch.keys)),
        terms_(reinterpret_cast<Key<Scalar>*>(scratch.terms)),
        width_(tile.w.last - tile.w.first),
        first_(tile.w.first / 2),
        outputs_(std::clamp<std::int64_t>(g.out.w - first_, 0, (width_ + 1) / 2)),
        joined_(g.grad_input.h == width_),
        spread_(kStreams && plan.long_rows && joined_ && tile.channels <= kFewChannels),
        flat_keys_(reinterpret_cast<Key<Scalar>*>(scratch.flat)) {
    staged_.start(scratch.staged, plan.streaming);
  }

  void write() {
#if HWY_TARGET == HWY_AVX2
    const std::int64_t all = tile_.channels * g_.in.h * g_.in.w;
    if (plan_.flat && whole_lines(tile_.grad_input, static_cast<std::size_t>(all))) {
      return write_flat();
    }
#endif
    for (std::int64_t h = tile_.h.first; h < tile_.h.last;) {
      const std::int64_t oh = (h + g_.padding.h) / g_.stride.h;
      const std::int64_t rows = std::clamp<std::int64_t>(g_.out.h - oh, 0, plan_.block_rows);
      const std::int64_t end = (oh + plan_.block_rows) * g_.stride.h - g_.padding.h;
      const Span block{h, std::min(end, tile_.h.last)};
      for (std::int64_t kh = 0; kh < g_.kernel.h; ++kh) read_keys(kh, oh, rows);
      read_terms(0, oh, rows);
      for (std::int64_t c = 0; c < tile_.channels; ++c) {
        // One channel ahead, so that its vectors have left the store buffer before a load overlaps
        // them.
        if (c + 1 < tile_.channels) read_terms(c + 1, oh, rows);
        write_rows(c, oh, rows, block);
      }
      h = block.last;
    }
    staged_.finish();
  }

 private:
  /// The keys of columns at kernel row kh, of `rows` rows of outputs: the words of these positions,
  /// which all channels of the tile test.
  void read_keys(std::int64_t kh, std::int64_t oh, std::int64_t rows) const {
    const bool joined = outputs_ == g_.out.w;
    const std::int64_t run = joined ? rows : 1;
    for (std::int64_t row = 0; row < rows; row += run) {
      const std::int64_t position = (oh + row) * g_.out.w + first_;
      Key<Scalar>* keys = keys_ + kh * plan_.pitch + 2 * row * outputs_;
      pair_words(tile_.mask + plan_.mask.at(tile_.group, 2 * kh, position),
                 tile_.mask + plan_.mask.at(tile_.group, 2 * kh + 1, position), run * outputs_,
                 keys);
    }
  }

  static void pair_words(const std::uint8_t* left, const std::uint8_t* right, std::int64_t n,
                         Key<Scalar>* HWY_RESTRICT keys) {
    const Floats d;
    const Words du;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(du));
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      store_pairs(keys + 2 * i, hn::PromoteTo(du, load_words(d, left + 2 * i)),
                  hn::PromoteTo(du, load_words(d, right + 2 * i)));
    }
    for (; i < n; ++i) {
      keys[2 * i] = static_cast<Key<Scalar>>(left[2 * i] | left[2 * i + 1] << 8);
      keys[2 * i + 1] = static_cast<Key<Scalar>>(right[2 * i] | right[2 * i + 1] << 8);
    }
  }

#if HWY_TARGET == HWY_AVX2
  /// All planes of the tile.
  void write_flat() const {
    const std::int64_t outputs = g_.out.h * g_.out.w, area = g_.in.h * g_.in.w;
    const std::int64_t stride = g_.grad_output.c;
    Key<Scalar>* keys = flat_keys_ + kFlatSpare;
    std::fill_n(flat_keys_, kFlatSpare, Key<Scalar>{});
    for (std::int64_t kh = 0; kh < 2; ++kh) read_keys(kh, 0, g_.out.h);
    for (std::int64_t h = 0; h < g_.in.h; ++h) {
      std::copy_n(keys_ + h % 2 * plan_.pitch + h / 2 * width_, width_, keys + h * width_);
    }
    std::fill_n(keys + area, kFlatSpare, Key<Scalar>{});
    FlatPlanes<Scalar> planes(*plan_.flat, keys, tile_.grad_input);
    const Scalar* grad = tile_.grad_output;
    flat_terms(grad, outputs, terms(0));
    for (std::int64_t c = 0; c < tile_.channels; ++c, grad += stride) {
      // One channel ahead, as below.
      if (c + 1 < tile_.channels) flat_terms(grad + stride, outputs, terms(c + 1));
      const Scalar* next = grad + tile_.channels * stride;  // probably of the next tile
      for (std::int64_t i = 0; i < outputs; i += std::int64_t{kLine / sizeof(Scalar)}) {
        prefetch_near(next + i);
      }
      const auto bit = static_cast<Key<Scalar>>(tile_.bit << c);
      plan_.streaming ? planes.template write<true>(terms(c), bit)
                      : planes.template write<false>(terms(c), bit);
    }
  }
#endif

  Key<Scalar>* terms(std::int64_t c) const { return terms_ + c % 2 * plan_.pitch; }

  void read_terms(std::int64_t c, std::int64_t oh, std::int64_t rows) const {
    const Strides4& s = g_.grad_output;
    const bool joined = outputs_ == g_.out.w && s.h == g_.out.w;
    const std::int64_t run = joined ? rows : 1, n = run * outputs_;
    for (std::int64_t row = 0; row < rows; row += run) {
      const Scalar* grad = tile_.grad_output + c * s.c + (oh + row) * s.h + first_;
      double_terms(grad, n, terms(c) + 2 * row * outputs_);
      if (spread_) continue;
      const bool more = oh + row + plan_.block_rows < g_.out.h;
      const std::int64_t next = more ? plan_.block_rows * s.h : tile_.channels * s.c - oh * s.h;
      prefetch_terms(grad, n, next, s.c, s.c * std::int64_t{sizeof(Scalar)} <= kShortPlane);
    }
  }

  /// Prefetches what is read some rows behind kSpread columns from i on, at kernel row kh of the
  /// row of outputs `oh`.
  HWY_INLINE void prefetch_columns(std::int64_t c, std::int64_t oh, std::int64_t kh,
                                   std::int64_t i) const {
    const std::int64_t column = first_ + i / 2, position = oh * g_.out.w + column;
    if (kh == 0) {
      const Strides4& s = g_.grad_output;
      prefetch_run(tile_.grad_output + c * s.c + oh * s.h + column, kSpread / 2);
    }
    if (c > 0) return;  // all channels test the same words
    for (const std::int64_t place : {2 * kh, 2 * kh + 1}) {
      prefetch_run(tile_.mask + plan_.mask.at(tile_.group, place, position), kSpread);
    }
  }

  /// `rows` rows of outputs of a channel, from oh on, that make up rows of gradInput without a
  /// column or row between windows: a loop for short rows. `ahead`: inputs are prefetched between
  /// the stores.
  template <std::size_t bytes, bool stream = false, bool ahead = false>
  HWY_NOINLINE void write_dense(std::int64_t c, std::int64_t oh, std::int64_t rows,
                                Scalar* to) const {
    const hn::CappedTag<Key<Scalar>, bytes / sizeof(Scalar)> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto bit = hn::Set(d, static_cast<Key<Scalar>>(tile_.bit << c));
    const std::int64_t kernel = g_.kernel.h, pitch = plan_.pitch, width = width_;
    auto* row = reinterpret_cast<Key<Scalar>*>(to);
    const Key<Scalar>* HWY_RESTRICT row_terms = terms(c);
    const Key<Scalar>* HWY_RESTRICT row_keys = keys_;
    for (std::int64_t o = 0; o < rows; ++o) {
      for (std::int64_t kh = 0; kh < kernel; ++kh) {
        for (std::int64_t i = 0; i < width; i += lanes) {
          if constexpr (ahead) {
            if (i % kSpread == 0) prefetch_columns(c, oh + o, kh, i);
          }
          const auto chosen = hn::TestBit(hn::LoadU(d, row_keys + kh * pitch + i), bit);
          const auto bits = hn::IfThenElseZero(chosen, hn::LoadU(d, row_terms + i));
          if constexpr (stream) {
            stream_vector(d, bits, row + i);
          } else {
            hn::StoreU(bits, d, row + i);
          }
        }
        row += width;
      }
      row_terms += width;
      row_keys += width;
    }
  }

  /// Rows `block` of a channel, from the `rows` rows of outputs from oh on.
  void write_rows(std::int64_t c, std::int64_t oh, std::int64_t rows, Span block) {
    const Strides4& s = g_.grad_input;
    const auto bit = static_cast<Key<Scalar>>(tile_.bit << c);
    Scalar* to = tile_.grad_input + c * s.c + block.first * s.h + tile_.w.first;
    const std::int64_t all = (block.last - block.first) * width_;
    // The row of the first window that the block begins at: a tile may begin within a window.
    std::int64_t kh = block.first + g_.padding.h - oh * g_.stride.h;
    const bool dense = joined_ && g_.kernel.h == g_.stride.h && width_ == 2 * outputs_ && kh == 0 &&
                       block.last - block.first == rows * g_.stride.h;
    if (kStreams && dense &&
        width_ * std::int64_t{sizeof(Scalar)} % (std::int64_t{kLine} / 2) == 0) {
      // Bursts of buffered stores stall, so vectors are streamed as they are finished. Rows that
      // stay in the caches need no copy. A row may end with half a line, so vectors have no more.
      if (!plan_.streaming) return write_dense<kLine / 2>(c, oh, rows, to);
      if (whole_lines(to, static_cast<std::size_t>(all))) {
        if (spread_) return write_dense<kLine / 2, kStreams, true>(c, oh, rows, to);
        return write_dense<kLine / 2, kStreams>(c, oh, rows, to);
      }
    }
    Scalar* row = joined_ ? staged_.append(to, all) : nullptr;
    if (dense) {
      if (width_ * std::int64_t{sizeof(Scalar)} <= std::int64_t{kLine} / 2) {
        write_dense<kLine / 2>(c, oh, rows, row);
      } else {
        write_dense<kLine>(c, oh, rows, row);
      }
      return staged_.settle();
    }
    std::int64_t o = 0;
    for (std::int64_t h = block.first; h < block.last; ++h, to += s.h) {
      if (!joined_) row = staged_.append(to, width_);
      const bool reached = o < rows && kh < g_.kernel.h;
      const std::int64_t columns = reached ? std::min(2 * outputs_, width_) : 0;
      const std::int64_t at = 2 * o * outputs_;
      select_columns(row, columns, terms(c) + at, keys_ + kh * plan_.pitch + at,
                     [bit](auto d, auto keys)
                         HWY_ATTR { return hn::TestBit(keys, hn::Set(d, bit)); });
      for (std::int64_t i = columns; i < width_; ++i) row[i] = Scalar{};
      if (joined_) {
        row += width_;
      } else {
        staged_.settle();
      }
      if (++kh < g_.stride.h) continue;
      kh = 0;
      ++o;
    }
    if (joined_) staged_.settle();
  }

  const Geometry& g_;
  const Plan& plan_;
  const MaskTile<Scalar>& tile_;
  Key<Scalar>*keys_, *terms_;
  std::int64_t width_, first_, outputs_;  ///< columns of gradInput; outputs that reach them
  bool joined_;                           ///< rows of gradInput have no gaps between them
  bool spread_;                           ///< prefetches go between the stores of long rows
  Key<Scalar>* flat_keys_;
  StagedRows<Scalar> staged_;
};

template <class Scalar>
void WriteTile(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
               const Scratch& scratch) {
  Blocks<Scalar>(g, plan, tile, scratch).write();
}

}  // namespace

void write_tile(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                const Scratch& scratch) {
  visit_mask_tile(plan, b, index,
                  [&](const auto& tile) HWY_ATTR { WriteTile(plan.g, plan, tile, scratch); });
}

}  // namespace gradproof::kernels::mask_pool::select_pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::mask_pool::select_pairs {
GRADPROOF_VARIANTS(write_tile);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_tile, set); }

}  // namespace gradproof::kernels::mask_pool::select_pairs
#endif  // HWY_ONCE
