// Mutations that break one rule while everything else fits it: a library without that rule computes
// something, which its profile may specify.
#include "props/cases/mutate/edits.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

/// Kernels beyond this do not get dilated inputs, which would be large.
constexpr std::int64_t kLargestKernel = 64;

/// Extents by dilated windows, without padding: some window would lie in it altogether.
bool dilate(Call& c) {
  spell_out(c);
  ref::int_array(c, "dilation").values = {2};
  ref::int_array(c, "padding").values = {0};
  std::vector<std::int64_t> in = input_shape(c), out = in;
  const std::size_t first = first_spatial(c);
  const std::vector<Window> axes = windows(c);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].kernel > kLargestKernel) return false;
    const std::int64_t reach = 2 * (axes[i].kernel - 1) + 1;
    std::int64_t& extent = in[first + i];
    extent = std::max(extent, reach);
    const auto pooled = pooled_extent({extent, reach, axes[i].stride, 0}, c.flags[0] != 0);
    if (!pooled) return false;
    out[first + i] = *pooled;
  }
  set_inputs(c, in);
  reshape(c.tensors[output_side(c.op)], out);
  reshape(c.tensors[indices_slot(c.op)], out);
  return true;
}

void mutate_dilation(Mutator& a) {
  if (!has_windows(a.op()) || !family(a.op()).has_positions()) return;
  a.add("dilation-value", "dilation", "dilation = 2, and the extents that it leads to", true,
        dilate);
}

void mutate_padding(Mutator& a) {
  if (!family(a.op()).pads_each_end || any_empty(a.call())) return;
  const std::vector<std::int64_t> in = input_shape(a.call());
  const std::size_t ends = ref::int_array(a.call(), "padding").values.size();
  for (std::size_t i = 0; i < ends; ++i) {
    const std::size_t axis = in.size() - 1 - i / 2;
    {
      const Mutator::At at(a, i);
      a.add("padding-value", "padding", element_is("padding", i, in[axis]) + ", and its extents",
            true, [&](Call& c) {
              ref::int_array(c, "padding").values[i] = in[axis];
              return conform(c);
            });
    }
    const Mutator::At at(a, axis);
    const int output = output_side(a.op());
    const std::int64_t opposite = ref::int_array(a.call(), "padding").values[i ^ 1];
    for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
      if (p.kind != ref::Kind::tensor || p.slot != output) continue;
      a.add("dim-value", p.name, "padding crops all", true, [&](Call& c) {
        ref::int_array(c, "padding").values[i] = -in[axis] - opposite;
        std::vector<std::int64_t> shape = c.tensors[output].shape;
        shape[axis] = 0;
        reshape(c.tensors[output], shape);
      });
    }
  }
}

/// Views that go backwards along an axis.
void mutate_direction(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor || is_empty(a.call().tensors[p.slot])) continue;
    const std::vector<std::int64_t>& shape = a.call().tensors[p.slot].shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 1) continue;
      const Mutator::At at(a, axis);
      a.add("view", p.name,
            std::string(p.name) + " backwards along dimension " + std::to_string(axis), true,
            [&](Call& c) {
              Tensor& t = c.tensors[p.slot];
              reshape(t, t.shape);
              t.offset = (shape[axis] - 1) * t.strides[axis];
              t.strides[axis] = -t.strides[axis];
            });
    }
  }
}

/// Of upsampling: nothing to scale, where some products look at little more.
void mutate_upsampling(Mutator& a) {
  if (!has_parameter(a.op(), "inputSize")) return;
  const ref::Parameter& out = ref::signature(a.op()).parameters.back();
  const auto unscaled = [](Call& c) {
    const std::size_t first = first_spatial(c);
    const std::vector<std::int64_t> in = input_shape(c);
    ref::int_array(c, "outputSize").values = {in[first], in[first + 1]};
    return conform(c);
  };
  const auto add = [&](const char* rule, const char* what, auto edit) {
    a.add(rule, out.name, std::string("gradOut as out, out ") + what, true, [&](Call& c) {
      const bool fits = unscaled(c);
      edit(c, c.tensors[out.slot]);
      return fits;
    });
  };
  add("dtype", "of INT32", [](Call&, Tensor& t) { t.dtype = ref::kInt32; });
  add("dtype", "and gradOut of DOUBLE", [](Call& c, Tensor&) {
    for (Tensor& t : c.tensors) t.dtype = ref::kDouble;
  });
  add("format", "of another format",
      [](Call&, Tensor& t) { t.format = t.format == ref::kNhwc ? ref::kNchw : ref::kNhwc; });
  add("rank", "of rank 3", [](Call&, Tensor& t) {
    std::vector<std::int64_t> shape = t.shape;
    shape.erase(shape.begin());
    reshape(t, shape);
  });
  const Mutator::At at(a, 0);
  add("shape", "of another batch", [](Call&, Tensor& t) {
    std::vector<std::int64_t> shape = t.shape;
    ++shape[0];
    reshape(t, shape);
  });
}

/// Empty calls whose shapes fit each other.
void mutate_emptiness(Mutator& a) {
  const std::vector<std::int64_t> in = input_shape(a.call());
  const int rank = static_cast<int>(in.size());
  const std::string_view first = ref::signature(a.op()).parameters.front().name;
  const std::size_t spatial = first_spatial(a.call());
  for (std::size_t axis = 0; axis < in.size(); ++axis) {
    if (axis >= spatial && axis < spatial + spatial_axes(a.op())) continue;
    if (family(a.op()).may_be_empty(rank, static_cast<int>(axis))) continue;
    const Mutator::At at(a, axis);
    a.add("dim-value", first, "shape[" + std::to_string(axis) + "] = 0 in all", true, [&](Call& c) {
      for (Tensor& t : c.tensors) {
        std::vector<std::int64_t> shape = t.shape;
        shape[axis] = 0;
        reshape(t, shape);
      }
      if (has_parameter(c.op, "inputSize")) ref::int_array(c, "inputSize").values[axis] = 0;
    });
  }
  if (!family(a.op()).empty_output) return;
  const std::size_t axis = spatial;
  const Mutator::At at(a, axis);
  a.add("dim-value", "self", "no inputs under an output", true, [&](Call& c) {
    std::vector<std::int64_t> shape = in;
    shape[axis] = 0;
    set_inputs(c, shape);
  });
}

}  // namespace

void mutate_fitting(Mutator& a) {
  mutate_dilation(a);
  mutate_padding(a);
  mutate_direction(a);
  if (any_empty(a.call())) return;
  mutate_emptiness(a);
  mutate_upsampling(a);
}

}  // namespace gradproof::props
