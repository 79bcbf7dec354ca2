// A tile of ReplicationPad2dBackward whose rows have no gaps: nearly every gradInput row is a copy
// of a part of one gradOutput row with sums at its two ends; only the first and the last row of a
// plane add up several.
//
// Where the output is streamed, some rows are finished in a slab that stays in the first-level
// cache and then written out at once: row by row, the ends of each would share their lines with
// ordinary stores, a quarter of all lines at 128 columns of FLOAT.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/simd/replication_pad2d_backward_tile.cpp"
#include "opt/kernels/simd/dispatch.h"

#include "hwy/foreach_target.h"
#include "opt/kernels/simd/replication_pad2d_backward.h"
#include "opt/kernels/simd/stream-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {
namespace pb = pad_backward;

/// Adds the columns of [first, last), ascending, component by component, into one gradInput column.
template <class Scalar, class From>
HWY_INLINE void fold(Scalar* to, const From* from, pb::Range columns, std::int64_t components) {
  for (std::int64_t k = 0; k < components; ++k) {
    if (columns.size() <= 0) {
      to[k] = Scalar{};
      continue;
    }
    if constexpr (std::is_same_v<Scalar, From>) {
      const Scalar only = from[columns.first * components + k];
      if (columns.size() == 1 && widen(only) == widen(only)) {  // no NaN, which there is one of
        to[k] = only;
        continue;
      }
    }
    SumOf<Scalar> sum = widen(from[columns.first * components + k]);
    for (std::int64_t j = columns.first + 1; j < columns.last; ++j)
      sum += widen(from[j * components + k]);
    narrow(sum, to[k]);
  }
}

/// Where a row's columns come from. The same for all rows of a tile.
struct Columns {
  /// [first, last) of [0, w) lie right below a source. The ends are among them: what they get first
  /// does not stay, but copies that begin where a row begins cross no lines of the slab.
  std::int64_t first, last;
  pb::Range left, right;  ///< what the ends add up

  explicit Columns(const ReplicationPadBackwardGeometry& g)
      : first(std::clamp<std::int64_t>(-g.left, 0, g.in.w)),
        last(std::clamp<std::int64_t>(g.out.w - g.left, first, g.in.w)),
        left(pb::sources(0, g.in.w, g.out.w, g.left)),
        right(pb::sources(g.in.w - 1, g.in.w, g.out.w, g.left)) {}
};

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

/// sums[j] = row 0's scalar j + row 1's + …
template <class Scalar>
HWY_INLINE void sum_rows(SumOf<Scalar>* sums, const Scalar* first, std::int64_t stride,
                         std::int64_t rows, std::size_t n) {
  if constexpr (std::is_same_v<SumOf<Scalar>, float>) {
    const Floats d;
    if (in_vectors(n, [&](std::size_t i) HWY_ATTR {
          auto sum = widen_from(d, first + i);
          for (std::int64_t r = 1; r < rows; ++r)
            sum = hn::Add(sum, widen_from(d, first + r * stride + i));
          hn::StoreU(sum, d, sums + i);
        }))
      return;
  }
  for (std::size_t j = 0; j < n; ++j) {
    sums[j] = widen(first[j]);
    for (std::int64_t r = 1; r < rows; ++r) sums[j] += widen((first + r * stride)[j]);
  }
}

/// Rounds n sums.
template <class Scalar>
HWY_INLINE void narrow_row(Scalar* to, const SumOf<Scalar>* sums, std::size_t n) {
  if constexpr (std::is_same_v<SumOf<Scalar>, float>) {
    const Floats d;
    if (in_vectors(n,
                   [&](std::size_t i) HWY_ATTR { narrow_to(to + i, d, hn::LoadU(d, sums + i)); }))
      return;
  }
  for (std::size_t j = 0; j < n; ++j) narrow(sums[j], to[j]);
}

template <class Scalar, class From, class Write>
HWY_INLINE void write_row(const pb::Problem& p, const Columns& columns, Scalar* to,
                          const From* from, const Write& write) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t c = p.components, w = g.in.w;
  std::fill(to, to + columns.first * c, Scalar{});
  std::fill(to + columns.last * c, to + w * c, Scalar{});
  write(to + columns.first * c, from + (columns.first + g.left) * c,
        static_cast<std::size_t>((columns.last - columns.first) * c));
  fold(to, from, columns.left, c);
  if (w > 1) fold(to + (w - 1) * c, from, columns.right, c);
}

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

/// The gradInput row at `place`, written to `to`.
template <class Scalar>
HWY_INLINE void pad_row(const pb::Problem& p, const Columns& columns, Place place, Scalar* to,
                        SumOf<Scalar>* sums) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t c = p.components, h = place.h;
  const Scalar* from = static_cast<const Scalar*>(p.buffers.grad_output) +
                       (place.n * g.grad_output.n + place.c * g.grad_output.c) * c;
  const pb::Range rows = pb::sources(h, g.in.h, g.out.h, g.top);
  if (rows.size() <= 0) {
    std::fill_n(to, g.in.w * c, Scalar{});
    return;
  }
  const Scalar* first = from + rows.first * g.grad_output.h * c;
  if (rows.size() == 1) {
    prefetch_run(first, g.out.w * c);
    write_row(p, columns, to, first, [](Scalar* at, const Scalar* source, std::size_t n) HWY_ATTR {
      copy_short(at, source, n);
    });
    return;
  }
  sum_rows(sums, first, g.grad_output.h * c, rows.size(), static_cast<std::size_t>(g.out.w * c));
  write_row(p, columns, to, sums,
            [](Scalar* at, const SumOf<Scalar>* source, std::size_t n)
                HWY_ATTR { narrow_row(at, source, n); });
}

/// The same at its place in memory, which is whole lines, where the row is a part of one gradOutput
/// row: streams so spread over the reading. False where it is not.
template <class Scalar>
HWY_INLINE bool stream_row(const pb::Problem& p, const Columns& columns, Place place, Scalar* to) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t c = p.components, w = g.in.w, n = w * c;
  constexpr auto kInLine = static_cast<std::int64_t>(kLine / sizeof(Scalar));
  const pb::Range rows = pb::sources(place.h, g.in.h, g.out.h, g.top);
  if (rows.size() != 1 || g.left < 0 || g.out.w < w + g.left || n < 2 * kInLine) return false;
  const Scalar* from =
      static_cast<const Scalar*>(p.buffers.grad_output) +
      (place.n * g.grad_output.n + place.c * g.grad_output.c + rows.first * g.grad_output.h) * c;
  prefetch_run(from, g.out.w * c);
  const Scalar* source = from + g.left * c;
  alignas(kLine) Scalar ends[2 * kInLine];
  copy_short(ends, source, kInLine);
  copy_short(ends + kInLine, source + n - kInLine, kInLine);
  fold(ends, from, columns.left, c);
  fold(ends + 2 * kInLine - c, from, columns.right, c);
  write_copy(to + kInLine, source + kInLine, static_cast<std::size_t>(n - 2 * kInLine), true);
  write_copy(to, ends, kInLine, true);
  write_copy(to + n - kInLine, ends + kInLine, kInLine, true);
  return true;
}

template <class Scalar>
void pad_tile_of(const pb::Problem& p, std::int64_t tile, SumOf<Scalar>* sums, std::byte* slab) {
  const ReplicationPadBackwardGeometry& g = p.g;
  const std::int64_t begin = tile * p.rows_per_tile, row = g.in.w * p.components;
  const std::int64_t end = std::min(begin + p.rows_per_tile, g.n * g.c * g.in.h);
  auto* result = static_cast<Scalar*>(p.buffers.grad_input);
  const Columns columns(g);
  if (!p.streaming) {
    const Strides4& s = g.grad_input;
    Place place(g, begin);
    for (std::int64_t r = begin; r < end; ++r, place.advance(g)) {
      const std::int64_t at = place.n * s.n + place.c * s.c + place.h * s.h;
      pad_row(p, columns, place, result + at * p.components, sums);
    }
    return;
  }
  auto* finished = reinterpret_cast<Scalar*>(slab);
  Place place(g, begin);
  const bool lines = whole_lines(result, static_cast<std::size_t>(row));
  std::int64_t count = 1;
  for (std::int64_t r = begin; r < end; r += count) {
    if (lines && stream_row(p, columns, place, result + r * row)) {
      place.advance(g);
      continue;
    }
    if (!lines) count = std::min(p.rows_per_slab, end - r);
    for (std::int64_t i = 0; i < count; ++i, place.advance(g))
      pad_row(p, columns, place, finished + i * row, sums);
    write_copy(result + r * row, finished, static_cast<std::size_t>(count * row), true);
  }
  end_streams(true);
}

void pad_tile(const pb::Problem& p, std::int64_t tile, std::byte* sums, std::byte* slab) {
  visit_wide(p.g.element, [&](auto type) HWY_ATTR {
    using Scalar = typename decltype(type)::type;
    pad_tile_of<Scalar>(p, tile, reinterpret_cast<SumOf<Scalar>*>(sums), slab);
  });
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels {
HWY_EXPORT(pad_tile);

namespace pad_backward {
TileBody tile_body(InstructionSet set) { return GRADPROOF_DISPATCH(pad_tile, set); }
}  // namespace pad_backward
}  // namespace gradproof::kernels
#endif
