// The tiles of ReplicationPad2dBackward in vectors, their scratch memory and their loop.
#include "opt/kernels/pad/copies_and_edges.h"

#include "opt/base/checked.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels::pad::copies_and_edges {
namespace {

using Geometry = ReplicationPadBackwardGeometry;

/// Staging buffer of finished rows: a fraction of the L1 cache.
constexpr std::int64_t kStagingBytes = 8192;

/// Columns follow each other, `run` elements apart.
bool follow(const Geometry& g, std::int64_t run) {
  return (g.grad_output.w == run || g.out.w == 1) && (g.grad_input.w == run || g.in.w == 1);
}

bool channels_last(const Geometry& g) {
  return g.grad_output.c == 1 && g.grad_input.c == 1 && follow(g, g.c);
}

/// Rows of gradInput, `row` elements each, follow each other.
bool contiguous(const Geometry& g, std::int64_t row) {
  const Strides4& s = g.grad_input;
  return (g.in.h == 1 || s.h == row) && (g.c == 1 || s.c == g.in.h * row) &&
         (g.n == 1 || s.n == g.c * g.in.h * row);
}

}  // namespace

Plan::Plan(const Geometry& given, const Machine& on)
    : ReplicationPadBackwardPlan(given, on),
      walked_(given),
      components_(components_of(given.element)),
      lanes_(components_),
      body_(tile_body(on.instruction_set)) {
  Geometry& at = walked_;
  if (!follow(at, 1)) {
    lanes_ *= at.c;
    at.c = 1;
  }
  const std::int64_t read = saturating_mul(at.out.h / at.in.h + 1, at.out.w);
  tiling_ =
      tile_rows(at.n * at.c * at.in.h, saturating_mul(lanes_, saturating_add(at.in.w, read)), on);
  const auto most = [](std::int64_t in, std::int64_t out, std::int64_t before) {
    return std::max(sources(0, in, out, before).size(), sources(in - 1, in, out, before).size());
  };
  if (tiling_.rows > 0 && most(at.in.h, at.out.h, at.top) > 1) {
    const std::size_t bytes = visit_wide(
        at.element, [](auto type) { return sizeof(SumOf<typename decltype(type)::type>); });
    const auto columns = static_cast<std::uint64_t>(most(at.in.w, at.out.w, at.left));
    sums_ = layout.take_slots(tiling_.workers, columns, static_cast<std::uint64_t>(lanes_) * bytes);
  }
  const std::int64_t elements = saturating_mul(at.in.w, lanes_ / components_);
  const std::int64_t row = saturating_mul(elements, bytes_of(at.element));
  if (saturating_mul(tiling_.rows, row) < on.streamed_bytes(false)) return;
  if (row > kStagingBytes) {
    writing_ = Writing::rows;
  } else if (contiguous(at, elements)) {
    writing_ = Writing::staged;
    rows_staged_ = std::min(tiling_.rows_per_tile, kStagingBytes / row);
    staging_ = layout.take_slots(tiling_.workers, static_cast<std::uint64_t>(rows_staged_),
                                 static_cast<std::uint64_t>(row));
  }
}

bool supports(const Geometry& g) {
  if (g.element == Element::bf16) return false;  // gather_rows.h serves it
  return follow(g, 1) || channels_last(g);
}

Outcome Plan::run(const ReplicationPadBackwardBuffers& b, std::byte* workspace) const {
  const Problem problem{walked_,      b,       components_, lanes_, tiling_.rows_per_tile,
                        rows_staged_, writing_};
  const Workers workers{tiling_.workers, writing_ != Writing::stores};
  parallel_tiles(tiling_.tiles, workers, [&](std::int64_t tile, int slot) {
    body_(problem, tile, sums_.at<std::byte>(workspace, slot),
          staging_.at<std::byte>(workspace, slot));
  });
  return {};
}

}  // namespace gradproof::kernels::pad::copies_and_edges
