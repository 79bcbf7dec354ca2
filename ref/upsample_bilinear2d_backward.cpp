// UpsampleBilinear2dBackwardV2: every gradOut element adds its weighted shares to four neighbours.
#include <algorithm>
#include <cmath>

#include "ref/row.h"
#include "ref/scales.h"
#include "ref/types.h"

namespace gradproof::ref {

// In FLOAT (u = 2⁻²⁴) or DOUBLE (u = 2⁻⁵³), the coordinate r·(i+½)−½ takes at most five roundings
// (scale, 1/scale, i+½, product, difference; with alignCorners fewer), each relative to a number of
// at most x+1 ≤ n_in; λ0 = 1 − λ1 is the sixth. Clamping brings numbers no further apart, and the
// weight of a position q is max(0, 1−|x−q|), which changes by no more than x does: hence γ(6)·n_in.
double axis_weight_error(std::int64_t n_in, std::int32_t coordinates) {
  const double u = coordinates == kDouble ? 0x1p-53 : 0x1p-24;
  return 6 * u / (1 - 6 * u) * static_cast<double>(n_in);
}

double axis_step(std::int64_t n_in, std::int64_t n_out, bool align_corners, double scale) {
  const double in = static_cast<double>(n_in), out = static_cast<double>(n_out);
  if (align_corners) return n_out > 1 ? (in - 1) / (out - 1) : 0;
  return scale > 0 ? 1 / scale : in / out;
}

std::vector<std::vector<Tap>> bilinear_taps(std::int64_t n_in, std::int64_t n_out,
                                            bool align_corners, double scale,
                                            std::int32_t coordinates) {
  const double r = axis_step(n_in, n_out, align_corners, scale);
  std::vector<std::vector<Tap>> taps(n_out);
  for (std::int64_t i = 0; i < n_out; ++i) {
    const double position = static_cast<double>(i);
    // 1/scale may be Inf, but i + 0.5 is never 0: the product is no NaN.
    const double unclamped = align_corners ? r * position : r * (position + 0.5) - 0.5;
    const double x = std::clamp(unclamped, 0.0, static_cast<double>(n_in - 1));
    const auto i0 = static_cast<std::int64_t>(x);
    const std::int64_t i1 = std::min(i0 + 1, n_in - 1);
    const double w1 = x - static_cast<double>(i0);
    const double w0 = 1 - w1;
    const double error = axis_weight_error(n_in, coordinates);
    if (w0 != 0) taps[i].push_back({i0, w0, w0 > error});
    if (w1 != 0) taps[i].push_back({i1, w1, w1 > error});
    // Neighbours that another coordinate may reach although their weight is 0.
    for (std::int64_t q = std::max<std::int64_t>(i0 - 1, 0); q <= std::min(i0 + 2, n_in - 1); ++q) {
      const bool has_weight = (q == i0 && w0 != 0) || (q == i1 && w1 != 0);
      if (has_weight) continue;
      const bool near = std::fabs(unclamped - static_cast<double>(q)) <= 1 + error;
      // A neighbour whose weight is 0: 0·Inf where an implementation adds it all the same.
      if (near || q == i0 || q == i1) taps[i].push_back({q, 0, false, near});
    }
  }
  return taps;
}

void add_weighted(Exact& e, const Tap& h, const Tap& w, long double factor) {
  const bool finite = std::isfinite(factor);
  e.zero_non_finite |= !finite && (h.weight == 0 || w.weight == 0);
  if (!h.near || !w.near) return;
  if (finite) e.unweighted += std::fabs(factor);
  e.near_non_finite |= !finite && !(h.sure && w.sure);
  if (h.weight != 0 && w.weight != 0) {
    add(e, static_cast<long double>(h.weight) * w.weight * factor);
  } else {
    ++e.near;
  }
}

Images images(const Call& call, std::int64_t plane) {
  const Tensor& small = tensor(call, is_backward(call.op) ? "out" : "self");
  const Tensor& large = tensor(call, is_backward(call.op) ? "gradOut" : "out");
  const bool nhwc = small.format == kNhwc;
  const std::size_t h = nhwc ? 1 : 2;
  Images im{small.shape[h], small.shape[h + 1], large.shape[h], large.shape[h + 1], {}, {}};
  const std::int64_t channels = small.shape[nhwc ? 3 : 1];
  auto place = [&](std::int64_t count) -> PlanePlace {
    if (!nhwc) return {plane * count, 1, count};
    return {plane / channels * count * channels + plane % channels, channels, count};
  };
  im.small = place(im.in_h * im.in_w);
  im.large = place(im.out_h * im.out_w);
  return im;
}

std::array<std::vector<std::vector<Tap>>, 2> taps_of_axes(const Task& task, const Images& im) {
  const Call& call = task.call;
  const bool align = call.flags[0] != 0;
  const auto taps = [&](std::int64_t n_in, std::int64_t n_out, std::size_t axis) {
    return bilinear_taps(n_in, n_out, align, scale_in_effect(call, axis, task.numerics.scales),
                         task.numerics.coordinates);
  };
  return {taps(im.in_h, im.out_h, 0), taps(im.in_w, im.out_w, 1)};
}

namespace {

using namespace parameters;

constexpr Parameter kParameters[] = {
    in("gradOut", 0),   ints("outputSize", 0), ints("inputSize", 1), flag("alignCorners", 0),
    real("scalesH", 0), real("scalesW", 1),    out("out", 1)};

Plane plane_of_result(const Task& task) {
  const Images im = images(task.call, task.plane);
  const auto [taps_h, taps_w] = taps_of_axes(task, im);
  const std::vector<long double> g =
      load_plane(task.inputs[slot(task.call.op, "gradOut")], im.large);

  Plane plane{std::vector<Exact>(im.small.count), im.small.first, im.small.step};
  for (std::int64_t oh = 0; oh < im.out_h; ++oh) {
    for (std::int64_t ow = 0; ow < im.out_w; ++ow) {
      for (const Tap& h : taps_h[oh]) {
        for (const Tap& w : taps_w[ow]) {
          add_weighted(plane.values[h.at * im.in_w + w.at], h, w, g[oh * im.out_w + ow]);
        }
      }
    }
  }
  return plane;
}

}  // namespace

constinit const OperatorRow rows::upsample_bilinear2d_backward = {
    .parameters = kParameters,
    .backward = true,
    .companion = Operator::upsample_bilinear2d,
    .rules = &kUpsampleRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::weighted,
    .plane_axes = 2,
};

}  // namespace gradproof::ref
