// Planning of gather_rows.h, and the code of one gradInput row.
#include "opt/kernels/pad/gather_rows.h"

#include "opt/base/checked.h"
#include "opt/kernels/pad/sources.h"

namespace gradproof::kernels::pad::gather_rows {
namespace {

using Geometry = ReplicationPadBackwardGeometry;
using Buffers = ReplicationPadBackwardBuffers;

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
  const std::int64_t work = saturating_mul(planes.most_lanes(), saturating_add(g.in.w, read));
  tiling = tile_rows(planes.count() * g.in.h, work, on);
  // gather_row uses sums where a row has several sources: only the first and the last of a plane
  // do.
  const auto several = [&](std::int64_t h) {
    return sources(h, g.in.h, g.out.h, g.top).size() > 1;
  };
  if (tiling.rows > 0 && (several(0) || several(g.in.h - 1))) {
    const std::size_t bytes = visit_wide(
        g.element, [](auto type) { return sizeof(SumOf<typename decltype(type)::type>); });
    sums = layout.take_slots(tiling.workers, static_cast<std::uint64_t>(g.out.w),
                             static_cast<std::uint64_t>(planes.most_lanes()) * bytes);
  }
}

template <class Scalar>
void Plan::run_as(const Buffers& b, std::byte* workspace) const {
  parallel_rows(tiling, [&](std::int64_t index, int slot) {
    const Planes::Plane plane = planes[index / g.in.h];
    const std::int64_t h = index % g.in.h;
    const auto row = [&](std::int64_t i) {
      return planes.row(static_cast<const Scalar*>(b.grad_output), g.grad_output, plane, i,
                        g.out.w);
    };
    gather_row(g, planes.row(static_cast<Scalar*>(b.grad_input), g.grad_input, plane, h, g.in.w),
               sources(h, g.in.h, g.out.h, g.top), row, sums.at<SumOf<Scalar>>(workspace, slot));
  });
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });
  return {};
}

}  // namespace gradproof::kernels::pad::gather_rows
