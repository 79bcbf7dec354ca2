// Layers as well-known networks have them, that pool or resize: the calls that users make most.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ref/call.h"

namespace gradproof::props {

/// What a network pools: planes of `in`, so many channels of them. Axes are D, H, W.
struct Layer {
  using Axes = std::array<std::int64_t, 3>;
  Axes in;
  std::int64_t channels;
  Axes kernel, stride, padding;
};

/// Those of networks for images (D is 1 everywhere), and for volumes and videos.
std::span<const Layer> image_layers();
std::span<const Layer> volume_layers();

/// What a network resizes: planes of `in` to `out`, so many channels of them. Axes are H, W.
struct Resizing {
  using Axes = std::array<std::int64_t, 2>;
  Axes in, out;
  std::int64_t channels;
};

/// Those of networks that interpolate.
std::span<const Resizing> resizing_layers();

/// How many of any kind an operator has.
std::size_t layer_count(ref::Operator op);

}  // namespace gradproof::props
