// The parts of a generated case: shapes and parameters of each family, and data.
#pragma once

#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw.h"
#include "props/cases/generate/generator.h"

namespace gradproof::props {

/// Elements of the largest tensor; of a mask, whose elements are bytes, 32-bit words count.
std::int64_t largest(const ref::Call& call);
void set_input_shape(ref::Call& call, const std::vector<std::int64_t>& shape);
/// Whether an image is to be of a mebibyte or more.
bool is_large(const Limits& limits);
/// Whether the shape is drawn for a purpose, and must stay as it is.
bool is_shaped(const Limits& limits);
/// Pairwise different extents, or one of the special classes: extent 1, equal ones, a long axis.
std::vector<std::int64_t> draw_shape(Draw& draw, const CoveragePoint& point, const Limits& limits);

/// The forward's input and the windows over its last axes.
struct PoolShape {
  std::vector<std::int64_t> shape, kernel, stride, padding;
};
/// One of layers.h, cropped or with fewer channels where the limits want it.
void draw_layer(Draw& draw, const CoveragePoint& point, const Limits& limits, PoolShape& pool);

/// The forward's input and output, channels before the image.
struct ResizedShape {
  std::vector<std::int64_t> in, out;
};
/// The same of an operator that interpolates.
ResizedShape draw_resizing(Draw& draw, const CoveragePoint& point, const Limits& limits);

/// As many channels as kernels are made for where channels are last: mostly 16 or 32, at most 64.
inline std::int64_t draw_vector_channels(Draw& draw) {
  return 16 * (draw.chance(1, 4) ? draw.between(3, 4) : draw.between(1, 2));
}

/// The extent of rows that are longer than small tiles of several rows, with so many elements along
/// the other axes; 3 where a call of 4096 elements has no room for them.
inline std::int64_t draw_long_row(Draw& draw, std::int64_t others) {
  const std::int64_t most = std::min<std::int64_t>(4096 / others, 56);
  return most > 32 ? draw.between(33, most) : 3;
}

/// What is special about a call.
enum class CallKind : std::uint8_t {
  usual,
  layer,     ///< a network's, or like one
  channels,  ///< has channels worth vectors: mostly they are last
  region,    ///< its images are regions of larger ones: gaps between rows
};

// Shapes and parameters of a call whose tensors have their types and rank already.
CallKind draw_pool(Draw& draw, ref::Call& call, const CoveragePoint& point, const Limits& limits);
CallKind draw_adaptive(Draw& draw, ref::Call& call, const CoveragePoint& point,
                       const Limits& limits);
CallKind draw_upsample(Draw& draw, ref::Call& call, const CoveragePoint& point,
                       const Limits& limits);
CallKind draw_pad(Draw& draw, ref::Call& call, const CoveragePoint& point, const Limits& limits);

/// Gives every tensor of a call a layout that the contract allows for it; many stay plain, of a
/// network's layer more than of others.
void draw_layouts(Draw& draw, ref::Call& call, CallKind kind);

/// Data recipes, the seed, and perhaps a misuse. Of a network's layer, most indices are its
/// forward's.
void draw_data(Draw& draw, Case& c, CallKind kind);

}  // namespace gradproof::props
