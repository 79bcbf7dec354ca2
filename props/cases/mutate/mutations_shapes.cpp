// Boundary cases of the relations between shapes.
#include "props/cases/mutate/edits.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

/// Numbers that differ by so much are the same to whoever keeps 32 bits of them.
constexpr std::int64_t kWrap = std::int64_t{1} << 32;

/// Calls beyond 32 bits that are valid all the same.
void mutate_width(Mutator& a) {
  if (family(a.op()).has_positions() || any_empty(a.call()))
    return;  // index-range keeps those smaller
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t axis = first_spatial(a.call()) + i;
    const std::int64_t extent = input_shape(a.call())[axis] + kWrap;
    a.add("shape", "all tensors",
          "an input of shape[" + std::to_string(axis) + "] = " + std::to_string(extent), false,
          [&](Call& c) {
            forget_data(c);
            return set_lead(c, axis, extent);
          });
  }
  if (!has_windows(a.op())) return;
  a.add("shape", "kernelSize", "kernelSize = 131072, 32768", false, [](Call& c) {
    std::vector<std::int64_t> in = input_shape(c);
    in[in.size() - 2] = 131072;
    in[in.size() - 1] = 32768;
    ref::int_array(c, "kernelSize").values = {131072, 32768};
    ref::int_array(c, "stride").values = {1};
    ref::int_array(c, "padding").values = {0};
    set_inputs(c, in);
    forget_data(c);
    return conform(c);
  });
}

/// gradOutput and what belongs to it have another batch than the input, or they are empty and have
/// other channels.
void mutate_outputs(Mutator& a) {
  if (any_empty(a.call())) return;
  const auto edit = [&](const char* what, const auto& change) {
    a.add_shape("self", what, [&](Call& c) {
      for (int slot : {output_side(c.op), indices_slot(c.op)}) {
        if (slot < 0) continue;
        std::vector<std::int64_t> shape = c.tensors[slot].shape;
        change(shape);
        reshape(c.tensors[slot], shape);
      }
    });
  };
  edit("another batch", [](auto& shape) { ++shape.front(); });
  if (!traits(a.op()).free_output) return;
  edit("other channels than an empty output", [channel = first_spatial(a.call()) - 1](auto& shape) {
    ++shape[channel], shape.back() = 0;
  });
}

void mutate_extents(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const std::vector<std::int64_t>& shape = a.call().tensors[p.slot].shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const Mutator::At at(a, axis);
      for (std::int64_t step : {std::int64_t{-1}, std::int64_t{1}, kWrap}) {
        if (step == kWrap && family(a.op()).has_positions())
          continue;  // index-range may come into it
        const std::int64_t extent = shape[axis] + step;
        if (shape[axis] == 0 || extent == 0) continue;  // that is dim-value's
        const auto bounds_values = family(a.op()).extent_bounds_values;
        if (step < 0 && bounds_values != nullptr && bounds_values(a.call(), p.name, axis, extent))
          continue;  // padding-value's
        a.add_shape(p.name,
                    std::string(p.name) + " shape[" + std::to_string(axis) +
                        "] = " + std::to_string(extent),
                    [&](Call& c) {
                      std::vector<std::int64_t> changed = shape;
                      changed[axis] = extent;
                      reshape(c.tensors[p.slot], changed);
                    });
      }
    }
  }
}

}  // namespace

void mutate_shapes(Mutator& a) {
  mutate_extents(a);
  mutate_outputs(a);
  mutate_width(a);
  if (!any_empty(a.call())) {
    const std::int64_t extent = input_shape(a.call())[0] + 1;
    a.add("shape", "all tensors", "shape[0] = " + std::to_string(extent) + " in all", false,
          [&](Call& c) { return set_lead(c, 0, extent); });
  }
  if (!has_windows(a.op())) return;
  a.add_shape("ceilMode", "ceilMode flipped", [](Call& c) { c.flags[0] = c.flags[0] == 0; });
  const std::vector<Window> axes = windows(a.call());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Mutator::At at(a, i);
    const std::int64_t room = axes[i].in + 2 * axes[i].pad;
    for (std::int64_t kernel : {room, room + 1, kInt64Max}) {
      const bool fits = kernel == room;
      a.add("shape", "kernelSize", element_is("kernelSize", i, kernel), !fits, [&](Call& c) {
        spell_out(c);
        c.flags[0] = 0;
        ref::int_array(c, "kernelSize").values[i] = kernel;
        return !fits || conform(c);
      });
    }
  }
}

}  // namespace gradproof::props
