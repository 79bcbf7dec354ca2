// The resizing layers of layers.h, and cases of them.
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/layers.h"
#include "props/cases/shapes.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr Resizing square(std::int64_t in, std::int64_t out, std::int64_t channels) {
  return {{in, in}, {out, out}, channels};
}

constexpr Resizing kResizings[] = {
    square(7, 14, 2048),          // pyramids of features, from the smallest
    square(28, 56, 256),          //
    square(64, 128, 64),          // U-Net
    {{48, 64}, {96, 128}, 128},   // PWC-Net
    square(65, 513, 21),          // DeepLab
    square(28, 224, 21),          // FCN
    {{6, 6}, {60, 60}, 512},      // PSPNet, from its largest pool to its smallest
    {{1, 1}, {60, 60}, 512},      //
    square(64, 96, 64),           // images of one and a half
    square(128, 96, 16),          // and of three quarters
    square(256, 224, 3),          // photographs made fit for a network
    square(224, 112, 3),          // pyramids of images, by half
    square(64, 32, 64),           //
    square(128, 48, 16),          // and further
    square(512, 224, 3),          // larger photographs
    {{480, 640}, {224, 224}, 3},  //
    {{96, 320}, {24, 80}, 16},    // losses at a quarter
    {{160, 192}, {80, 48}, 32},   // and at different scales
    square(14, 7, 1024),          // features
};

std::int64_t plane_of(const Resizing::Axes& image) { return image[0] * image[1]; }

}  // namespace

std::span<const Resizing> resizing_layers() { return kResizings; }

ResizedShape draw_resizing(Draw& draw, const CoveragePoint& point, const Limits& limits) {
  const std::span<const Resizing> all = family(point.op).resizings();
  const Resizing& layer =
      all[limits.layer >= 0 ? static_cast<std::size_t>(limits.layer) : draw.below(all.size())];
  auto [in, out, most_channels] = layer;
  const bool large = is_large(limits);
  const std::int64_t elements = large ? draw.between(std::int64_t{1} << 20, std::int64_t{5} << 18) /
                                            ref::dtype_size(point.dtype)
                                      : limits.max_elements;
  const auto plane = [&] { return std::max(plane_of(in), plane_of(out)); };
  // Rows are left out first, then columns.
  for (std::size_t a = 0; a < 2; ++a) {
    while (plane() > limits.max_elements && std::max(in[a], out[a]) > 1) {
      in[a] = (in[a] + 1) / 2;
      out[a] = (out[a] + 1) / 2;
    }
  }
  // As many samples as it takes where the image is to be large, else fewer channels.
  const std::int64_t wanted = elements / plane_of(in) + (large ? 1 : 0);
  const std::int64_t planes = std::clamp<std::int64_t>(limits.max_elements / plane(), 1, wanted);
  const std::int64_t samples = large ? (planes - 1) / most_channels + 1 : 1;
  std::int64_t channels = planes / samples;
  if (!large) channels = std::min(channels, most_channels);
  for (const std::int64_t whole : {32, 16}) {
    if (channels > whole) channels -= channels % whole;
  }
  return {{samples, channels, in[0], in[1]}, {samples, channels, out[0], out[1]}};
}

}  // namespace gradproof::props
