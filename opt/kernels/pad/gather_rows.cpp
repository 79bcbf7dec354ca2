// Planning of gather_rows.h, and the code of one gradInput row.
#include "opt/kernels/pad/gather_rows.h"

#include "opt/base/checked.h"
#include "opt/kernels/pad/sources.h"

namespace gradproof::kernels::pad::gather_rows {
namespace {

using Geometry = ReplicationPadBackwardGeometry;
using Buffers = ReplicationPadBackwardBuffers;

constexpr std::int64_t kTogether = 64;    // channels: whole lines of those that are side by side
constexpr std::int64_t kFewChannels = 8;  // fewer fill no vector
constexpr std::int64_t kMostFinished = 1 << 20;  // bytes of finished rows of a worker, for L2

/// Channels side by side in one tensor, columns in the other. Copies have elements of 2 or 4 bytes.
bool crossed(const Geometry& g) {
  const Strides4 &a = g.grad_output, &b = g.grad_input;
  return bytes_of(g.element) <= 4 && g.c >= kFewChannels && g.in.w > 1 && g.out.w > 1 &&
         ((a.c == 1 && b.w == 1) || (a.w == 1 && b.c == 1));
}

/// Column w of a gradInput row: the sum of the columns that were copied from it, in
/// ascending order; term(i) is scalar i of the densely numbered gradOutput row.
template <class Scalar, class Term>
void fold_column(const Geometry& g, const Row<Scalar>& to, std::int64_t w, const Term& term) {
  const Range columns = sources(w, g.in.w, g.out.w, g.left);
  for (std::int64_t lane = 0; lane < to.lanes; ++lane) {
    Scalar& x = to.at(w)[lane];
    if (columns.size() <= 0) {
      x = Scalar{};
      continue;
    }
    auto sum = term(columns.first, lane);
    for (std::int64_t j = columns.first + 1; j < columns.last; ++j) sum += term(j, lane);
    narrow(sum, x);
  }
}

/// A gradInput row from the `rows` of gradOutput; row(i) is the i-th of them.
template <class Scalar, class RowOf>
void gather_row(const Geometry& g, const Row<Scalar>& to, Range rows, const RowOf& row,
                SumOf<Scalar>* sums) {
  if (rows.size() <= 0) return zero_row(to);
  const Row<const Scalar> only = row(rows.first);
  const bool one = rows.size() == 1;
  prefetch_behind(only);
  prefetch_behind(to);
  if (!one) {
    load_row(sums, only);
    for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));
  }
  const auto fold = [&](std::int64_t w) {
    if (one) {
      fold_column(g, to, w,
                  [&](std::int64_t j, std::int64_t lane) { return widen(only.at(j)[lane]); });
    } else {
      fold_column(g, to, w,
                  [&](std::int64_t j, std::int64_t lane) { return sums[j * to.lanes + lane]; });
    }
  };
  fold(0);
  if (g.in.w == 1) return;
  fold(g.in.w - 1);
  // Between the ends a column has the one source w + left, or was cropped away.
  const std::int64_t first = std::clamp<std::int64_t>(-g.left, 1, g.in.w - 1);
  const std::int64_t last = std::clamp<std::int64_t>(g.out.w - g.left, first, g.in.w - 1);
  zero_row(to.part(1, first - 1));
  zero_row(to.part(last, g.in.w - 1 - last));
  const Row<Scalar> inner = to.part(first, last - first);
  if (inner.count == 0) return;
  if (one) {
    copy_row(inner, only.part(first + g.left, inner.count));
  } else {
    store_row(inner, sums + (first + g.left) * to.lanes);
  }
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : ReplicationPadBackwardPlan(geometry, on),
      planes(g.n, g.c, components_of(g.element), g.grad_output, g.grad_input) {
  const std::int64_t read = saturating_mul(g.out.h / g.in.h + 1, g.out.w);
  const std::int64_t row = saturating_mul(g.in.w, bytes_of(g.element));
  if (crossed(g)) together = std::min({g.c, kTogether, kMostFinished / row});
  if (together < kFewChannels) together = 1;
  const std::int64_t lanes = together > 1 ? together : planes.most_lanes();
  groups = together > 1 ? g.n * parts(g.c, together) : planes.count();
  tiling = tile_rows(groups * g.in.h, saturating_mul(lanes, saturating_add(g.in.w, read)), on);
  if (together > 1) {
    finished = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(row),
                                 static_cast<std::uint64_t>(together));
    streaming = saturating_mul(g.n * g.c, saturating_mul(g.in.h, row)) >= on.streamed_bytes(false);
  }
  // gather_row uses sums where a row has several sources: only the first and the last of a plane
  // do.
  const auto several = [&](std::int64_t h) {
    return sources(h, g.in.h, g.out.h, g.top).size() > 1;
  };
  if (tiling.rows > 0 && (several(0) || several(g.in.h - 1))) {
    const std::size_t bytes = visit_wide(
        g.element, [](auto type) { return sizeof(SumOf<typename decltype(type)::type>); });
    const bool rows_of_one = together > 1 && g.grad_input.w != 1;
    sums = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w),
                             static_cast<std::uint64_t>(rows_of_one ? 1 : lanes) * bytes);
  }
}

/// Rows of up to `together` channels, first as gradOutput has them, then transposed.
template <class Scalar>
void Plan::gather_crossed(const Buffers& b, std::int64_t group, std::int64_t h,
                          SumOf<Scalar>* of_row, Scalar* row) const {
  const std::int64_t of_sample = groups / g.n, n = group / of_sample;
  const std::int64_t c = group % of_sample * together, count = std::min(together, g.c - c);
  const Strides4 &s = g.grad_output, &t = g.grad_input;
  const Scalar* const from = static_cast<const Scalar*>(b.grad_output) + n * s.n + c * s.c;
  Scalar* const to = static_cast<Scalar*>(b.grad_input) + n * t.n + c * t.c + h * t.h;
  // Whether gradOutput's channels are contiguous: they are the lanes of one row then. Its columns
  // may have stride 1, too, because it may overlap itself; gradInput may not.
  const bool channels_last = t.w == 1;
  const std::int64_t lanes = channels_last ? count : 1;
  for (std::int64_t i = 0; i < count; i += lanes) {
    const auto source = [&](std::int64_t at) {
      return Row<const Scalar>{from + i * s.c + at * s.h, g.out.w, s.w, lanes};
    };
    gather_row(g, Row<Scalar>{row + i * g.in.w, g.in.w, lanes, lanes},
               sources(h, g.in.h, g.out.h, g.top), source, of_row);
  }
  const std::int64_t channel = channels_last ? 1 : g.in.w, column = channels_last ? count : 1;
  constexpr auto kScalars = static_cast<std::int64_t>(kLine / sizeof(Scalar));
  // A line's columns at a time, so that a line is written at once; streaming does so by itself.
  const bool whole_lines = reinterpret_cast<std::uintptr_t>(to) % kLine == 0 &&
                           (channels_last ? t.c : t.w) % kScalars == 0;
  const std::int64_t step = streaming && whole_lines ? g.in.w : kScalars;
  for (std::int64_t w = 0; w < g.in.w; w += step) {
    copy({count, std::min(step, g.in.w - w), channel, column, t.c, t.w, streaming}, sizeof(Scalar),
         reinterpret_cast<const std::byte*>(row + w * column),
         reinterpret_cast<std::byte*>(to + w * t.w));
  }
}

template <class Scalar>
void Plan::run_as(const Buffers& b, std::byte* workspace) const {
  parallel_rows(tiling, [&](std::int64_t index, int slot) {
    SumOf<Scalar>* const of_row = sums.at<SumOf<Scalar>>(workspace, slot);
    const std::int64_t h = index % g.in.h;
    if (together > 1) {
      gather_crossed(b, index / g.in.h, h, of_row, finished.at<Scalar>(workspace, slot));
      return;
    }
    const Planes::Plane plane = planes[index / g.in.h];
    const auto row = [&](std::int64_t i) {
      return planes.row(static_cast<const Scalar*>(b.grad_output), g.grad_output, plane, i,
                        g.out.w);
    };
    gather_row(g, planes.row(static_cast<Scalar*>(b.grad_input), g.grad_input, plane, h, g.in.w),
               sources(h, g.in.h, g.out.h, g.top), row, of_row);
  });
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });
  return {};
}

}  // namespace gradproof::kernels::pad::gather_rows
