// Loops over planes, no cleverness.
#include "tests/clients/torch_npu/plain.h"

#include <algorithm>
#include <cmath>

namespace client::plain {

Window pooling(Extents in, Extents kernel, Extents stride, Extents padding) {
  return [=](int axis, std::int64_t position) {
    const std::int64_t first = position * stride[axis] - padding[axis];
    return std::pair(std::max<std::int64_t>(first, 0), std::min(first + kernel[axis], in[axis]));
  };
}

Window adaptive(Extents in, Extents out) {
  return [=](int axis, std::int64_t position) {
    return std::pair(position * in[axis] / out[axis],
                     ((position + 1) * in[axis] + out[axis] - 1) / out[axis]);
  };
}

Values pool_gradient(const Values& self, const Values& gradient, const Extents& in,
                     const Extents& out, const Window& window) {
  Values result(self.size(), 0.0);
  const std::int64_t plane = in[0] * in[1] * in[2], pooled = out[0] * out[1] * out[2];
  for (std::int64_t o = 0; o < static_cast<std::int64_t>(gradient.size()); ++o) {
    const std::int64_t start = o / pooled * plane;
    const auto [d0, d1] = window(0, o % pooled / (out[1] * out[2]));
    const auto [h0, h1] = window(1, o / out[2] % out[1]);
    const auto [w0, w1] = window(2, o % out[2]);
    std::int64_t best = -1;
    for (std::int64_t d = d0; d < d1; ++d) {
      for (std::int64_t h = h0; h < h1; ++h) {
        for (std::int64_t w = w0; w < w1; ++w) {
          const std::int64_t i = start + (d * in[1] + h) * in[2] + w;
          if (best < 0 || self[i] > self[best]) best = i;
        }
      }
    }
    result[best] += gradient[o];
  }
  return result;
}

Values pad_gradient(const Values& gradient, std::int64_t height, std::int64_t width,
                    const std::vector<std::int64_t>& padding) {
  const std::int64_t padded_width = width + padding[0] + padding[1];
  const std::int64_t padded_height = height + padding[2] + padding[3];
  const std::int64_t padded = padded_height * padded_width;
  Values result(gradient.size() / padded * height * width, 0.0);
  for (std::int64_t o = 0; o < static_cast<std::int64_t>(gradient.size()); ++o) {
    const std::int64_t h =
        std::clamp<std::int64_t>(o / padded_width % padded_height - padding[2], 0, height - 1);
    const std::int64_t w = std::clamp<std::int64_t>(o % padded_width - padding[0], 0, width - 1);
    result[(o / padded * height + h) * width + w] += gradient[o];
  }
  return result;
}

namespace {

/// Calls visit(small, large, weight) for each share that an element of the small planes has in one
/// of the large ones.
template <class Visit>
void for_each_share(std::int64_t large, std::int64_t height, std::int64_t width, bool align_corners,
                    const Visit& visit) {
  const std::int64_t out_height = 2 * height - (align_corners ? 1 : 0);
  const std::int64_t out_width = 2 * width - (align_corners ? 1 : 0);
  const auto source = [&](std::int64_t position) {
    const double at = static_cast<double>(position);
    return align_corners ? at / 2 : std::max((at + 0.5) / 2 - 0.5, 0.0);
  };
  for (std::int64_t o = 0; o < large; ++o) {
    const double y = source(o / out_width % out_height), x = source(o % out_width);
    const std::int64_t plane = o / (out_height * out_width) * height * width;
    const auto top = static_cast<std::int64_t>(y), left = static_cast<std::int64_t>(x);
    for (std::int64_t h = top; h <= top + 1; ++h) {
      for (std::int64_t w = left; w <= left + 1; ++w) {
        const double weight =
            (1 - std::abs(y - static_cast<double>(h))) * (1 - std::abs(x - static_cast<double>(w)));
        visit(plane + std::min(h, height - 1) * width + std::min(w, width - 1), o, weight);
      }
    }
  }
}

/// How many elements there are in the large planes for `small` in the small ones.
std::int64_t upsampled(std::int64_t small, std::int64_t height, std::int64_t width, bool align) {
  const std::int64_t less = align ? 1 : 0;
  return small / (height * width) * (2 * height - less) * (2 * width - less);
}

}  // namespace

Values upsample(const Values& self, std::int64_t height, std::int64_t width, bool align_corners) {
  const auto small = static_cast<std::int64_t>(self.size());
  Values result(upsampled(small, height, width, align_corners), 0.0);
  for_each_share(
      static_cast<std::int64_t>(result.size()), height, width, align_corners,
      [&](std::int64_t s, std::int64_t l, double weight) { result[l] += weight * self[s]; });
  return result;
}

Values upsample_gradient(const Values& gradient, std::int64_t height, std::int64_t width,
                         bool align_corners) {
  const auto large = static_cast<std::int64_t>(gradient.size());
  const std::int64_t planes = large / upsampled(height * width, height, width, align_corners);
  Values result(planes * height * width, 0.0);
  for_each_share(
      large, height, width, align_corners,
      [&](std::int64_t s, std::int64_t l, double weight) { result[s] += weight * gradient[l]; });
  return result;
}

}  // namespace client::plain
