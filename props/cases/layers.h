// Pooling layers as well-known networks have them: the calls that users make most.
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

/// Those of networks for images (D is 1 everywhere), or for volumes and videos; none of operators
/// that have no windows.
std::span<const Layer> layers(ref::Operator op);

}  // namespace gradproof::props
