// Valid cases: a family's shapes and parameters, then layouts, data recipes and misuse.
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/draw_mixed.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// So many planes that the image is as large as outputs have to be for a library to write them past
/// the caches.
std::vector<std::int64_t> large_shape(Draw& draw, const CoveragePoint& point, std::size_t axes) {
  const std::int64_t bytes = draw.between(std::int64_t{1} << 20, std::int64_t{5} << 18);
  std::vector<std::int64_t> shape(point.rank, 1);
  const std::size_t last = shape.size() - 1;
  if (draw.chance(1, 6)) {  // a single plane of that size
    const std::int64_t depth = axes == 3 ? draw.between(2, 5) : 1, width = draw.between(200, 700);
    shape[last] = width;
    shape[last - 1] = bytes / ref::dtype_size(point.dtype) / (depth * width) + 1;
    if (axes == 3) shape[last - 2] = depth;
    return shape;
  }
  const bool wide = axes == 3 && draw.chance(1, 3);  // few slices, too large to be kept
  std::int64_t plane = 1;
  for (std::size_t a = 0; a < axes; ++a) {
    std::int64_t& extent = shape[last - a];
    // Rows are whole lines of a cache, or end anywhere.
    extent = a == 2              ? draw.between(2, wide ? 5 : 12)
             : wide              ? draw.between(140, 190)
             : draw.chance(1, 2) ? 32 * draw.between(1, 4)
                                 : draw.between(9, 150);
    plane *= extent;
  }
  const std::int64_t planes = bytes / ref::dtype_size(point.dtype) / plane + 1;
  const std::size_t lead = shape.size() - axes;
  shape[lead - 1] = lead == 1 ? planes : draw.between(1, planes);
  // Channels, where they lie side by side, likewise.
  if (draw.chance(1, 3)) shape[lead - 1] = (shape[lead - 1] + 31) / 32 * 32;
  if (lead == 2) shape[0] = (planes - 1) / shape[1] + 1;
  return shape;
}

/// Few planes, just so large that threads share them: parts of one plane meet, where windows
/// overlap.
std::vector<std::int64_t> divided_shape(Draw& draw, const CoveragePoint& point, std::size_t axes) {
  std::vector<std::int64_t> shape(point.rank, 1);
  const std::size_t last = shape.size() - 1;
  shape[last - axes] = draw.between(1, 3);
  if (axes == 3) shape[last - 2] = draw.between(6, 16);
  shape[last] = draw.between(40, 90);
  const std::int64_t elements = draw.between(1 << 16, 3 << 15);
  shape[last - 1] =
      elements / (shape[last - axes] * shape[last] * (axes == 3 ? shape[last - 2] : 1)) + 1;
  return shape;
}

/// More than 65535 planes of one element: many samples, many channels, or both.
std::vector<std::int64_t> many_planes(Draw& draw, std::size_t rank, std::size_t axes) {
  std::vector<std::int64_t> shape(rank, 1);
  const std::int64_t planes = draw.between(65536, 70000);
  const std::size_t lead = rank - axes;
  const std::int64_t samples =
      lead == 1 ? 1 : draw.pick({std::int64_t{1}, draw.between(2, 300), planes});
  shape[0] = samples;
  shape[lead - 1] *= (planes - 1) / samples + 1;
  return shape;
}

}  // namespace

std::int64_t largest(const ref::Call& call) {
  std::int64_t most = 0;
  for (const ref::Tensor& t : call.tensors) {
    const std::int64_t count = *element_count(t.shape);
    most = std::max(most, t.dtype == ref::kInt8 ? count / 4 : count);
  }
  return most;
}

void set_input_shape(ref::Call& call, const std::vector<std::int64_t>& shape) {
  for (int slot : input_side(call.op)) reshape(call.tensors[slot], shape);
}

bool is_large(const Limits& limits) {
  return !limits.long_axis && !limits.planes && limits.max_elements >= 1 << 20;
}

bool is_shaped(const Limits& limits) {
  return is_large(limits) || limits.long_axis || limits.planes || limits.divided;
}

std::vector<std::int64_t> draw_shape(Draw& draw, const CoveragePoint& point, const Limits& limits) {
  const std::size_t rank = point.rank, axes = spatial_axes(point.op);
  const bool mask = has_mask(point.op);
  if (is_large(limits)) return large_shape(draw, point, axes);
  if (limits.divided) return divided_shape(draw, point, axes);
  if (limits.planes) return many_planes(draw, rank, axes);
  std::vector<std::int64_t> shape = draw.distinct(rank, 2, rank == 5 ? 7 : mask ? 6 : 9);
  if (mask) std::sort(shape.begin(), shape.end());  // a mask grows with N·C
  if (limits.long_axis && !mask && limits.max_elements >= 1 << 17) {
    std::fill(shape.begin(), shape.end(), 1);
    shape[rank - 1 - draw.below(axes)] = draw.between(65537, 70000);
    return shape;
  }
  switch (draw.below(limits.max_elements < 4096 ? 12 : 16)) {
    case 6: shape[draw.below(rank)] = 1; break;
    case 7:
      for (std::size_t axis = 0; axis < rank; ++axis) {
        if (draw.chance(1, 2)) shape[axis] = 1;
      }
      break;
    case 8:
      std::fill(shape.end() - static_cast<std::ptrdiff_t>(axes), shape.end(), shape.back());
      break;
    case 9:
      std::fill(shape.begin(), shape.end(), 1);
      shape[rank - 1 - draw.below(axes)] =
          draw.between(65, std::clamp<std::int64_t>(limits.max_elements, 66, 400));
      shape[rank - 1 - draw.below(axes)] += draw.between(0, 3);
      break;
    case 10:
      if (!mask) break;
      std::fill(shape.begin(), shape.end(), 2);
      shape[0] = 1;
      shape[rank - 3] = draw.between(17, 40);
      shape[rank - 1 - draw.below(2)] = 3;
      break;
    case 11:
      if (limits.max_elements < 1 << 16) break;
      for (std::int64_t& extent : shape) extent *= draw.between(1, 6);
      break;
    case 12:  // channels that fill lines of a cache
      std::fill(shape.begin(), shape.end(), draw.between(1, 2));
      shape[rank - axes - 1] = draw.chance(1, 2) ? 32 * draw.between(1, 2) : draw.between(16, 70);
      for (std::size_t a = 0; a < 2; ++a) shape[rank - 1 - a] = draw.between(3, 9);
      break;
    case 13:
    case 14:  // rows of whole vectors, or of a few columns more or less
      std::fill(shape.begin(), shape.end(), 1);
      shape[draw.below(rank - axes)] = draw.between(1, 2);
      if (axes == 3) shape[rank - 3] = draw.between(1, 3);
      shape[rank - 2] = draw.between(2, 8);
      shape[rank - 1] = 16 * draw.between(1, 4) + (draw.chance(1, 2) ? 0 : draw.between(-1, 2));
      break;
    case 15: shape = mixed_shape(draw, rank, limits.max_elements); break;
    default: break;
  }
  return shape;
}

Case generate_valid(Source& source, const CoveragePoint& point, const Limits& limits) {
  Draw draw(source);
  Case c = blank_case(point.op);
  c.call.product = point.product;
  for (ref::Tensor& t : c.call.tensors) {
    t.dtype = point.dtype;
    t.format = point.format;
  }
  if (indices_slot(point.op) >= 0)
    c.call.tensors[indices_slot(point.op)].dtype = indices_dtype(point.op);
  // first_spatial reads the rank from here.
  for (ref::Tensor& t : c.call.tensors) reshape(t, std::vector<std::int64_t>(point.rank, 1));
  const CallKind kind = family(point.op).draw(draw, c.call, point, limits);
  draw_layouts(draw, c.call, kind);
  draw_data(draw, c, kind);
  return c;
}

}  // namespace gradproof::props
