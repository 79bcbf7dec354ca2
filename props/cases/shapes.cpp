// Shape arithmetic of the generator. See shapes.h.
#include "props/cases/shapes.h"

#include <limits>

#include "ref/types.h"

namespace gradproof::props {
namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> narrow(Wide value) {
  if (value < 0 || value > kMax) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

void set_shape(ref::Tensor& t, const std::vector<std::int64_t>& shape) {
  if (t.shape != shape) reshape(t, shape);
}

}  // namespace

Family family(ref::Operator op) {
  return static_cast<Family>(static_cast<int>(op) % (ref::kOperatorCount / 2));
}

std::vector<int> input_side(ref::Operator op) {
  if (!ref::is_backward(op)) return {ref::slot(op, "self")};
  if (family(op) == Family::upsample) return {ref::slot(op, "out")};
  return {ref::slot(op, "self"), ref::slot(op, "gradInput")};
}

int output_side(ref::Operator op) {
  if (family(op) == Family::upsample && ref::is_backward(op)) return ref::slot(op, "gradOut");
  if (ref::is_backward(op)) return ref::slot(op, "gradOutput");
  return ref::slot(op, family(op) == Family::adaptive ? "outputOut" : "out");
}

int indices_slot(ref::Operator op) {
  if (family(op) == Family::upsample || family(op) == Family::pad) return -1;
  return ref::slot(op, op == ref::Operator::adaptive_max_pool3d ? "indicesOut" : "indices");
}

bool has_windows(ref::Operator op) {
  return family(op) == Family::max_pool3d || family(op) == Family::max_pool2d;
}

int spatial_axes(ref::Operator op) {
  return family(op) == Family::max_pool3d || family(op) == Family::adaptive ? 3 : 2;
}

std::size_t first_spatial(const ref::Call& call) {
  const ref::Tensor& t = call.tensors[output_side(call.op)];
  if (family(call.op) == Family::upsample) return t.format == ref::kNhwc ? 1 : 2;
  return t.shape.size() - spatial_axes(call.op);
}

std::int64_t spread(const std::vector<std::int64_t>& values, std::size_t axis) {
  return values[values.size() == 1 ? 0 : axis];
}

std::vector<Window> windows(const ref::Call& call) {
  const auto& kernel = ref::int_array(call, "kernelSize").values;
  const auto& stride = ref::int_array(call, "stride").values;
  const auto& padding = ref::int_array(call, "padding").values;
  const auto& shape = ref::tensor(call, "self").shape;
  const std::size_t axes = spatial_axes(call.op);
  std::vector<Window> result;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    result.push_back({shape[shape.size() - axes + axis], spread(kernel, axis),
                      spread(stride.empty() ? kernel : stride, axis), spread(padding, axis)});
  }
  return result;
}

std::optional<std::int64_t> pooled_extent(const Window& w, bool ceil) {
  const Wide room = Wide{w.in} + 2 * Wide{w.pad} - w.kernel + (ceil ? w.stride - 1 : 0);
  if (room < 0) return std::nullopt;  // floor division gives at most -1, hence an extent below 1
  Wide out = room / w.stride + 1;
  if (ceil && (out - 1) * w.stride >= Wide{w.in} + w.pad) --out;
  if (out < 1) return std::nullopt;
  return narrow(out);
}

std::vector<std::int64_t> mask_shape(const std::vector<std::int64_t>& pooled,
                                     std::int64_t kernel_elements) {
  std::vector<std::int64_t> shape(pooled.begin(), pooled.end() - 2);
  const std::int64_t positions = pooled[pooled.size() - 2] * pooled[pooled.size() - 1];
  shape.push_back(kernel_elements);
  shape.push_back((positions / 16 + (positions % 16 != 0) + 1) * 32);
  return shape;
}

std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  bool empty = false;
  for (std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) empty = true;
  }
  if (empty) return 0;
  for (std::int64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
  }
  return count;
}

void reshape(ref::Tensor& t, std::vector<std::int64_t> shape) {
  t.shape = std::move(shape);
  t.strides = ref::contiguous_strides(t.shape);
  t.null_strides = false;
  t.offset = 0;
  t.storage = t.shape;
}

bool conform(ref::Call& call) {
  const ref::Operator op = call.op;
  const std::vector<int> inputs = input_side(op);
  const std::vector<std::int64_t> in = call.tensors[inputs.front()].shape;
  const std::size_t first = first_spatial(call);
  std::vector<std::int64_t> out = in;
  switch (family(op)) {
    case Family::max_pool3d:
    case Family::max_pool2d: {
      const std::vector<Window> axes = windows(call);
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const auto extent = pooled_extent(axes[axis], call.flags[0] != 0);
        if (!extent) return false;
        out[first + axis] = *extent;
      }
      break;
    }
    case Family::upsample:
      for (std::size_t axis = 0; axis < 2; ++axis) {
        out[first + axis] = ref::int_array(call, "outputSize").values[axis];
      }
      if (ref::is_backward(op)) ref::int_array(call, "inputSize").values = in;
      break;
    case Family::pad: {
      const auto& p = ref::int_array(call, "padding").values;  // left, right, top, bottom
      const auto h = narrow(Wide{in[first]} + p[2] + p[3]),
                 w = narrow(Wide{in[first + 1]} + p[0] + p[1]);
      if (!h || !w || *h < 1 || *w < 1) return false;
      out[first] = *h, out[first + 1] = *w;
      break;
    }
    case Family::adaptive:
      for (std::size_t axis = 0; axis < 3; ++axis) {
        out[first + axis] = ref::is_backward(op) ? call.tensors[output_side(op)].shape[first + axis]
                                                 : ref::int_array(call, "outputSize").values[axis];
      }
      break;
  }
  for (int slot : inputs) set_shape(call.tensors[slot], in);
  set_shape(call.tensors[output_side(op)], out);
  if (family(op) == Family::max_pool2d) {
    const std::vector<Window> axes = windows(call);
    const auto positions = element_count({out[first], out[first + 1], 32});
    const auto kernel = element_count({axes[0].kernel, axes[1].kernel});
    if (!positions || !kernel) return false;
    set_shape(call.tensors[indices_slot(op)], mask_shape(out, *kernel));
  } else if (indices_slot(op) >= 0) {
    set_shape(call.tensors[indices_slot(op)], out);
  }
  return true;
}

}  // namespace gradproof::props
