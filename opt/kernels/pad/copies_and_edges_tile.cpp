// A tile of ReplicationPad2dBackward whose rows have no gaps: nearly every gradInput row is a copy
// of a part of one gradOutput row with sums at its two ends; only the first and the last row of a
// plane sum several. Channels that are contiguous are lanes of their column, so a row holds all
// channels at once.
//
// Where the output is streamed, some short rows are finished in a staging buffer that stays in the
// L1 cache and then written out at once: row by row, the ends of each would share their
// lines with ordinary stores, a quarter of all lines at 128 columns of FLOAT.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/pad/copies_and_edges_tile.cpp"
#include "opt/kernels/vector/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/pad/copies_and_edges.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace ce = pad::copies_and_edges;

/// work(i) for whole vectors of n scalars from i on, the last one ending with them: it may do again
/// what was done. False, and nothing done, if they are too few.
template <class Work>
HWY_INLINE bool in_vectors(std::size_t n, const Work& work) {
  const std::size_t lanes = hn::Lanes(Floats());
  if (n < lanes) return false;
  for (std::size_t i = 0; i + lanes < n; i += lanes) work(i);
  work(n - lanes);
  return true;
}

/// to[j] = scalar j of the first run + of the next, `stride` scalars on, + … Not inlined: most rows
/// have no use for it.
template <class To, class From>
HWY_NOINLINE void add_runs(To* to, const From* first, std::int64_t stride, std::int64_t runs,
                           std::size_t n) {
  if constexpr (std::is_same_v<SumOf<From>, float>) {
    const Floats d;
    if (in_vectors(n, [&](std::size_t i) HWY_ATTR {
          auto sum = widen_from(d, first + i);
          for (std::int64_t r = 1; r < runs; ++r)
            sum = hn::Add(sum, widen_from(d, first + r * stride + i));
          narrow_to(to + i, d, sum);
        }))
      return;
  }
  for (std::size_t j = 0; j < n; ++j) {
    SumOf<From> sum = widen_one(first[j]);
    for (std::int64_t r = 1; r < runs; ++r) sum += widen_one((first + r * stride)[j]);
    narrow_one(sum, to[j]);
  }
}

/// Adds the columns of [first, last), ascending, lane by lane, into one gradInput column.
template <class Scalar, class From>
HWY_INLINE void fold(Scalar* to, const From* from, pad::Range columns, std::int64_t lanes) {
  if (columns.size() <= 0) {
    std::fill_n(to, lanes, Scalar{});
    return;
  }
  const From* first = from + columns.first * lanes;
  if (lanes > 2) {
    add_runs(to, first, lanes, columns.size(), static_cast<std::size_t>(lanes));
    return;
  }
  for (std::int64_t k = 0; k < lanes; ++k) {
    if constexpr (std::is_same_v<Scalar, From>) {
      if (columns.size() == 1 && widen_one(first[k]) == widen_one(first[k])) {  // no NaN
        to[k] = first[k];
        continue;
      }
    }
    SumOf<From> sum = widen_one(first[k]);
    for (std::int64_t j = 1; j < columns.size(); ++j) sum += widen_one(first[j * lanes + k]);
    narrow_one(sum, to[k]);
  }
}

/// Where a row's columns come from. The same for all rows of a tile.
struct Columns {
  /// [first, last) of [0, w) are right below a source. The ends are among them unless rows are
  /// streamed: what they get first does not stay, but copies that begin where a row begins cross
  /// no lines of the staging buffer.
  std::int64_t first, last;
  pad::Range left, right;  ///< what the ends add up

  explicit Columns(const ce::Problem& p)
      : left(pad::sources(0, p.g.in.w, p.g.out.w, p.g.left)),
        right(pad::sources(p.g.in.w - 1, p.g.in.w, p.g.out.w, p.g.left)) {
    const std::int64_t begin = p.writing == ce::Writing::rows ? 1 : 0;
    const std::int64_t end = std::max(begin, p.g.in.w - begin);
    first = std::clamp(-p.g.left, begin, end);
    last = std::clamp(p.g.out.w - p.g.left, first, end);
  }
};

/// A gradInput row. Rows follow each other without the divisions that finding one takes.
struct Place {
  std::int64_t n, c, h;

  Place(const ReplicationPadBackwardGeometry& g, std::int64_t row)
      : n(row / g.in.h / g.c), c(row / g.in.h % g.c), h(row % g.in.h) {}
  void advance(const ReplicationPadBackwardGeometry& g) {
    if (++h < g.in.h) return;
    h = 0;
    if (++c < g.c) return;
    c = 0;
    ++n;
  }
};

/// A gradInput row from several of gradOutput, the first of which is `first`. Not inlined, and what
/// it needs copied: few rows are such, and the others keep all in registers.
template <class Scalar>
HWY_NOINLINE void sum_rows(const ce::Problem& p, const Columns columns, std::int64_t rows,
                           Scalar* to, const Scalar* first, SumOf<Scalar>* sums) {
  const std::int64_t stride = p.g.grad_output.h * p.components, lanes = p.lanes, w = p.g.in.w;
  add_runs(to + columns.first * lanes, first + (columns.first + p.g.left) * lanes, stride, rows,
           static_cast<std::size_t>((columns.last - columns.first) * lanes));
  const auto end = [&](std::int64_t column, pad::Range range) HWY_ATTR {
    add_runs(sums, first + range.first * lanes, stride, rows,
             static_cast<std::size_t>(range.size() * lanes));
    fold(to + column * lanes, sums, {0, range.size()}, lanes);
  };
  end(0, columns.left);
  if (w > 1) end(w - 1, columns.right);
}

/// Whether streamed rows are prefetched. On a Zen 3, whose code is that for AVX2, they take 0.74 to
/// 1.0 of the time so. On a Zen 4 with AVX-512 they take longer.
inline constexpr bool kPrefetches = HWY_TARGET == HWY_AVX2;

/// The gradInput row at `place`, written to `to`.
template <class Scalar>
HWY_INLINE void pad_row(const ce::Problem& p, const Columns& columns, Place place, Scalar* to,
                        SumOf<Scalar>* sums) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t lanes = p.lanes, w = g.in.w;
  const pad::Range rows = pad::sources(place.h, g.in.h, g.out.h, g.top);
  if (rows.size() <= 0) {
    std::fill_n(to, w * lanes, Scalar{});
    return;
  }
  const Scalar* from =
      static_cast<const Scalar*>(p.buffers.grad_output) +
      (place.n * g.grad_output.n + place.c * g.grad_output.c + rows.first * g.grad_output.h) *
          p.components;
  std::fill(to, to + columns.first * lanes, Scalar{});
  std::fill(to + columns.last * lanes, to + w * lanes, Scalar{});
  if (rows.size() > 1) {
    sum_rows(p, columns, rows.size(), to, from, sums);
    return;
  }
  Scalar* inner = to + columns.first * lanes;
  const Scalar* source = from + (columns.first + g.left) * lanes;
  const std::int64_t n = (columns.last - columns.first) * lanes;
  if (p.writing == ce::Writing::rows) {
    write_copy(inner, source, static_cast<std::size_t>(n), true);
  } else {
    if (kPrefetches && p.writing == ce::Writing::staged) prefetch_run(from, g.out.w * lanes);
    copy_short(inner, source, static_cast<std::size_t>(n));
  }
  fold(to, from, columns.left, lanes);
  if (w > 1) fold(to + (w - 1) * lanes, from, columns.right, lanes);
}

/// Bytes of the longest row of whole lines that is prefetched. Longer ones take up to 1.1 times as
/// long if they are.
inline constexpr std::int64_t kMostPrefetched = 2048;

/// The same at its place in memory, which is whole lines, where the row is a part of one gradOutput
/// row: streams so spread over the reading. False where it is not.
template <class Scalar>
HWY_INLINE bool stream_row(const ce::Problem& p, const Columns& columns, Place place, Scalar* to) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t lanes = p.lanes, w = g.in.w, n = w * lanes;
  constexpr auto kInLine = static_cast<std::int64_t>(kLine / sizeof(Scalar));
  const pad::Range rows = pad::sources(place.h, g.in.h, g.out.h, g.top);
  if (rows.size() != 1 || g.left < 0 || g.out.w < w + g.left || lanes > kInLine || n < 2 * kInLine)
    return false;
  const Scalar* from =
      static_cast<const Scalar*>(p.buffers.grad_output) +
      (place.n * g.grad_output.n + place.c * g.grad_output.c + rows.first * g.grad_output.h) *
          p.components;
  const Scalar* source = from + g.left * lanes;
  if (kPrefetches && n <= kMostPrefetched / std::int64_t{sizeof(Scalar)})
    prefetch_run(from, g.out.w * lanes);
  // In the order of memory, which the processor's own prefetcher follows.
  alignas(kLine) Scalar ends[2 * kInLine];
  copy_short(ends, source, kInLine);
  fold(ends, from, columns.left, lanes);
  write_copy(to + kInLine, source + kInLine, static_cast<std::size_t>(n - 2 * kInLine), true);
  copy_short(ends + kInLine, source + n - kInLine, kInLine);
  fold(ends + 2 * kInLine - lanes, from, columns.right, lanes);
  write_copy(to, ends, kInLine, true);
  write_copy(to + n - kInLine, ends + kInLine, kInLine, true);
  return true;
}

template <class Scalar>
void pad_tile_of(const ce::Problem& p, std::int64_t tile, SumOf<Scalar>* sums, std::byte* staging) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t begin = tile * p.rows_per_tile, row = g.in.w * p.lanes;
  const std::int64_t end = std::min(begin + p.rows_per_tile, g.n * g.c * g.in.h);
  auto* result = static_cast<Scalar*>(p.buffers.grad_input);
  const Columns columns(p);
  Place place(g, begin);
  if (p.writing != ce::Writing::staged) {
    const Strides4& s = g.grad_input;
    for (std::int64_t r = begin; r < end; ++r, place.advance(g)) {
      const std::int64_t at = place.n * s.n + place.c * s.c + place.h * s.h;
      pad_row(p, columns, place, result + at * p.components, sums);
    }
    return;
  }
  auto* finished = reinterpret_cast<Scalar*>(staging);
  const bool lines = whole_lines(result, static_cast<std::size_t>(row));
  std::int64_t count = 1;
  for (std::int64_t r = begin; r < end; r += count) {
    if (lines && stream_row(p, columns, place, result + r * row)) {
      place.advance(g);
      continue;
    }
    if (!lines) count = std::min(p.rows_staged, end - r);
    for (std::int64_t i = 0; i < count; ++i, place.advance(g))
      pad_row(p, columns, place, finished + i * row, sums);
    write_copy(result + r * row, finished, static_cast<std::size_t>(count * row), true);
  }
}

void pad_tile(const ce::Problem& p, std::int64_t tile, std::byte* sums, std::byte* staging) {
  visit_wide(p.g.element, [&](auto type) HWY_ATTR {
    using Scalar = typename decltype(type)::type;
    pad_tile_of<Scalar>(p, tile, reinterpret_cast<SumOf<Scalar>*>(sums), staging);
  });
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels {
GRADPROOF_VARIANTS(pad_tile);

namespace pad::copies_and_edges {
TileBody tile_body(InstructionSet set) { return GRADPROOF_DISPATCH(pad_tile, set); }
}  // namespace pad::copies_and_edges
}  // namespace gradproof::kernels
#endif
