// Upsampling with coordinates and sums in FLOAT.
#include "tests/suite/fake_device.h"

#include <algorithm>

#include "props/properties/problem.h"
#include "ref/operators.h"
#include "ref/scales.h"

namespace ref = gradproof::ref;

namespace {

/// A position's two neighbours in the small image, and their weights.
struct Neighbours {
  std::int64_t at[2];
  float weight[2];
};

Neighbours neighbours(std::int64_t position, std::int64_t small, std::int64_t large, bool align,
                      double scale) {
  const auto n = static_cast<float>(small), m = static_cast<float>(large);
  const auto i = static_cast<float>(position);
  const float r = align       ? (large > 1 ? (n - 1) / (m - 1) : 0)
                  : scale > 0 ? 1 / static_cast<float>(scale)
                              : n / m;
  const float x = std::clamp(align ? r * i : r * (i + 0.5f) - 0.5f, 0.0f, n - 1);
  const auto i0 = static_cast<std::int64_t>(x);
  const float w1 = x - static_cast<float>(i0);
  return {{i0, std::min(i0 + 1, small - 1)}, {1 - w1, w1}};
}

}  // namespace

std::vector<long double> upsample_in_float(const ref::Call& call, const ref::Dense& input) {
  const bool backward = ref::is_backward(call.op), align = call.flags[0] != 0;
  const std::vector<long double> in = gradproof::props::values_of(input);
  const ref::Images first = ref::images(call, 0);
  const std::int64_t from_plane = backward ? first.large.count : first.small.count;
  const std::int64_t planes = static_cast<std::int64_t>(in.size()) / from_plane;
  const std::int64_t to_plane = backward ? first.small.count : first.large.count;
  std::vector<float> sums(planes * to_plane);
  for (std::int64_t p = 0; p < planes; ++p) {
    const ref::Images im = ref::images(call, p);
    for (std::int64_t oh = 0; oh < im.out_h; ++oh) {
      const Neighbours h = neighbours(oh, im.in_h, im.out_h, align, ref::scale_in_effect(call, 0));
      for (std::int64_t ow = 0; ow < im.out_w; ++ow) {
        const Neighbours w =
            neighbours(ow, im.in_w, im.out_w, align, ref::scale_in_effect(call, 1));
        const std::int64_t large = im.large.first + (oh * im.out_w + ow) * im.large.step;
        for (int corner = 0; corner < 4; ++corner) {
          const float weight = h.weight[corner / 2] * w.weight[corner % 2];
          if (weight == 0) continue;
          const std::int64_t small =
              im.small.first + (h.at[corner / 2] * im.in_w + w.at[corner % 2]) * im.small.step;
          const std::int64_t from = backward ? large : small, to = backward ? small : large;
          sums[to] += weight * static_cast<float>(in[from]);
        }
      }
    }
  }
  return {sums.begin(), sums.end()};
}
