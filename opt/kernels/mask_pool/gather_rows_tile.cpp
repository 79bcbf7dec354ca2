// One tile of gather_rows.h, compiled for every instruction set.
#include "opt/kernels/mask_pool/gather_rows.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/mask_pool/gather_rows_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/mask_pool/terms_ahead.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/mask_pool/quads-inl.h"
#include "opt/kernels/mask_pool/threes-inl.h"
#include "opt/kernels/vector/sink-inl.h"
#include "opt/kernels/vector/strided_copy-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// One tile, block by block. In a block, rows and columns of gradInput are in groups of a stride
/// each: sum i is that of group i / pitch of rows and i % pitch of columns.
template <class Scalar>
class Blocks {
 public:
  Blocks(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile, const Scratch& scratch)
      : g_(g),
        plan_(plan),
        tile_(tile),
        scratch_(scratch),
        width_(tile.w.last - tile.w.first),
        outputs_(plan.w.reaching(tile.w)),
        columns_(std::max<std::int64_t>(0, outputs_.last - outputs_.first)),
        pitch_(std::max((width_ - 1) / g.stride.w + 1, columns_)),
        joined_(g.grad_input.w == 1 && g.grad_input.h == width_),
        dense_(g.stride.h == 1 && g.stride.w == 1 && pitch_ == width_ && joined_),
        threes_(dense_ && g.kernel.h == 3 && g.kernel.w == 3) {
    staged_.start(scratch.staged, plan.streaming);
  }

  void write() {
    for (std::int64_t h = tile_.h.first; h < tile_.h.last; h += plan_.block_rows) {
      rows_ = {h, std::min(h + plan_.block_rows, tile_.h.last)};
      groups_ = (rows_.last - h - 1) / g_.stride.h + 1;
      choose_way();
      find_sources();
      load(0);
      for (std::int64_t c = 0; c < tile_.channels; ++c) {
        // One channel ahead, and below one behind, so that vectors have left the store buffer
        // before a load overlaps them.
        if (c + 1 < tile_.channels) load(c + 1);
        if (dense_) {
          write_dense(c);
        } else if (paired_) {
          write_pairs(c);
        } else {
          stage_block(c);
          if (c > 0) write_rows(c - 1, rows_);
        }
      }
      if (!dense_ && !paired_) write_rows(tile_.channels - 1, rows_);
    }
    staged_.finish();
  }

 private:
  Axis rows_axis() const { return {rows_.first + g_.padding.h, g_.stride.h, g_.kernel.h}; }
  Axis columns_axis() const { return {tile_.w.first + g_.padding.w, g_.stride.w, g_.kernel.w}; }

  /// What the block's sums are made of, and the words of each kernel position.
  void find_sources() {
    const Axis h = rows_axis(), w = columns_axis();
    std::int64_t ow[kMostSources], oh[kMostSources];
    for (std::int64_t k = 0; k < h.kernel; ++k) oh[k] = h.output(k);
    for (std::int64_t k = 0; k < w.kernel; ++k) ow[k] = w.output(k);
    term_rows_ = {*std::min_element(oh, oh + h.kernel),
                  *std::max_element(oh, oh + h.kernel) + groups_};
    const BlockWords block{g_,       plan_.mask, tile_.mask, tile_.group,
                           outputs_, pitch_,     groups_,    words_ahead()};
    std::uint16_t* words = scratch_.words;
    // Where many terms are summed at once, two kernel positions' words may share lanes.
    const bool shared = kPairedWords && (quads_ || threes_);
    const auto unpack = [&](std::int64_t k, std::int64_t first, std::int64_t column) {
      if (!shared) return block.unpack(k, first, column, words);
      if ((words - scratch_.words) / kWordsPitch % 2 == 0) {
        block.template unpack<WordPlace::low>(k, first, column, words);
      } else {
        block.template unpack<WordPlace::high>(k, first, column, words - kWordsPitch);
      }
    };
    for (std::int64_t at = 0; at < h.remainders(); ++at) {
      const std::int64_t i = h.in_order(at);
      for (std::int64_t of_row = 0; of_row < w.remainders(); ++of_row) {
        const std::int64_t j = w.in_order(of_row);
        const std::int64_t kh_last = h.last(i), kw_last = w.last(j);
        const std::int64_t column = columns_ == 0 ? 0 : ow[kw_last] - outputs_.first;
        sources_[i * w.remainders() + j] = {words,
                                            (oh[kh_last] - term_rows_.first) * pitch_ + column,
                                            kh_last / h.stride + 1, kw_last / w.stride + 1};
        // Descending kernel positions are ascending output positions.
        for (std::int64_t kh = kh_last; kh >= 0; kh -= h.stride) {
          for (std::int64_t kw = kw_last; kw >= 0; kw -= w.stride) {
            unpack(kh * w.kernel + kw, oh[kh], ow[kw]);
            words += kWordsPitch;
          }
        }
      }
    }
  }

  /// Bytes from the words of this block to those of the next one, of this tile or of the next
  /// group, which is the next tile where planes are whole.
  std::int64_t words_ahead() const {
    if (rows_.last < tile_.h.last) return 2 * groups_ * g_.out.w;
    const std::int64_t group = plan_.mask.kernel_positions * plan_.mask.positions;
    const std::int64_t first = std::max<std::int64_t>(0, term_rows_.first);
    return 2 * (plan_.workers * group - first * g_.out.w);
  }

  /// Rows may be written in pairs where they fill vectors well.
  void choose_way() {
    const Strides4& s = g_.grad_input;
    const bool halves = g_.stride.h == 2 && g_.stride.w == 2 && g_.kernel.h == g_.kernel.w &&
                        padding() == columns_axis().place % 2;
    quads_ = halves && (kernel() == 3 || (kernel() == 2 && padding() == 0));
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
    const std::int64_t pairs = (width_ + 1) / 2;
    exact_ = width_ % 2 == 0 && pairs >= lanes && (rows_.last - rows_.first) % 2 == 0;
    paired_ =
        quads_ && pairs >= lanes / 4 * 3 && s.w == 1 && (joined_ || (exact_ && !plan_.streaming));
  }

  float* terms(std::int64_t c) const {
    return scratch_.terms + c % 2 * plan_.terms_pitch + plan_.front;
  }

  void load(std::int64_t c) {
    const Strides4& s = g_.grad_output;
    finite_[c % 2] = kFiniteSums<Scalar>;
    const Span oh{std::max<std::int64_t>(0, term_rows_.first), std::min(g_.out.h, term_rows_.last)};
    if (columns_ == 0 || oh.first >= oh.last) return;
    const bool joined = s.w == 1 && s.h == pitch_ && columns_ == pitch_;
    const std::int64_t run = joined ? oh.last - oh.first : 1, n = run * columns_;
    for (std::int64_t o = oh.first; o < oh.last; o += run) {
      const Scalar* grad = tile_.grad_output + c * s.c + o * s.h + outputs_.first * s.w;
      const bool all = LoadTerms(grad, s.w, n, terms(c) + (o - term_rows_.first) * pitch_);
      finite_[c % 2] = finite_[c % 2] && all;
      if (!plan_.streaming) continue;
      const bool more = oh.last < g_.out.h;
      const std::int64_t next = more ? groups_ * s.h : tile_.channels * s.c - oh.first * s.h;
      prefetch_terms(grad, n, next, s.c, true);
    }
  }

  std::int64_t kernel() const { return g_.kernel.h; }
  std::int64_t padding() const { return rows_axis().place % 2; }

  Channel channel(std::int64_t c) const {
    return {terms(c), static_cast<std::uint16_t>(tile_.bit << c), finite_[c % 2]};
  }

  /// Those of the rows and columns that are `row` and `column` after the block's first.
  Sources sources(std::int64_t row, std::int64_t column) const {
    const Axis h = rows_axis(), w = columns_axis();
    const std::int64_t i = h.index(row), j = w.index(column);
    // No outputs. The words' position still advances, though none is read.
    if (i >= h.remainders() || j >= w.remainders()) return {.words = scratch_.words};
    return sources_[i * w.remainders() + j];
  }

  Scalar* place(std::int64_t c, std::int64_t row) const {
    const Strides4& s = g_.grad_input;
    return tile_.grad_input + c * s.c + row * s.h + tile_.w.first * s.w;
  }
  Scalar* place(std::int64_t c) const { return place(c, rows_.first); }

  /// The block of a channel, whose sums are stored as in gradInput.
  void write_dense(std::int64_t c) {
    const std::int64_t n = (rows_.last - rows_.first) * width_;
    const bool in_place = !plan_.streaming && n >= 2 * std::int64_t{kMostFloats};
    Scalar* to = in_place ? place(c) : staged_.append(place(c), n);
    if (threes_) {
      WriteThrees(sources(0, 0), channel(c), pitch_, n, to);
    } else {
      WriteFlat(sources(0, 0), channel(c), pitch_, n, to);
    }
    staged_.settle();
  }

  /// The block of a channel, by pairs of rows.
  void write_pairs(std::int64_t c) {
    const std::int64_t all = rows_.last - rows_.first;
    const Channel from = channel(c);
    if (kFiniteSums<Scalar> && plan_.streaming && exact_ && whole_vectors(place(c))) {
      auto streamed = pairs(0, groups_, place(c), width_);
      streamed.stream = true;
      return WriteQuads(kernel(), padding(), from, streamed);
    }
    if (plan_.streaming) {
      WriteQuads(kernel(), padding(), from,
                 pairs(0, groups_, staged_.append(place(c), all * width_), width_));
      return staged_.settle();
    }
    // Memory after the last pair may belong to another tensor.
    const std::int64_t apart = exact_ ? 0 : 1;
    WriteQuads(kernel(), padding(), from, pairs(0, groups_ - apart, place(c), g_.grad_input.h));
    if (exact_) return;
    WriteQuads(kernel(), padding(), from,
               pairs(groups_ - 1, 1, staging(c, 0), plan_.staging_pitch));
    write_rows(c, {rows_.first + 2 * (groups_ - 1), rows_.last});
  }

  /// Whether pairs of rows from `to` on are whole lines, and can be streamed.
  bool whole_vectors(const Scalar* to) const {
    const bool run = HWY_TARGET == HWY_AVX2 || 2 * pitch_ == width_;
    return run && width_ % (2 * kStreamedSums) == 0 &&
           reinterpret_cast<std::uintptr_t>(to) % kLine == 0;
  }
  RowPairs<Scalar> pairs(std::int64_t first, std::int64_t count, Scalar* to,
                         std::int64_t row) const {
    return {first * pitch_, count, (width_ + 1) / 2, pitch_, sources(0, 0), to, row};
  }

  Scalar* staging(std::int64_t c, std::int64_t row) const {
    return reinterpret_cast<Scalar*>(scratch_.staging) +
           (c % 2 * plan_.staging_rows + row) * plan_.staging_pitch;
  }

  /// The block of a channel into the staging buffer, the rows of one remainder after the other.
  void stage_block(std::int64_t c) const {
    const std::int64_t sw = g_.stride.w, all = rows_.last - rows_.first;
    if (quads_) {
      auto all_pairs = pairs(0, 1, staging(c, 0), plan_.staging_pitch);
      all_pairs.columns = groups_ * pitch_;
      return WriteQuads(kernel(), padding(), channel(c), all_pairs);
    }
    for (std::int64_t row = 0; row < std::min(g_.stride.h, all); ++row) {
      const std::int64_t n = ((all - row - 1) / g_.stride.h + 1) * pitch_;
      Scalar* to = staging(c, row);
      if (sw == 1) {
        WriteFlat(sources(row, 0), channel(c), pitch_, n, to);
      } else if (sw == 2) {
        WritePairs(sources(row, 0), sources(row, 1), channel(c), pitch_, n, to);
      } else {
        auto* some = reinterpret_cast<Scalar*>(scratch_.row);
        for (std::int64_t column = 0; column < std::min(sw, width_); ++column) {
          WriteFlat(sources(row, column), channel(c), pitch_, n, some);
          for (std::int64_t i = 0; i < n; ++i) to[column + i * sw] = some[i];
        }
      }
    }
  }

  /// Rows of a channel from the staging buffer to gradInput.
  void write_rows(std::int64_t c, Span rows) {
    const Strides4& s = g_.grad_input;
    const std::int64_t all = rows.last - rows.first;
    Scalar* to = place(c, rows.first);
    // Rows are not collected if they are whole lines, or not streamed.
    const bool wait =
        joined_ && plan_.streaming && !whole_lines(to, static_cast<std::size_t>(width_));
    Scalar* waiting = wait ? staged_.append(to, all * width_) : nullptr;
    std::int64_t row = 0, at = 0;
    for (std::int64_t h = 0; h < all; ++h, to += s.h) {
      const Scalar* from = staging(c, row) + at;
      if (wait) {
        copy_to_end(waiting + h * width_, from);
      } else if (s.w == 1 && !plan_.streaming) {
        copy_row(to, from, joined_ ? (all - h) * width_ : width_);
      } else if (s.w == 1) {
        write_copy(to, from, static_cast<std::size_t>(width_), true);
      } else {
        copy_into_gaps(from, width_, to, s.w);
      }
      if (++row < g_.stride.h) continue;
      row = 0;
      at += pitch_ * g_.stride.w;
    }
    if (wait) staged_.settle();
  }

  /// A row, and to the end of a line more.
  HWY_INLINE void copy_to_end(Scalar* to, const Scalar* from) const {
    const hn::CappedTag<std::uint8_t, kLine> d;
    const std::int64_t bytes = width_ * std::int64_t{sizeof(Scalar)};
    auto* target = reinterpret_cast<std::uint8_t*>(to);
    const auto* source = reinterpret_cast<const std::uint8_t*>(from);
    for (std::int64_t i = 0; i < bytes; i += static_cast<std::int64_t>(hn::Lanes(d))) {
      hn::StoreU(hn::LoadU(d, source + i), d, target + i);
    }
  }

  /// A row; what follows it, up to `room` scalars from its beginning, may be overwritten.
  HWY_INLINE void copy_row(Scalar* to, const Scalar* from, std::int64_t room) const {
    constexpr auto kScalars = std::int64_t{kLine / sizeof(Scalar)};
    if ((width_ + kScalars - 1) / kScalars * kScalars <= room) return copy_to_end(to, from);
    copy_short(to, from, static_cast<std::size_t>(width_));
  }

  const Geometry& g_;
  const Plan& plan_;
  const MaskTile<Scalar>& tile_;
  const Scratch& scratch_;
  std::int64_t width_;  ///< columns of gradInput
  Span outputs_;        ///< columns of outputs that reach them
  std::int64_t columns_, pitch_;
  bool joined_, dense_, threes_;
  bool quads_ = false, paired_ = false, exact_ = false;
  Span rows_{}, term_rows_{};
  std::int64_t groups_ = 0;
  bool finite_[2] = {};  ///< of the terms of two channels in turn
  Sources sources_[kMostSources];
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

}  // namespace gradproof::kernels::mask_pool::gather_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::mask_pool::gather_rows {
GRADPROOF_VARIANTS(write_tile);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_tile, set); }

}  // namespace gradproof::kernels::mask_pool::gather_rows
#endif  // HWY_ONCE
