// Each extent from the same few classes, halved in turn until the tensors are small enough.
#include "props/cases/generate/draw_mixed.h"

#include <algorithm>

#include "props/cases/shapes.h"

namespace gradproof::props {
namespace {

/// Half of them are short, some worth vectors, some long; mostly no two are equal.
std::vector<std::int64_t> draw_extents(Draw& draw, std::size_t count) {
  std::vector<std::int64_t> extents;
  while (extents.size() < count) {
    const std::int64_t extent = draw.chance(1, 2)   ? draw.between(1, 6)
                                : draw.chance(1, 2) ? draw.between(7, 20)
                                                    : draw.between(21, 80);
    const bool again = std::find(extents.begin(), extents.end(), extent) != extents.end();
    if (!again || !draw.chance(7, 8)) extents.push_back(extent);
  }
  return extents;
}

}  // namespace

std::vector<std::int64_t> mixed_shape(Draw& draw, std::size_t rank, std::int64_t most) {
  std::vector<std::int64_t> shape = draw_extents(draw, rank);
  for (std::size_t at = draw.below(rank); *element_count(shape) > most; at = (at + 1) % rank)
    shape[at] = (shape[at] + 1) / 2;
  return shape;
}

void draw_mixed(Draw& draw, bool mask, std::int64_t most, PoolShape& pool) {
  auto& [shape, kernel, stride, padding] = pool;
  const std::size_t axes = kernel.size(), lead = shape.size() - axes;
  const std::int64_t samples = lead > 1 && draw.chance(1, 4) ? 2 : 1;
  std::vector<std::int64_t> windows = draw_extents(draw, axes + 1);  // on an axis
  std::int64_t channels = windows.back();
  for (std::size_t a = 0; a < axes; ++a) {
    kernel[a] = draw.chance(1, 4) ? draw.between(5, 18) : draw.between(1, 4);
    stride[a] = draw.chance(1, 2) ? draw.between(1, 3) : draw.between(1, kernel[a] + 8);
  }
  const auto extent = [&](std::size_t a) { return (windows[a] - 1) * stride[a] + kernel[a]; };
  const auto elements = [&] {
    std::int64_t image = samples * channels, positions = 1, outputs = 1;
    for (std::size_t a = 0; a < axes; ++a) {
      image *= extent(a);
      positions *= kernel[a];
      outputs *= windows[a];
    }
    constexpr std::int64_t kOutputs = 16, kWords = 8;  // of a mask's word, and of 32 bytes
    if (!mask) return image;
    return std::max(image, samples * channels * positions * (outputs / kOutputs + 1) * kWords);
  };
  for (std::size_t at = draw.below(axes + 1); elements() > most; at = (at + 1) % (axes + 1)) {
    std::int64_t& some = at == axes        ? channels
                         : windows[at] > 1 ? windows[at]
                         : stride[at] > 1  ? stride[at]
                                           : kernel[at];
    some = (some + 1) / 2;
  }
  std::fill(shape.begin(), shape.end(), 1);
  shape[0] = samples;
  shape[lead - 1] = channels;
  for (std::size_t a = 0; a < axes; ++a) {
    padding[a] = draw.chance(1, 2) ? 0 : draw.between(0, kernel[a] / 2);
    shape[lead + a] = std::max<std::int64_t>(extent(a) - 2 * padding[a], 1);
    if (draw.chance(1, 4)) shape[lead + a] += draw.between(0, stride[a] - 1);
  }
}

}  // namespace gradproof::props
