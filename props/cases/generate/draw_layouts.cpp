// Layouts: strides, offsets, gaps, orders of dimensions, broadcasts, shared memory.
#include "props/cases/overlap.h"

#include <algorithm>
#include <numeric>

#include "props/cases/generate/draw_case.h"
#include "props/cases/shapes.h"

namespace gradproof::props {
namespace {

/// Strides for dimensions stored in that order, outermost first, `gap` elements left out behind
/// each of the chosen axes (a bit each).
void stride_by(ref::Tensor& t, const std::vector<std::size_t>& order, unsigned gap_axes,
               std::int64_t gap) {
  std::int64_t next = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t axis = order[i];
    if ((gap_axes >> axis & 1) != 0) next += gap;
    t.strides[axis] = next;
    next *= std::max<std::int64_t>(t.shape[axis], 1);
  }
}

/// In half of the cases one element behind one axis, which what takes several axes for one run of
/// elements overlooks most easily.
void stride_with_gaps(Draw& draw, ref::Tensor& t, const std::vector<std::size_t>& order,
                      unsigned least_axes) {
  if (draw.chance(1, 2)) return stride_by(t, order, 1u << draw.below(order.size()), 1);
  const auto all = static_cast<std::int64_t>((1u << order.size()) - 1);
  const auto axes = static_cast<unsigned>(draw.between(least_axes, all));
  stride_by(t, order, axes, draw.between(1, 3));
}

void put_last(std::vector<std::size_t>& order, std::size_t axis) {
  const auto at = order.begin() + static_cast<std::ptrdiff_t>(axis);
  std::rotate(at, at + 1, order.end());
}

void permute(Draw& draw, std::vector<std::size_t>& order) {
  if (order.size() >= 3 && draw.chance(1, 2)) {  // channels last
    put_last(order, order.size() >= 4 ? 1 : 0);
    return;
  }
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    std::swap(order[i], order[i + draw.below(order.size() - i)]);
}

void draw_layout(Draw& draw, ref::Tensor& t, bool written, bool contiguous) {
  const std::uint64_t kind = draw.below(16);
  if (kind < 6) return;
  const std::vector<std::int64_t> plain = t.strides;
  std::vector<std::size_t> order(t.shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  bool odd = false;
  if (contiguous) {
    if (kind < 9)
      t.null_strides = true;
    else
      t.offset = draw.between(1, 9);
  } else {
    switch (kind) {
      case 6: t.null_strides = true; break;
      case 7: t.offset = draw.between(1, 9); break;
      case 8:
      case 9: stride_with_gaps(draw, t, order, 1); break;
      case 10:
      case 11:
        permute(draw, order);
        stride_by(t, order, 0, 0);
        break;
      case 12:
        if (!written) {
          const unsigned zeros =
              draw.chance(1, 2)
                  ? 1u << draw.below(order.size())  // what looks contiguous but for one axis
                  : static_cast<unsigned>(draw.between(1, (1 << order.size()) - 1));
          for (std::size_t axis = 0; axis < order.size(); ++axis) {
            if ((zeros >> axis & 1) != 0) t.strides[axis] = 0;
          }
          break;
        }
        [[fallthrough]];
      case 13:
        if (!written &&
            draw.chance(1, 2)) {  // sliding windows: neighbours share all but one element
          for (std::int64_t& stride : t.strides) stride = 1;
          break;
        }
        [[fallthrough]];
      case 14:
        permute(draw, order);
        stride_with_gaps(draw, t, order, 0);
        t.offset = draw.between(0, 5);
        break;
      default: odd = true; break;
    }
  }
  if (odd || (!contiguous && draw.chance(1, 4))) {
    for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
      if (t.shape[axis] == 1) t.strides[axis] = draw.pick<std::int64_t>({0, 1, 7, 1000003});
    }
  }
  if (t.strides != plain || t.offset != 0) t.storage = default_storage(t);
  if (odd || draw.chance(1, 4)) {
    std::int64_t elements = 1;
    for (std::int64_t extent : t.storage) elements *= extent;
    t.storage = {elements + draw.between(1, 20)};
  }
}

/// Channels last in all tensors but `mask` (sometimes one more tensor keeps its layout), where
/// there are channels to fill lines of a cache and some such lines, or the call is made for it.
bool draw_channels_last(Draw& draw, ref::Call& call, int mask, CallKind kind) {
  const std::size_t channel = first_spatial(call) - 1;
  const ref::Tensor& out = call.tensors[ref::signature(call.op).parameters.front().slot];
  if (out.shape[channel] < 16) return false;
  if (kind != CallKind::channels && (largest(call) < 1024 || !draw.chance(1, 2))) return false;
  std::int64_t kept = draw.chance(1, 4) ? draw.between(0, 2) : -1;  // counts down
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::tensor || p.slot == mask) continue;
    if (kept-- == 0) continue;
    ref::Tensor& t = call.tensors[p.slot];
    std::vector<std::size_t> order(t.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    put_last(order, channel);
    stride_by(t, order, 0, 0);
    t.storage = default_storage(t);
  }
  return true;
}

/// Rows of images with gaps between them, perhaps gaps between slices or planes too: in what is
/// written, and mostly elsewhere.
void draw_regions(Draw& draw, ref::Call& call, int mask) {
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::tensor || p.slot == mask) continue;
    if (p.access != ref::Access::written && draw.chance(1, 3)) continue;
    ref::Tensor& t = call.tensors[p.slot];
    std::vector<std::size_t> order(t.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t row =
        first_spatial(call) + static_cast<std::size_t>(spatial_axes(call.op)) - 2;
    const unsigned gaps = 1u << row | (draw.chance(1, 2) ? 1u << (row - 1) : 0u);
    stride_by(t, order, gaps, draw.chance(1, 4) ? 1 : draw.between(1, 33));
    t.storage = default_storage(t);
  }
}

}  // namespace

void draw_layouts(Draw& draw, ref::Call& call, CallKind kind) {
  const int mask = has_mask(call.op) ? indices_slot(call.op) : -1;
  if (kind == CallKind::region || (largest(call) >= 1024 && draw.chance(1, 16)))
    return draw_regions(draw, call, mask);
  const std::uint64_t plain = kind == CallKind::layer ? 2 : kind == CallKind::channels ? 8 : 3;
  if (!draw.chance(plain - 1, plain)) return;
  if (draw_channels_last(draw, call, mask, kind)) return;
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    draw_layout(draw, call.tensors[p.slot], p.access == ref::Access::written, p.slot == mask);
  }
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::tensor || p.access != ref::Access::described) continue;
    ref::Tensor& self = call.tensors[p.slot];
    if (draw.chance(1, 6))
      self.shares = ref::slot(call.op, "gradInput");
    else if (draw.chance(1, 8))
      self.null_data = true;
  }
}

}  // namespace gradproof::props
