// Adaptive pooling, upsampling and padding: an image and another size for it.
#include <algorithm>
#include <limits>
#include <utility>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/generator.h"
#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// Mostly a scale that fits: none, the sizes' own ratio, or another one that leads to the size.
double draw_scale(Draw& draw, std::int64_t in, std::int64_t out) {
  switch (draw.below(16)) {
    case 6:
    case 7:
    case 8: return fitting_scale(in, out);
    case 9:
    case 10:
    case 11: return fitting_scale(in, out, static_cast<double>(draw.between(1, 15)) / 16);
    case 12:
    case 13: return draw.pick({-1.0, -0.5, -1e300});
    case 14: return static_cast<double>(draw.between(1, 64)) / 16;
    case 15:
      return draw.pick({1e-300, 1e300, 4.9e-324, std::numeric_limits<double>::max(), 0.1, 3.7});
    default: return 0;
  }
}

/// The shape of the forward's output, for the operators whose parameters leave it free.
std::vector<std::int64_t> draw_resized(Draw& draw, const std::vector<std::int64_t>& in,
                                       std::size_t first, std::size_t axes, const Limits& limits) {
  std::vector<std::int64_t> out = in;
  constexpr std::uint64_t kModes = 9;
  const auto modes = draw.each_below(kModes, axes, draw.below(kModes));
  const std::vector<std::int64_t> other = draw.distinct(axes, 2, 9);
  for (std::size_t a = 0; a < axes; ++a) {
    std::int64_t& extent = out[first + a];
    switch (modes[a]) {
      case 1: extent = draw.between(1, extent); break;
      case 2: extent += draw.between(1, 4); break;
      case 3: extent *= draw.between(1, 3); break;
      case 4:
        for (std::int64_t d = draw.between(2, 4); d > 1; --d) {
          if (extent % d == 0) extent /= d;
        }
        break;
      case 5: extent = 1; break;
      case 6: break;
      case 7: extent = draw.chance(1, 3) ? draw.between(1, 70) : other[a]; break;
      case 8:  // a power of two: weights of few bits
        extent = draw.chance(1, 2) ? extent << draw.between(0, 2)
                                   : std::max<std::int64_t>(extent >> draw.between(1, 2), 1);
        break;
      default: extent = other[a]; break;
    }
  }
  while (*element_count(out) > limits.max_elements) {
    std::int64_t& extent =
        *std::max_element(out.begin() + static_cast<std::ptrdiff_t>(first),
                          out.begin() + static_cast<std::ptrdiff_t>(first + axes));
    if (extent <= 1) break;
    extent /= 2;
  }
  return out;
}

constexpr std::int64_t kScaled = 4096;  ///< elements of draw_scaled at most

/// Images with rows that are worth vectors, H and W last, and outputs of another size: half or a
/// third, where at most one element of the output reads an element of the image, or two or three
/// times.
ResizedShape draw_scaled(Draw& draw) {
  const std::int64_t by = draw.between(2, 3);
  if (draw.chance(1, 4)) {  // more rows of the image than fit into a tile, since rows are doubled
    const std::int64_t h = draw.between(14, 18), w = 16 * draw.between(9, 10);
    return {{1, 1, h, w}, {1, 1, h / by, 2 * w}};
  }
  if (draw.chance(1, 2)) {
    const std::int64_t channels = draw.between(1, 3);
    const std::int64_t h = draw.between(4, 12), w = draw.between(18, 56);
    return {{1, channels, h, w}, {1, channels, h / by, w / by}};
  }
  const std::int64_t channels = draw.between(1, 2);
  if (draw.chance(1, 4)) {  // few rows of the output fit into a tile
    const std::int64_t h = draw.between(1, 3), w = 16 * draw.between(8, 10);
    return {{1, channels, h, w}, {1, channels, 2 * h, 2 * w}};
  }
  const std::int64_t h = draw.between(2, 6);
  const std::int64_t w = draw.chance(2, 3) ? 16 * draw.between(1, 2) : draw.between(15, 35);
  return {{1, channels, h, w}, {1, channels, by * h, by * w}};
}

void fit_input(std::vector<std::int64_t>& shape, const Limits& limits) {
  while (*element_count(shape) > limits.max_elements)
    *std::max_element(shape.begin(), shape.end()) /= 2;
}

/// Makes windows few where they overlap along a long axis: the reference reads each of them whole,
/// which took seconds for one case.
void fit_windows(const std::vector<std::int64_t>& in, std::vector<std::int64_t>& out,
                 std::size_t first) {
  constexpr std::int64_t kMostRead = std::int64_t{1} << 22;
  const auto read = [&] {
    std::int64_t elements = 1;
    for (std::size_t a = 0; a < out.size(); ++a)
      elements *= a < first ? out[a] : out[a] * (in[a] / std::max<std::int64_t>(out[a], 1) + 2);
    return elements;
  };
  while (read() > kMostRead) {
    std::int64_t& most =
        *std::max_element(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    if (most <= 1) return;
    most /= 2;
  }
}

}  // namespace

CallKind draw_adaptive(Draw& draw, ref::Call& call, const CoveragePoint& point,
                       const Limits& limits) {
  std::vector<std::int64_t> in = draw_shape(draw, point, limits);
  fit_input(in, limits);
  const std::size_t first = in.size() - 3;
  const bool channels = limits.max_elements >= 4096 && !is_shaped(limits) && draw.chance(1, 12);
  if (channels) {
    std::fill(in.begin(), in.end(), 1);
    in[first - 1] = draw_vector_channels(draw);
    for (std::size_t a = first; a < in.size(); ++a)
      in[a] = draw.between(2, in[first - 1] <= 32 ? 5 : 4);
    if (draw.chance(1, 4)) {
      in[first] = 1;
      in[first + 1] = draw.between(1, 2);
      in.back() = draw_long_row(draw, in[first - 1] * in[first + 1]);
    }
  }
  std::vector<std::int64_t> out = draw_resized(draw, in, first, 3, limits);
  if (is_large(limits) && draw.chance(1, 2)) {  // most of gradInput is zeros
    for (std::size_t a = 0; a < 3; ++a) out[first + a] = draw.between(1, 3);
  }
  fit_windows(in, out, first);
  if (draw.chance(1, 8)) {
    const std::size_t lead = draw.below(first);
    switch (draw.below(3)) {
      case 0: in[lead] = out[lead] = 0; break;
      case 1: out[first + draw.below(3)] = 0; break;
      default: in[first + draw.below(3)] = 0, out[first + draw.below(3)] = 0; break;
    }
  }
  set_input_shape(call, in);
  if (traits(point.op).free_output) {
    reshape(call.tensors[output_side(point.op)], out);
  } else {
    ref::int_array(call, "outputSize")
        .values.assign(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    reshape(call.tensors[output_side(point.op)], in);
  }
  conform(call);
  return channels ? CallKind::channels : CallKind::usual;
}

CallKind draw_upsample(Draw& draw, ref::Call& call, const CoveragePoint& point,
                       const Limits& limits) {
  const bool shaped = limits.long_axis || limits.planes;
  const bool layer = !shaped && limits.max_elements >= 4096 &&
                     (limits.layer >= 0 || draw.chance(1, is_large(limits) ? 2 : 8));
  const bool scaled =
      !layer && !shaped && !is_large(limits) && limits.max_elements >= kScaled && draw.chance(1, 6);
  ResizedShape image = layer    ? draw_resizing(draw, point, limits)
                       : scaled ? draw_scaled(draw)
                                : ResizedShape{draw_shape(draw, point, limits), {}};
  auto& [in, out] = image;
  const bool channels_last = point.format == ref::kNhwc;
  const auto turn = [&](std::vector<std::int64_t>& shape) {  // from H, W last
    if (channels_last) std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  };
  if (scaled && draw.chance(1, 3)) {  // several images instead of channels
    std::swap(in[0], in[1]);
    std::swap(out[0], out[1]);
  }
  turn(in);
  const std::size_t first = channels_last ? 1 : 2;
  if (layer || scaled) {
    turn(out);
  } else {
    fit_input(in, limits);
    out = draw_resized(draw, in, first, 2, limits);
  }
  set_input_shape(call, in);
  ref::int_array(call, "outputSize").values = {out[first], out[first + 1]};
  reshape(call.tensors[output_side(point.op)], out);
  conform(call);
  call.flags[0] = draw.chance(1, 2);
  for (std::size_t a = 0; a < 2; ++a)
    call.reals[a] = draw_scale(draw, in[first + a], out[first + a]);
  if (layer && draw.chance(1, 8)) return CallKind::region;
  return layer ? CallKind::layer : CallKind::usual;
}

CallKind draw_pad(Draw& draw, ref::Call& call, const CoveragePoint& point, const Limits& limits) {
  std::vector<std::int64_t> in = draw_shape(draw, point, limits);
  const std::size_t axes = static_cast<std::size_t>(spatial_axes(point.op)), last = in.size() - 1;
  const std::uint64_t kinds = is_shaped(limits) ? 8 : 9, mode = draw.below(kinds);
  if (mode == 8) std::fill_n(in.rbegin(), axes, draw.between(9, 12));
  const auto modes = draw.each_below(kinds, axes, mode);
  fit_input(in, limits);
  std::vector<std::int64_t> pad = draw.distinct(2 * axes, 0, 5);
  const std::size_t cropped = draw.chance(1, 2) ? 1 : 0;
  for (std::size_t i = 0; i < 2 * axes; ++i) {
    const std::int64_t extent = in[last - i / 2];
    switch (modes[i / 2]) {
      case 1: pad[i] = 0; break;
      case 2: pad[i] = extent - 1; break;
      case 3: pad[i] = draw.between(-3, 3); break;
      case 4: pad[i] = -draw.between(0, 3); break;
      case 5: pad[i] = i % 2 == 0 ? extent - 1 : 1 - 2 * extent + draw.between(0, 2); break;
      case 6: pad[i] = pad[0]; break;
      case 7:  // one side is cropped to a few elements
        pad[i] = i % 2 == cropped ? std::min<std::int64_t>(draw.between(1, 3) - extent, 0) : 0;
        break;
      case 8: pad[i] = draw.pick({0, 0, 7, 8}); break;  // 7 is the most that some kernels take
      default: break;
    }
    pad[i] = std::min(pad[i], extent - 1);
  }
  for (std::size_t a = 0; a < axes; ++a) {  // whatever was cropped, something must be left
    const std::int64_t extent = in[last - a];
    if (extent + pad[2 * a] + pad[2 * a + 1] < 1)
      pad[2 * a] = 0, pad[2 * a + 1] = std::max(pad[2 * a + 1], 1 - extent);
  }
  if (draw.chance(1, 20)) in[0] = 0;
  set_input_shape(call, in);
  ref::int_array(call, "padding").values = pad;
  reshape(call.tensors[output_side(point.op)], in);
  conform(call);
  while (largest(call) > limits.max_elements) {  // padding may double each axis
    const auto lead_end = in.begin() + static_cast<std::ptrdiff_t>(in.size() - axes);
    auto longest = std::max_element(in.begin(), lead_end);
    if (*longest == 1) longest = std::max_element(in.begin(), in.end());
    *longest /= 2;
    for (std::size_t i = 0; i < 2 * axes; ++i) {
      pad[i] = std::clamp<std::int64_t>(pad[i], 0, in[last - i / 2] - 1);
    }
    set_input_shape(call, in);
    ref::int_array(call, "padding").values = pad;
    conform(call);
  }
  return CallKind::usual;
}

}  // namespace gradproof::props
