// Windows and the shapes that they need.
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw_case.h"
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

/// Windows beyond those that fast code is made for: of 15 to 18 or of 66 to 69 positions on one
/// axis, far apart, or wide on every axis. Those of 15 to 18 positions have small images of several
/// channels, which share words of a mask. The padding stays 0.
void draw_unusual(Draw& draw, std::vector<std::int64_t>& shape, std::vector<std::int64_t>& kernel,
                  std::vector<std::int64_t>& stride) {
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  const std::size_t chosen = draw.chance(1, 2) ? 0 : draw.below(axes);
  if (draw.chance(1, 2)) {
    const std::int64_t window = draw.between(15, 18);
    std::fill(shape.begin(), shape.end(), 1);
    shape[lead - 1] = draw.between(4, 256 / window);  // a mask of 4096 elements at most
    std::int64_t next = 1;                            // no two extents are equal
    for (std::size_t a = 0; a < axes; ++a) {
      kernel[a] = a == chosen ? window : next++;
      shape[lead + a] = kernel[a] + (a == chosen ? draw.between(0, 20) : 0);
    }
    stride[chosen] = draw.between((window + 1) / 2, window);
    return;
  }
  const std::uint64_t kind = draw.below(4);
  for (std::size_t a = 0; a < axes; ++a) {
    std::int64_t& in = shape[lead + a];
    if (kind == 2) {
      kernel[a] = draw.between(9, 12);
      in = kernel[a] + draw.between(0, 3);
    } else if (a != chosen) {
      in = kernel[a] = draw.between(1, 3);
    } else if (kind == 1) {
      kernel[a] = draw.between(1, 4);
      in = draw.between(70, 90);
      stride[a] = draw.between(9, 40);
    } else {
      kernel[a] = draw.between(66, 69);
      in = kernel[a] + draw.between(0, 20);
      stride[a] = kernel[a];
    }
  }
}

/// Windows of two on every axis, side by side, that cover small images, or all but their last row
/// or column; several channels share words of a mask. Some images are tall: what divides rows among
/// threads takes several at a time. Some have four rows at stride 3, of which ceil mode takes two
/// windows as if they covered the image.
void draw_halved_images(Draw& draw, std::vector<std::int64_t>& shape,
                        std::vector<std::int64_t>& kernel, std::vector<std::int64_t>& stride) {
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  std::fill(shape.begin(), shape.end(), 1);
  const bool larger = axes < 3 && draw.chance(1, 3), tall = !larger && draw.chance(1, 3);
  // Planes of 4, 8 and 16 channels are whole cache lines together.
  shape[lead - 1] = larger ? 4 : draw.chance(1, 2) ? 16 : draw.between(2, 20);
  for (std::size_t a = 0; a < axes; ++a) {
    const bool row = a + 1 == axes;
    const std::int64_t windows = !larger ? draw.between(1, axes < 3 ? 7 : 3)
                                 : row   ? draw.between(5, 11)
                                         : draw.between(8, 17);
    shape[lead + a] = 2 * windows;
    if (draw.chance(1, row || larger ? 8 : 2)) ++shape[lead + a];
    kernel[a] = stride[a] = 2;
  }
  if (!larger && !tall && draw.chance(1, 6)) {
    shape[shape.size() - 2] = 4;
    stride[axes - 2] = 3;
    shape.back() = 2 * draw.between(4, 7);
  }
  if (!tall) return;
  shape[lead - 1] = draw.between(1, axes < 3 ? 8 : 3);
  shape[shape.size() - 2] = draw.between(17, 40);
  shape.back() = 2 * draw.between(1, 4);
}

/// Windows of two columns side by side over slices of whole cache lines, whose rows are none.
void draw_slices_of_lines(Draw& draw, std::vector<std::int64_t>& shape,
                          std::vector<std::int64_t>& kernel, std::vector<std::int64_t>& stride) {
  const std::size_t lead = shape.size() - 3;
  std::fill(shape.begin(), shape.end(), 1);
  shape[lead] = draw.between(1, 2);
  shape[lead + 1] = draw.chance(1, 3) ? 8 : 16;
  shape[lead + 2] = 2 * draw.between(16, 35);
  kernel[0] = stride[0] = 1;
  kernel[1] = stride[1] = draw.pick<std::int64_t>({1, 2, 4});
  kernel[2] = stride[2] = 2;
}

/// What most networks do: windows of two columns side by side, over rows that are worth vectors; up
/// to 4096 elements. Some windows have another width or stride. The padding stays 0.
void draw_halving(Draw& draw, std::vector<std::int64_t>& shape, std::vector<std::int64_t>& kernel,
                  std::vector<std::int64_t>& stride) {
  if (draw.chance(1, 2)) return draw_halved_images(draw, shape, kernel, stride);
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  if (axes == 3 && draw.chance(1, 3)) return draw_slices_of_lines(draw, shape, kernel, stride);
  std::fill(shape.begin(), shape.end(), 1);
  shape[draw.below(lead)] = 2;
  for (std::size_t a = 0; a < axes; ++a) {
    shape[lead + a] = draw.between(2, 4);
    kernel[a] = draw.between(1, 2);
    stride[a] = draw.between(kernel[a], 2);
  }
  shape.back() = draw.between(64, 128);
  kernel.back() = stride.back() = 2;
  if (draw.chance(1, 4)) {
    kernel.back() = draw.between(1, 3);
    stride.back() = draw.chance(2, 3) ? 2 : 3;
  }
}

/// Windows that touch, overlap or are apart, over as many channels as are worth it where they are
/// last; up to 4096 elements. The padding stays 0.
void draw_channels(Draw& draw, std::vector<std::int64_t>& shape, std::vector<std::int64_t>& kernel,
                   std::vector<std::int64_t>& stride) {
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  const bool overlap = draw.chance(1, 2);
  const std::int64_t channels = draw_vector_channels(draw);
  std::fill(shape.begin(), shape.end(), 1);
  shape[lead - 1] = channels;
  const std::vector<std::int64_t> extents = draw.distinct(axes, 2, channels <= 32 ? 5 : 4);
  for (std::size_t a = 0; a < axes; ++a) {
    shape[lead + a] = extents[a];
    kernel[a] = overlap ? std::min(extents[a], draw.between(2, 3)) : draw.between(1, 2);
    stride[a] = overlap ? 1 : draw.between(kernel[a], 2);
  }
  if (axes == 3) {
    if (draw.chance(1, 4)) {  // few rows, which are longer than small tiles of them
      for (std::size_t a = 0; a < 2; ++a) shape[lead + a] = kernel[a];
      shape.back() = draw_long_row(draw, channels * kernel[0] * kernel[1]);
    }
    return;
  }
  // 32 channels of 16 outputs are 256 elements of four bytes of a mask for each kernel position.
  kernel[1] = std::min<std::int64_t>(kernel[1], 2);
  const std::int64_t rows = (extents[0] - kernel[0] + stride[0] - 1) / stride[0] + 1;
  const std::int64_t most = (16 / (kernel[0] * kernel[1]) - 1) * 512 / (rows * channels);
  shape.back() = std::min((most - 1) * stride[1], draw.between(0, 20)) + kernel[1];
}

/// Windows that overlap, over several channels that share words of a mask and rows that are worth
/// vectors. The padding stays 0.
void draw_overlapping(Draw& draw, std::vector<std::int64_t>& shape,
                      std::vector<std::int64_t>& kernel, std::vector<std::int64_t>& stride) {
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  std::fill(shape.begin(), shape.end(), 1);
  shape[lead - 1] = draw.between(8, 36);
  for (std::size_t a = 0; a < axes; ++a) {
    shape[lead + a] = draw.between(3, 6);
    kernel[a] = draw.chance(1, 4) ? 5 : draw.between(2, 3);
    stride[a] = 1;
  }
  shape.back() = draw.between(7, 40);
  if (draw.chance(1, 3)) std::swap(shape[shape.size() - 2], shape.back());
}

/// What is cut out of larger images: rows worth vectors, windows of two columns side by side or of
/// three that overlap, and any rows and slices. The padding stays 0, but for rows of some.
void draw_region(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  std::fill(shape.begin(), shape.end(), 1);
  std::fill(padding.begin(), padding.end(), 0);
  shape[lead - 1] = draw.between(1, 2);
  for (std::size_t a = 0; a + 1 < axes; ++a) {
    kernel[a] = draw.between(1, 2);
    stride[a] = draw.chance(1, 8) ? 9 : draw.between(1, 3);
    shape[lead + a] = kernel[a] + draw.between(0, 3);
  }
  // Some multiples of a vector, and some that are not.
  shape.back() = draw.chance(1, 2) ? 32 * draw.between(1, 2) : draw.between(18, 70);
  kernel.back() = stride.back() = 2;
  const std::uint64_t way = draw.below(8);
  if (way == 5) padding[axes - 2] = kernel[axes - 2] / 2;
  if (way < 6) return;
  kernel[axes - 2] = kernel.back() = 3;
  stride[axes - 2] = 2;
  shape[shape.size() - 2] = draw.between(3, 5);
  if (way == 7) padding[axes - 2] = padding.back() = 1;
}

}  // namespace

CallKind draw_pool(Draw& draw, ref::Call& call, const CoveragePoint& point, const Limits& limits) {
  const std::size_t axes = spatial_axes(point.op);
  PoolShape pool{draw_shape(draw, point, limits), draw.distinct(axes, 1, 4),
                 draw.distinct(axes, 1, 4), std::vector<std::int64_t>(axes)};
  auto& [shape, kernel, stride, padding] = pool;
  for (std::size_t a = 0; a < axes; ++a) padding[a] = draw.between(0, kernel[a] / 2);
  // Half of what has room for it is what kernels are made for.
  enum : std::uint64_t {
    kUnusual = 9,
    kHalving,
    kRegion = 12,
    kLayer = 14,
    kChannels = 16,
    kOverlapping
  };
  const bool made = limits.max_elements >= 4096 && !limits.divided && draw.chance(1, 2);
  const std::uint64_t mode =
      made ? kHalving + draw.below(has_mask(point.op) ? 8 : 7) : draw.below(kHalving);
  const bool large = is_large(limits), middle = !large && !limits.long_axis && !limits.divided;
  const bool layer =
      large ? limits.layer >= 0 || draw.chance(1, 2) : middle && mode >= kLayer && mode < kChannels;
  const bool usual = large && !layer && draw.chance(1, 2);  // of networks' first layers
  CallKind kind = CallKind::usual;
  if (layer) {
    draw_layer(draw, point, limits, pool);
    kind = draw.chance(1, 8) ? CallKind::region : CallKind::layer;
  } else if (middle && mode >= kRegion && mode < kLayer) {
    draw_region(draw, pool);
    kind = CallKind::region;
  } else if (middle && mode >= kUnusual) {
    std::fill(padding.begin(), padding.end(), 0);
    if (mode == kUnusual) {
      draw_unusual(draw, shape, kernel, stride);
    } else if (mode < kRegion) {
      draw_halving(draw, shape, kernel, stride);
      kind = CallKind::layer;
    } else if (mode == kChannels) {
      draw_channels(draw, shape, kernel, stride);
      kind = CallKind::channels;
    } else {
      draw_overlapping(draw, shape, kernel, stride);
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
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t in = shape[shape.size() - axes + a];
    switch (usual || layer ? 0 : mode) {
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
