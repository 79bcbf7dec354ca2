// The arguments of a pool: its window, and the shape that it needs.
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/draw_mixed.h"
#include "props/cases/generate/draw_windows.h"
#include "props/cases/generate/generator.h"
#include "props/cases/shapes.h"

namespace gradproof::props {
namespace {

/// Makes the call's largest tensor fit: halves the largest extent, and kernels once all are 1.
void shrink_pool(ref::Call& call, const Limits& limits) {
  ref::IntArray& kernel = ref::int_array(call, "kernelSize");
  while (largest(call) > limits.max_elements) {
    std::vector<std::int64_t> shape = ref::tensor(call, "self").shape;
    std::int64_t& extent = *std::max_element(shape.begin(), shape.end());
    if (extent > 1) {
      extent /= 2;
    } else {
      std::int64_t& k = *std::max_element(kernel.values.begin(), kernel.values.end());
      if (k == 1) return;
      k /= 2;
    }
    // Padding of half a window never leaves an extent without an output position.
    ref::int_array(call, "padding").values.clear();
    for (std::int64_t k : kernel.values) ref::int_array(call, "padding").values.push_back(k / 2);
    set_input_shape(call, shape);
    conform(call);
  }
}

}  // namespace

CallKind draw_pool(Draw& draw, ref::Call& call, const CoveragePoint& point, const Limits& limits) {
  const std::size_t axes = spatial_axes(point.op);
  PoolShape pool{draw_shape(draw, point, limits), draw.distinct(axes, 1, 4),
                 draw.distinct(axes, 1, 4), std::vector<std::int64_t>(axes)};
  auto& [shape, kernel, stride, padding] = pool;
  for (std::size_t a = 0; a < axes; ++a) padding[a] = draw.between(0, kernel[a] / 2);
  // Half of what has room for it is what kernels are made for, and a tenth is mixed.
  enum : std::uint64_t {
    kUnusual = 9,
    kHalving,
    kRegion = 12,
    kLayer = 14,
    kChannels = 16,
    kOverlapping
  };
  const bool full = limits.max_elements >= 4096 && !limits.divided,
             made = full && draw.chance(1, 2);
  const bool mixed = full && !made && !is_shaped(limits) && draw.chance(1, 5);
  const std::uint64_t mode =
      made ? kHalving + draw.below(has_mask(point.op) ? 8 : 7) : draw.below(kHalving);
  const bool large = is_large(limits), middle = !is_shaped(limits);
  const bool layer =
      large ? limits.layer >= 0 || draw.chance(1, 2) : middle && mode >= kLayer && mode < kChannels;
  const bool usual = large && !layer && draw.chance(1, 2);  // of networks' first layers
  CallKind kind = CallKind::usual;
  if (mixed) {
    draw_mixed(draw, has_mask(point.op), limits.max_elements, pool);
    kind = draw.chance(1, 8) ? CallKind::region : CallKind::usual;
  } else if (layer) {
    draw_layer(draw, point, limits, pool);
    kind = draw.chance(1, 8) ? CallKind::region : CallKind::layer;
  } else if (middle && mode >= kRegion && mode < kLayer) {
    draw_region(draw, pool);
    kind = CallKind::region;
  } else if (middle && mode >= kUnusual) {
    std::fill(padding.begin(), padding.end(), 0);
    if (mode == kUnusual) {
      draw_unusual(draw, pool);
    } else if (mode < kRegion) {
      draw_halving(draw, pool);
      kind = CallKind::layer;
    } else if (mode == kChannels) {
      draw_channels(draw, pool);
      kind = CallKind::channels;
    } else {
      draw_overlapping(draw, pool);
      kind = draw.chance(1, 4) ? CallKind::region : CallKind::layer;
    }
    const bool room = 2 * element_count(shape).value_or(limits.max_elements) <= limits.max_elements;
    if (shape.size() > axes + 1 && shape[0] == 1 && room && draw.chance(1, 3)) shape[0] = 2;
  } else if (usual) {
    const std::int64_t window = draw.between(2, 3);
    std::fill(kernel.begin(), kernel.end(), window);
    std::fill(stride.begin(), stride.end(), 2);
    std::fill(padding.begin(), padding.end(), draw.between(0, window - 2));
  }
  std::vector<std::uint64_t> modes(axes);
  if (!mixed && !layer && !usual && mode < kUnusual) modes = draw.each_below(kUnusual, axes, mode);
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t in = shape[shape.size() - axes + a];
    switch (modes[a]) {
      case 1: stride[a] = kernel[a]; break;
      case 2:
        kernel[a] = std::max<std::int64_t>(kernel[a], 2);
        stride[a] = draw.between(1, kernel[a] - 1);
        break;
      case 3: stride[a] = kernel[a] + draw.between(1, 2); break;
      case 4:
        if (in <= 9) kernel[a] = in + draw.between(1, 2), padding[a] = kernel[a] / 2;
        break;
      case 5: {
        const std::int64_t room = in + 2 * padding[a] - kernel[a];
        stride[a] = room > 0 && room % 3 == 0 ? 3 : room > 0 && room % 2 == 0 ? 2 : 1;
        break;
      }
      case 6: kernel[a] = kernel[0], stride[a] = stride[0], padding[a] = padding[0]; break;
      case 7: padding[a] = kernel[a] / 2; break;
      case 8: padding[a] = 0; break;
      default: break;
    }
  }
  if (limits.planes && has_mask(point.op)) {
    // A mask has 64 bytes for each plane and position of a window, and each is judged.
    std::fill(kernel.begin(), kernel.end(), 1);
    std::fill(padding.begin(), padding.end(), 0);
  }
  call.flags[0] = draw.chance(1, layer ? 4 : 2);
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t in = shape[shape.size() - axes + a];
    if (!pooled_extent({in, kernel[a], stride[a], padding[a]}, call.flags[0] != 0))
      padding[a] = kernel[a] / 2;
  }
  const auto one_for_all = [&](std::vector<std::int64_t>& values) {
    if (std::count(values.begin(), values.end(), values[0]) == static_cast<std::ptrdiff_t>(axes) &&
        draw.chance(1, 2)) {
      values.resize(1);
    }
  };
  if (stride == kernel && draw.chance(1, 2))
    stride.clear();
  else
    one_for_all(stride);
  one_for_all(kernel);
  one_for_all(padding);
  std::vector<std::int64_t> dilation(draw.chance(1, 2) ? 1 : axes, 1);
  if (dilation.size() == axes && padding.size() == 1) dilation.resize(1);
  ref::int_array(call, "kernelSize").values = kernel;
  ref::int_array(call, "stride").values = stride;
  ref::int_array(call, "padding").values = padding;
  ref::int_array(call, "dilation").values = dilation;
  set_input_shape(call, shape);
  conform(call);
  shrink_pool(call, limits);
  if (family(point.op).may_be_empty(point.rank, 0) && draw.chance(1, 24)) {
    std::vector<std::int64_t> empty = ref::tensor(call, "self").shape;
    empty[0] = 0;
    set_input_shape(call, empty);
    conform(call);
  }
  return kind;
}

}  // namespace gradproof::props
