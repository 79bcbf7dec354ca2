// Valid cases: shapes and parameters of each family, then layouts, data recipes and misuse.
#include <algorithm>
#include <limits>

#include "props/cases/draw.h"
#include "props/cases/layout.h"
#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// Elements of the largest tensor; of a mask, whose elements are bytes, 32-bit words count.
std::int64_t largest(const ref::Call& call) {
  std::int64_t most = 0;
  for (const ref::Tensor& t : call.tensors) {
    const std::int64_t count = *element_count(t.shape);
    most = std::max(most, t.dtype == ref::kInt8 ? count / 4 : count);
  }
  return most;
}

void set_input_shape(ref::Call& call, const std::vector<std::int64_t>& shape) {
  for (int slot : input_side(call.op)) reshape(call.tensors[slot], shape);
}

/// Pairwise different extents, or one of the special classes: extent 1, equal ones, a long axis.
std::vector<std::int64_t> draw_shape(Draw& draw, const Cell& cell, const Limits& limits) {
  const std::size_t rank = cell.rank, axes = spatial_axes(cell.op);
  const bool mask = family(cell.op) == Family::max_pool2d;
  std::vector<std::int64_t> shape = draw.distinct(rank, 2, rank == 5 ? 7 : mask ? 6 : 9);
  if (mask) std::sort(shape.begin(), shape.end());  // a mask grows with N·C
  if (limits.long_axis && !mask && limits.max_elements >= 1 << 17) {
    std::fill(shape.begin(), shape.end(), 1);
    shape[rank - 1 - draw.below(axes)] = draw.between(65537, 70000);
    return shape;
  }
  switch (draw.below(12)) {
    case 6:
      shape[draw.below(rank)] = 1;
      break;
    case 7:
      for (std::size_t axis = 0; axis < rank; ++axis) {
        if (draw.chance(1, 2)) shape[axis] = 1;
      }
      break;
    case 8:
      std::fill(shape.end() - static_cast<std::ptrdiff_t>(axes), shape.end(), shape.back());
      break;
    case 9:
      std::fill(shape.begin(), shape.end(), 1);
      shape[rank - 1 - draw.below(axes)] =
          draw.between(65, std::clamp<std::int64_t>(limits.max_elements, 66, 400));
      shape[rank - 1 - draw.below(axes)] += draw.between(0, 3);
      break;
    case 10:
      if (!mask) break;
      std::fill(shape.begin(), shape.end(), 2);
      shape[0] = 1;
      shape[rank - 3] = draw.between(17, 40);
      shape[rank - 1 - draw.below(2)] = 3;
      break;
    case 11:
      if (limits.max_elements < 1 << 16) break;
      for (std::int64_t& extent : shape) extent *= draw.between(1, 6);
      break;
    default:
      break;
  }
  return shape;
}

/// Makes the call's largest tensor fit: halves the largest extent, and kernels once all are 1.
void shrink_pool(ref::Call& call, const Limits& limits) {
  ref::IntArray& kernel = ref::int_array(call, "kernelSize");
  while (largest(call) > limits.max_elements) {
    std::vector<std::int64_t> shape = ref::tensor(call, "self").shape;
    std::int64_t& extent = *std::max_element(shape.begin(), shape.end());
    if (extent > 1) {
      extent /= 2;
    } else {
      std::int64_t& k = *std::max_element(kernel.values.begin(), kernel.values.end());
      if (k == 1) return;
      k /= 2;
    }
    // Padding of half a window never leaves an extent without an output position.
    ref::int_array(call, "padding").values.clear();
    for (std::int64_t k : kernel.values) ref::int_array(call, "padding").values.push_back(k / 2);
    set_input_shape(call, shape);
    conform(call);
  }
}

void draw_pool(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits) {
  const std::vector<std::int64_t> shape = draw_shape(draw, cell, limits);
  const std::size_t axes = spatial_axes(cell.op);
  std::vector<std::int64_t> kernel = draw.distinct(axes, 1, 4), stride = draw.distinct(axes, 1, 4),
                            padding(axes);
  for (std::size_t a = 0; a < axes; ++a) padding[a] = draw.between(0, kernel[a] / 2);
  const std::uint64_t mode = draw.below(9);
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t in = shape[shape.size() - axes + a];
    switch (mode) {
      case 1:
        stride[a] = kernel[a];
        break;
      case 2:
        kernel[a] = std::max<std::int64_t>(kernel[a], 2);
        stride[a] = draw.between(1, kernel[a] - 1);
        break;
      case 3:
        stride[a] = kernel[a] + draw.between(1, 2);
        break;
      case 4:
        if (in <= 9) kernel[a] = in + draw.between(1, 2), padding[a] = kernel[a] / 2;
        break;
      case 5: {
        const std::int64_t room = in + 2 * padding[a] - kernel[a];
        stride[a] = room > 0 && room % 3 == 0 ? 3 : room > 0 && room % 2 == 0 ? 2 : 1;
        break;
      }
      case 6:
        kernel[a] = kernel[0], stride[a] = stride[0], padding[a] = padding[0];
        break;
      case 7:
        padding[a] = kernel[a] / 2;
        break;
      case 8:
        padding[a] = 0;
        break;
      default:
        break;
    }
  }
  call.flags[0] = draw.chance(1, 2);
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t in = shape[shape.size() - axes + a];
    if (!pooled_extent({in, kernel[a], stride[a], padding[a]}, call.flags[0] != 0))
      padding[a] = kernel[a] / 2;
  }
  const auto one_for_all = [&](std::vector<std::int64_t>& values) {
    if (std::count(values.begin(), values.end(), values[0]) == static_cast<std::ptrdiff_t>(axes) &&
        draw.chance(1, 2)) {
      values.resize(1);
    }
  };
  if (stride == kernel && draw.chance(1, 2))
    stride.clear();
  else
    one_for_all(stride);
  one_for_all(kernel);
  one_for_all(padding);
  std::vector<std::int64_t> dilation(draw.chance(1, 2) ? 1 : axes, 1);
  if (dilation.size() == axes && padding.size() == 1) dilation.resize(1);
  ref::int_array(call, "kernelSize").values = kernel;
  ref::int_array(call, "stride").values = stride;
  ref::int_array(call, "padding").values = padding;
  ref::int_array(call, "dilation").values = dilation;
  set_input_shape(call, shape);
  conform(call);
  shrink_pool(call, limits);
  if (family(cell.op) == Family::max_pool2d && cell.rank == 4 && draw.chance(1, 24)) {
    std::vector<std::int64_t> empty = ref::tensor(call, "self").shape;
    empty[0] = 0;
    set_input_shape(call, empty);
    conform(call);
  }
}

/// The shape of the forward's output, for the operators whose parameters leave it free.
std::vector<std::int64_t> draw_resized(Draw& draw, const std::vector<std::int64_t>& in,
                                       std::size_t first, std::size_t axes, const Limits& limits) {
  std::vector<std::int64_t> out = in;
  const std::uint64_t mode = draw.below(8);
  const std::vector<std::int64_t> other = draw.distinct(axes, 2, 9);
  for (std::size_t a = 0; a < axes; ++a) {
    std::int64_t& extent = out[first + a];
    switch (mode) {
      case 1:
        extent = draw.between(1, extent);
        break;
      case 2:
        extent += draw.between(1, 4);
        break;
      case 3:
        extent *= draw.between(1, 3);
        break;
      case 4:
        for (std::int64_t d = draw.between(2, 4); d > 1; --d) {
          if (extent % d == 0) extent /= d;
        }
        break;
      case 5:
        extent = 1;
        break;
      case 6:
        break;
      case 7:
        extent = draw.chance(1, 3) ? draw.between(1, 70) : other[a];
        break;
      default:
        extent = other[a];
        break;
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

void fit_input(std::vector<std::int64_t>& shape, const Limits& limits) {
  while (*element_count(shape) > limits.max_elements)
    *std::max_element(shape.begin(), shape.end()) /= 2;
}

void draw_adaptive(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits) {
  std::vector<std::int64_t> in = draw_shape(draw, cell, limits);
  fit_input(in, limits);
  const std::size_t first = in.size() - 3;
  std::vector<std::int64_t> out = draw_resized(draw, in, first, 3, limits);
  if (draw.chance(1, 12)) {
    const std::size_t lead = draw.below(first);
    switch (draw.below(3)) {
      case 0:
        in[lead] = out[lead] = 0;
        break;
      case 1:
        out[first + draw.below(3)] = 0;
        break;
      default:
        in[first + draw.below(3)] = 0, out[first + draw.below(3)] = 0;
        break;
    }
  }
  set_input_shape(call, in);
  if (ref::is_backward(cell.op)) {
    reshape(call.tensors[output_side(cell.op)], out);
  } else {
    ref::int_array(call, "outputSize")
        .values.assign(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    reshape(call.tensors[output_side(cell.op)], in);
  }
  conform(call);
}

void draw_upsample(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits) {
  std::vector<std::int64_t> in = draw_shape(draw, cell, limits);
  if (cell.format == ref::kNhwc)
    std::rotate(in.begin() + 1, in.begin() + 2, in.end());  // draw_shape has H, W last
  fit_input(in, limits);
  const std::size_t first = cell.format == ref::kNhwc ? 1 : 2;
  const std::vector<std::int64_t> out = draw_resized(draw, in, first, 2, limits);
  set_input_shape(call, in);
  ref::int_array(call, "outputSize").values = {out[first], out[first + 1]};
  reshape(call.tensors[output_side(cell.op)], out);
  conform(call);
  call.flags[0] = draw.chance(1, 2);
  for (std::size_t a = 0; a < 2; ++a) {
    double& scale = call.reals[a];
    switch (draw.below(8)) {
      case 4:
      case 5:
        scale = static_cast<double>(out[first + a]) / static_cast<double>(in[first + a]);
        break;
      case 6:
        scale = static_cast<double>(draw.between(1, 64)) / 16;
        break;
      case 7:
        scale = draw.pick(
            {-1.0, -0.5, 1e-300, 1e300, 4.9e-324, std::numeric_limits<double>::max(), 0.1, 3.7});
        break;
      default:
        scale = 0;
        break;
    }
  }
}

void draw_pad(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits) {
  std::vector<std::int64_t> in = draw_shape(draw, cell, limits);
  fit_input(in, limits);
  const std::size_t first = in.size() - 2;
  std::vector<std::int64_t> pad = draw.distinct(4, 0, 5);
  const std::uint64_t mode = draw.below(8);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int64_t extent = in[first + (i < 2 ? 1 : 0)];
    switch (mode) {
      case 1:
        pad[i] = 0;
        break;
      case 2:
        pad[i] = extent - 1;
        break;
      case 3:
        pad[i] = draw.between(-3, 3);
        break;
      case 4:
        pad[i] = -draw.between(0, 3);
        break;
      case 5:
        pad[i] = i % 2 == 0 ? extent - 1 : 1 - 2 * extent + draw.between(0, 2);
        break;
      case 6:
        pad[i] = pad[0];
        break;
      default:
        break;
    }
    pad[i] = std::min(pad[i], extent - 1);
  }
  for (std::size_t a = 0; a < 2; ++a) {  // whatever was cropped, something must be left
    const std::int64_t extent = in[first + 1 - a];
    if (extent + pad[2 * a] + pad[2 * a + 1] < 1)
      pad[2 * a] = 0, pad[2 * a + 1] = std::max(pad[2 * a + 1], 1 - extent);
  }
  if (draw.chance(1, 20)) in[0] = 0;
  set_input_shape(call, in);
  ref::int_array(call, "padding").values = pad;
  reshape(call.tensors[output_side(cell.op)], in);
  conform(call);
  while (largest(call) > limits.max_elements) {  // padding may double each axis
    const auto lead_end = in.begin() + static_cast<std::ptrdiff_t>(first);
    auto longest = std::max_element(in.begin(), lead_end);
    if (*longest == 1) longest = std::max_element(in.begin(), in.end());
    *longest /= 2;
    for (std::size_t i = 0; i < 4; ++i) {
      pad[i] = std::clamp<std::int64_t>(pad[i], 0, in[first + (i < 2 ? 1 : 0)] - 1);
    }
    set_input_shape(call, in);
    ref::int_array(call, "padding").values = pad;
    conform(call);
  }
}

Fill draw_fill(Draw& draw, bool finite) {
  switch (draw.below(finite ? 14 : 18)) {
    case 6:
      return {Fill::Kind::uniform, -5, 5};
    case 7:
      return {Fill::Kind::uniform, 0, 1};
    case 8:
      return {Fill::Kind::normal, 0, 1};
    case 9:
      return {Fill::Kind::normal, -73.5, 13};
    case 10:
    case 11:
      return {Fill::Kind::powers, 8, 0};
    case 12:
      return {Fill::Kind::zeros_and_ones, 8, 0};
    case 13:
      return {Fill::Kind::constant, draw.pick({1.0, 0.0, -0.0, 60000.0, 1e-7, 0.1}), 0};
    case 14:
      return {Fill::Kind::constant,
              draw.pick({std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity()}),
              0};
    case 15:
    case 16:
    case 17:
      return {Fill::Kind::special, 8, 0};
    default:
      return {};
  }
}

void draw_data(Draw& draw, Case& c) {
  const ref::Operator op = c.call.op;
  const int indices = indices_slot(op);
  c.seed = draw.below(1'000'000);
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.kind != ref::Kind::tensor || p.access == ref::Access::written || p.slot == indices)
      continue;
    // The mask pool's forward is not defined for NaN and −Inf (contract section 5). `self` of other
    // gradients matters only to the indices that its forward yields.
    const bool finite = family(op) == Family::max_pool2d && p.name == "self";
    if (p.access == ref::Access::read || indices >= 0) c.fills[p.slot] = draw_fill(draw, finite);
  }
  if (indices >= 0 && ref::is_backward(op)) {
    const std::uint64_t kind = draw.below(20);
    Fill& fill = c.fills[indices];
    // Elements that share an address share their value too, which no argmax and no single bad index
    // does.
    if (kind >= 10 || may_overlap(c.call.tensors[indices]))
      fill.kind = Fill::Kind::in_range;
    else if (kind >= 8 && family(op) != Family::max_pool2d)
      fill.kind = Fill::Kind::one_bad;
    if (fill.kind == Fill::Kind::one_bad && *element_count(c.call.tensors[indices].shape) == 0) {
      fill.kind = Fill::Kind::in_range;
    }
  }
  if (draw.chance(1, 16))
    c.misuse = static_cast<Misuse>(draw.between(1, static_cast<std::int64_t>(Misuse::dead_stream)));
}

}  // namespace

Case generate_valid(Source& source, const Cell& cell, const Limits& limits) {
  Draw draw(source);
  Case c = blank_case(cell.op);
  c.call.product = cell.product;
  for (ref::Tensor& t : c.call.tensors) {
    t.dtype = cell.dtype;
    t.format = cell.format;
  }
  if (indices_slot(cell.op) >= 0) {
    c.call.tensors[indices_slot(cell.op)].dtype =
        family(cell.op) == Family::max_pool2d ? ref::kInt8 : ref::kInt32;
  }
  // first_spatial reads the rank from here.
  for (ref::Tensor& t : c.call.tensors) reshape(t, std::vector<std::int64_t>(cell.rank, 1));
  switch (family(cell.op)) {
    case Family::max_pool3d:
    case Family::max_pool2d:
      draw_pool(draw, c.call, cell, limits);
      break;
    case Family::upsample:
      draw_upsample(draw, c.call, cell, limits);
      break;
    case Family::pad:
      draw_pad(draw, c.call, cell, limits);
      break;
    case Family::adaptive:
      draw_adaptive(draw, c.call, cell, limits);
      break;
  }
  draw_layouts(draw, c.call);
  draw_data(draw, c);
  return c;
}

}  // namespace gradproof::props
