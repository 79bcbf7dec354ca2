// Shape arithmetic of the generator. See shapes.h.
#include "props/cases/shapes.h"

#include <cmath>
#include <limits>

#include "props/cases/wide.h"
#include "ref/scales.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> narrow(Wide value) {
  if (value < 0 || value > kMax) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

void set_shape(ref::Tensor& t, const std::vector<std::int64_t>& shape) {
  if (t.shape != shape) reshape(t, shape);
}

}  // namespace

std::vector<int> input_side(ref::Operator op) {
  std::vector<int> slots;
  for (const std::string_view name : traits(op).inputs) slots.push_back(ref::slot(op, name));
  return slots;
}

int output_side(ref::Operator op) { return ref::slot(op, traits(op).output); }

int data_slot(ref::Operator op) {
  return ref::is_backward(op) ? output_side(op) : input_side(op).front();
}

int indices_slot(ref::Operator op) {
  return traits(op).indices.empty() ? -1 : ref::slot(op, traits(op).indices);
}

bool channels_last(ref::Operator op, const ref::Tensor& t) {
  return family(op).format_places_axes && t.format == ref::kNhwc;
}

std::size_t first_spatial(const ref::Call& call) {
  const ref::Tensor& t = call.tensors[output_side(call.op)];
  if (channels_last(call.op, t)) return 1;
  return t.shape.size() - static_cast<std::size_t>(spatial_axes(call.op));
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

std::optional<std::int64_t> padded_extent(std::int64_t in, std::int64_t before,
                                          std::int64_t after) {
  const auto out = narrow(Wide{in} + before + after);
  return out && *out >= 1 ? out : std::nullopt;
}

std::vector<std::int64_t> mask_shape(const std::vector<std::int64_t>& pooled,
                                     std::int64_t kernel_elements) {
  std::vector<std::int64_t> shape(pooled.begin(), pooled.end() - 2);
  const std::int64_t positions = pooled[pooled.size() - 2] * pooled[pooled.size() - 1];
  shape.push_back(kernel_elements);
  shape.push_back((positions / 16 + (positions % 16 != 0) + 1) * 32);
  return shape;
}

double fitting_scale(std::int64_t in, std::int64_t out, double part) {
  const double from = static_cast<double>(in), to = static_cast<double>(out);
  double scale = (to + part) / from;
  // A rounding off; extents beyond 2^53, which no double tells apart, are not worth a search.
  for (int tries = 0; tries < 4 && !ref::scale_fits(in, out, scale); ++tries)
    scale = std::nextafter(scale, std::floor(from * scale) < to ? 2 * scale : 0);
  return scale;
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

void resize(ref::Tensor& t, std::size_t axis, std::int64_t extent) {
  if (axis >= t.shape.size() || t.shape[axis] == extent) return;
  std::vector<std::int64_t> shape = t.shape;
  shape[axis] = extent;
  reshape(t, shape);
}

bool conform(ref::Call& call) {
  const ref::Operator op = call.op;
  const std::vector<int> inputs = input_side(op);
  const std::vector<std::int64_t> in = call.tensors[inputs.front()].shape;
  const std::size_t first = first_spatial(call);
  std::vector<std::int64_t> out = in;
  if (!family(op).output_shape(call, out)) return false;
  for (int slot : inputs) set_shape(call.tensors[slot], in);
  set_shape(call.tensors[output_side(op)], out);
  if (has_mask(op)) {
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
