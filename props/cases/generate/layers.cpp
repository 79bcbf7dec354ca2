// The pooling layers of layers.h, and cases of them.
#include "props/cases/generate/layers.h"

#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/generator.h"
#include "props/cases/shapes.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr Layer image(std::int64_t in, std::int64_t channels, std::int64_t kernel,
                      std::int64_t stride, std::int64_t padding) {
  return {{1, in, in}, channels, {1, kernel, kernel}, {1, stride, stride}, {0, padding, padding}};
}

constexpr Layer kImages[] = {
    image(14, 512, 2, 2, 0),   // VGG, from its last layer to its first
    image(28, 512, 2, 2, 0),   //
    image(56, 256, 2, 2, 0),   //
    image(112, 128, 2, 2, 0),  //
    image(224, 64, 2, 2, 0),   //
    image(112, 64, 3, 2, 1),   // ResNet, DenseNet
    image(55, 64, 3, 2, 0),    // AlexNet, SqueezeNet
    image(27, 192, 3, 2, 0),   //
    image(13, 256, 3, 2, 0),   //
    image(56, 192, 3, 2, 0),   // GoogLeNet
    image(28, 192, 3, 1, 1),   // branches of Inception
    image(14, 480, 3, 1, 1),   //
    image(7, 832, 3, 1, 1),    //
    image(20, 256, 5, 1, 2),   // pyramids of YOLO
    image(16, 256, 5, 1, 2),   // and of images of 512 × 512
    image(13, 512, 9, 1, 4),   //
    image(13, 512, 13, 1, 6),  //
    image(568, 64, 2, 2, 0),   // U-Net
    image(28, 32, 2, 2, 0),    // digits
    image(108, 96, 3, 3, 0),   // OverFeat

    // Lines of text (CRNN), three seconds of sound (SampleCNN), a second (M5).
    {{1, 8, 26}, 256, {1, 2, 2}, {1, 2, 1}, {0, 0, 1}},
    {{1, 1, 19683}, 128, {1, 1, 3}, {1, 1, 3}, {0, 0, 0}},
    {{1, 1, 8000}, 64, {1, 1, 4}, {1, 1, 4}, {0, 0, 0}},
};

constexpr Layer kVolumes[] = {
    {{2, 7, 7}, 512, {2, 2, 2}, {2, 2, 2}, {0, 1, 1}},      // C3D, from its last layer to its first
    {{4, 14, 14}, 512, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},    //
    {{8, 28, 28}, 256, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},    //
    {{16, 56, 56}, 128, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},   //
    {{16, 112, 112}, 64, {1, 2, 2}, {1, 2, 2}, {0, 0, 0}},  //
    {{32, 112, 112}, 64, {1, 3, 3}, {1, 2, 2}, {0, 1, 1}},  // I3D
    {{32, 28, 28}, 480, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}},   //
    {{16, 14, 14}, 480, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}},   //
    {{8, 7, 7}, 832, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}},      //
    {{16, 112, 112}, 64, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}},  // 3-D ResNet
    {{128, 128, 128}, 32, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},  // 3-D U-Net, whole bodies
    {{64, 192, 160}, 32, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},   //
    {{28, 256, 256}, 32, {1, 2, 2}, {1, 2, 2}, {0, 0, 0}},   // and few thick slices
    {{1, 1, 19683}, 128, {1, 1, 3}, {1, 1, 3}, {0, 0, 0}},   // SampleCNN: three seconds of sound
    {{1, 1, 16000}, 64, {1, 1, 2}, {1, 1, 2}, {0, 0, 0}},    // a second, halved
};

/// Words of a channel's mask, as limits count them.
std::int64_t mask_words(const Layer::Axes& in, const Layer& layer) {
  std::int64_t outputs = 1, positions = 1;
  for (std::size_t a = 1; a < in.size(); ++a) {
    outputs *= in[a] / layer.stride[a] + 1;
    positions *= layer.kernel[a];
  }
  return positions * (outputs + 16) / 2;
}

std::int64_t plane_of(const Layer::Axes& in) { return in[0] * in[1] * in[2]; }

}  // namespace

std::span<const Layer> image_layers() { return kImages; }
std::span<const Layer> volume_layers() { return kVolumes; }

std::size_t layer_count(ref::Operator op) {
  const FamilyTraits& f = family(op);
  return (f.layers != nullptr ? f.layers().size() : 0) +
         (f.resizings != nullptr ? f.resizings().size() : 0);
}

void draw_layer(Draw& draw, const CoveragePoint& point, const Limits& limits, PoolShape& pool) {
  const std::size_t axes = spatial_axes(point.op);
  const std::span<const Layer> all = family(point.op).layers();
  const Layer& layer =
      all[limits.layer >= 0 ? static_cast<std::size_t>(limits.layer) : draw.below(all.size())];
  Layer::Axes in = layer.in;
  for (std::int64_t& extent : in) {
    if (extent > 7 && draw.chance(1, 6)) --extent;  // of an image of another size
  }
  const bool large = is_large(limits), mask = has_mask(point.op);
  const std::int64_t elements = large ? draw.between(std::int64_t{1} << 20, std::int64_t{5} << 18) /
                                            ref::dtype_size(point.dtype)
                                      : limits.max_elements;
  // Slices are left out first, then rows, then columns.
  const auto fits = [&] {
    return plane_of(in) <= elements && (!mask || mask_words(in, layer) <= limits.max_elements);
  };
  for (std::size_t a = 0; a < in.size(); ++a) {
    while (!fits() && in[a] / 2 >= layer.kernel[a]) in[a] /= 2;
  }
  // As many samples as it takes where the image is to be large, else fewer channels.
  std::int64_t planes = elements / plane_of(in) + (large ? 1 : 0);
  if (mask) planes = std::min(planes, limits.max_elements / mask_words(in, layer));
  const std::size_t lead = pool.shape.size() - axes;
  const std::int64_t samples = large && lead == 2 ? (planes - 1) / layer.channels + 1 : 1;
  std::int64_t channels = std::max<std::int64_t>(planes / samples, 1);
  if (!large) channels = std::min(channels, layer.channels);
  for (const std::int64_t whole : {32, 16}) {
    if (channels > whole) channels -= channels % whole;
  }
  std::fill(pool.shape.begin(), pool.shape.end(), 1);
  pool.shape[0] = samples;
  pool.shape[lead - 1] = channels;
  for (std::size_t a = 0; a < axes; ++a) {
    const std::size_t of_layer = 3 - axes + a;
    pool.shape[lead + a] = in[of_layer];
    pool.kernel[a] = layer.kernel[of_layer];
    pool.stride[a] = layer.stride[of_layer];
    pool.padding[a] = layer.padding[of_layer];
  }
}

}  // namespace gradproof::props
