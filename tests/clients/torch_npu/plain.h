// The five gradients by their definition, in double: what a client must read back.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace client::plain {

using Values = std::vector<double>;
using Extents = std::vector<std::int64_t>;  ///< three: depth, height, width

/// Input positions [first, last) of a window along an axis.
using Window =
    std::function<std::pair<std::int64_t, std::int64_t>(int axis, std::int64_t position)>;
Window pooling(Extents in, Extents kernel, Extents stride, Extents padding);
Window adaptive(Extents in, Extents out);

/// Adds each gradient to its window's maximum, plane by plane.
Values pool_gradient(const Values& self, const Values& gradient, const Extents& in,
                     const Extents& out, const Window& window);

/// Of padding by (left, right, top, bottom) with the nearest value. Extents: height, width.
Values pad_gradient(const Values& gradient, std::int64_t height, std::int64_t width,
                    const std::vector<std::int64_t>& padding);

/// Bilinear upsampling of planes by two, to 2·n or, with corners aligned, 2·n − 1 points an axis.
Values upsample(const Values& self, std::int64_t height, std::int64_t width, bool align_corners);
/// Its gradient.
Values upsample_gradient(const Values& gradient, std::int64_t height, std::int64_t width,
                         bool align_corners);

}  // namespace client::plain
