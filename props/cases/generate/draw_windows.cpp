// Windows that kernels of pools are made for, or just not, and images for them.
#include "props/cases/generate/draw_windows.h"

#include <algorithm>

namespace gradproof::props {
namespace {

/// Windows of two on every axis, side by side, that cover small images, or all but their last row
/// or column; several channels share words of a mask. Some images are tall: what divides rows among
/// threads takes several at a time. Some have four rows at stride 3, of which ceil mode takes two
/// windows as if they covered the image.
void draw_halved_images(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
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
void draw_slices_of_lines(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
  const std::size_t lead = shape.size() - 3;
  std::fill(shape.begin(), shape.end(), 1);
  shape[lead] = draw.between(1, 2);
  shape[lead + 1] = draw.chance(1, 3) ? 8 : 16;
  shape[lead + 2] = 2 * draw.between(16, 35);
  kernel[0] = stride[0] = 1;
  kernel[1] = stride[1] = draw.pick<std::int64_t>({1, 2, 4});
  kernel[2] = stride[2] = 2;
}

}  // namespace

void draw_unusual(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
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
    } else if (kind % 2 == 1) {
      kernel[a] = draw.between(1, 4);
      shape[lead - 1] = draw.between(4, 6);  // so that the long axis stays
      stride[a] = draw.chance(1, 4) ? draw.between(9, 64) : draw.between(65, 100);
      in = std::max<std::int64_t>(70, stride[a] + kernel[a]) + draw.between(0, 20);
    } else {
      kernel[a] = draw.between(66, 69);
      in = kernel[a] + draw.between(0, 20);
      stride[a] = kernel[a];
    }
  }
}

void draw_halving(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
  if (draw.chance(1, 2)) return draw_halved_images(draw, pool);
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  if (axes == 3 && draw.chance(1, 3)) return draw_slices_of_lines(draw, pool);
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

void draw_channels(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
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

void draw_overlapping(Draw& draw, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  std::fill(shape.begin(), shape.end(), 1);
  std::fill(stride.begin(), stride.end(), 1);
  shape[lead - 1] = draw.between(8, 36);
  if (draw.chance(1, 4)) {
    for (std::size_t a = 0; a < axes; ++a) {
      shape[lead + a] = draw.between(1, 4);
      kernel[a] = draw.chance(1, 2) ? 5 : 3;
      padding[a] = kernel[a] / 2;
    }
    shape.back() = draw.between(12, 18);
    return;
  }
  for (std::size_t a = 0; a < axes; ++a) {
    shape[lead + a] = draw.between(3, 6);
    kernel[a] = draw.chance(1, 4) ? 5 : draw.between(2, 3);
  }
  shape.back() = draw.between(7, 40);
  if (draw.chance(1, 3)) std::swap(shape[shape.size() - 2], shape.back());
  if (draw.chance(1, 2)) return;
  for (std::size_t a = 0; a < axes; ++a) stride[a] = draw.between(1, kernel[a] - 1);
}

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

}  // namespace gradproof::props
