// Attacks on numbers: dimensions, int arrays, scales, and the relations between shapes.
#include <algorithm>
#include <cmath>

#include "props/cases/attacker.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

/// Whether a zero in that dimension alone, everything else as it is, is refused by **dim-value**.
bool zero_is_refused(const Call& c, int slot, std::size_t axis) {
  switch (family(c.op)) {
    case Family::max_pool3d:
    case Family::upsample:
      return true;
    case Family::max_pool2d:
      return axis != 0 || c.tensors[slot].shape.size() == 3;
    case Family::pad:
      return axis != 0;
    case Family::adaptive:
      return slot == ref::slot(c.op, "self") && axis + 3 >= c.tensors[slot].shape.size() &&
             !is_empty(c.tensors[output_side(c.op)]);
  }
  return false;
}

bool any_empty(const Call& c) { return std::any_of(c.tensors.begin(), c.tensors.end(), is_empty); }

void set_inputs(Call& c, const std::vector<std::int64_t>& shape) {
  for (int slot : input_side(c.op)) reshape(c.tensors[slot], shape);
}

std::vector<std::int64_t> input_shape(const Call& c) {
  return c.tensors[input_side(c.op).front()].shape;
}

/// One extent of the forward input, and of the pooled shape where that is free, set together.
bool set_lead(Call& c, std::size_t axis, std::int64_t extent) {
  std::vector<std::int64_t> in = input_shape(c);
  in[axis] = extent;
  set_inputs(c, in);
  if (family(c.op) == Family::adaptive && axis + 3 < in.size()) {
    std::vector<std::int64_t> out = c.tensors[output_side(c.op)].shape;
    out[axis] = extent;
    reshape(c.tensors[output_side(c.op)], out);
  }
  return conform(c);
}

/// No memory of that size exists: with null data pointers nothing can lie where something else
/// does.
void forget_data(Call& c) {
  for (Tensor& t : c.tensors) t.null_data = true;
}

void attack_byte_count(Attacker& a) {
  if (any_empty(a.call())) return;
  std::int64_t largest = 0;  // bytes of one step of the first axis
  for (const Tensor& t : a.call().tensors) {
    largest = std::max(largest, *element_count(t.shape) / t.shape[0] * ref::dtype_size(t.dtype));
  }
  for (bool over : {false, true}) {
    const std::int64_t extent = kInt64Max / largest + (over ? 1 : 0);
    a.add("dim-value", "all tensors", "shape[0] = " + std::to_string(extent), over, [&](Call& c) {
      for (Tensor& t : c.tensors) {
        std::vector<std::int64_t> shape = t.shape;
        shape[0] = extent;
        reshape(t, shape);
      }
      if (c.op == ref::Operator::upsample_bilinear2d_backward)
        ref::int_array(c, "inputSize").values[0] = extent;
      forget_data(c);
    });
  }
}

void attack_index_range(Attacker& a) {
  if (spatial_axes(a.op()) != 3) return;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kPlanes[][3] = {{1, 1, kMost},
                                         {kMost, 1, 1},
                                         {1, 1, kMost + 1},
                                         {2, 32768, 32768},
                                         {1 << 20, 1 << 20, 1 << 19}};
  for (const auto& plane : kPlanes) {
    const bool over = plane[0] * plane[1] * plane[2] > kMost;
    const std::vector<std::int64_t> spatial(plane, plane + 3);
    a.add("index-range", "self",
          "D·H·W = " + std::to_string(plane[0]) + "·" + std::to_string(plane[1]) + "·" +
              std::to_string(plane[2]),
          over, [&](Call& c) {
            std::vector<std::int64_t> in(input_shape(c).size() - 3, 1), out(in.size() + 3, 1);
            in.insert(in.end(), spatial.begin(), spatial.end());
            set_inputs(c, in);
            if (family(c.op) == Family::max_pool3d) {
              ref::int_array(c, "kernelSize").values = {1};
              ref::int_array(c, "stride").values = {kInt64Max};
              ref::int_array(c, "padding").values = {0};
            } else {
              reshape(c.tensors[output_side(c.op)], out);
              if (!ref::is_backward(c.op)) ref::int_array(c, "outputSize").values = {1, 1, 1};
            }
            forget_data(c);
            return conform(c);
          });
  }
}

void set_all(ref::IntArray& array, std::size_t length) {
  const std::vector<std::int64_t> old = array.values;
  array.values.clear();
  for (std::size_t i = 0; i < length; ++i) {
    array.values.push_back(old.empty() ? 1 : old[std::min(i, old.size() - 1)]);
  }
}

void attack_length(Attacker& a, const ref::Parameter& p, const std::vector<std::size_t>& legal) {
  for (std::size_t length : {0, 1, 2, 3, 4, 5, 6, 9}) {
    const Attacker::At at(a, length);
    const bool fine = std::find(legal.begin(), legal.end(), length) != legal.end();
    a.add("array-length", p.name, std::string(p.name) + " of length " + std::to_string(length),
          !fine, [&](Call& c) {
            ref::IntArray& array = c.arrays[p.slot];
            if (array.values.size() > length && length == 1) {
              // One value for all axes that cannot break a value rule: the largest kernel, the
              // least padding.
              const auto [least, most] =
                  std::minmax_element(array.values.begin(), array.values.end());
              array.values = {p.name == "padding" ? *least : *most};
            } else {
              set_all(array, length);
            }
            return !fine || conform(c);
          });
  }
}

/// The windows' int arrays in their longest form, so that each element can be edited alone.
void spell_out(Call& c) {
  const std::size_t axes = spatial_axes(c.op);
  for (const char* name : {"kernelSize", "stride", "padding", "dilation"}) {
    ref::IntArray& array = ref::int_array(c, name);
    if (array.values.empty()) array = ref::int_array(c, "kernelSize");
    set_all(array, axes);
  }
}

void attack_windows(Attacker& a) {
  const std::size_t axes = spatial_axes(a.op());
  Call spelt = a.call();
  spell_out(spelt);
  const auto set = [&](const char* rule, const char* argument, std::size_t i, std::int64_t value,
                       bool breaks) {
    a.add(rule, argument, element_is(argument, i, value), breaks, [&](Call& c) {
      spell_out(c);
      ref::int_array(c, argument).values[i] = value;
      if (!breaks && std::string_view(argument) == "kernelSize")
        ref::int_array(c, "padding").values[i] = 0;
      return breaks || conform(c);
    });
  };
  for (std::size_t i = 0; i < axes; ++i) {
    const Attacker::At at(a, i);
    for (std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, kInt64Min}) {
      set("kernel-value", "kernelSize", i, value, true);
      set("stride-value", "stride", i, value, true);
    }
    set("kernel-value", "kernelSize", i, 1, false);
    set("stride-value", "stride", i, 1, false);
    set("stride-value", "stride", i, kInt64Max, false);
    const std::int64_t half = ref::int_array(spelt, "kernelSize").values[i] / 2;
    for (std::int64_t value : {std::int64_t{-1}, kInt64Min, half + 1, kInt64Max})
      set("padding-value", "padding", i, value, true);
    set("padding-value", "padding", i, 0, false);
    set("padding-value", "padding", i, half, false);
    for (std::int64_t value : {std::int64_t{0}, std::int64_t{2}, std::int64_t{-1}, kInt64Max}) {
      set("dilation-value", "dilation", i, value, true);
    }
    set("dilation-value", "dilation", i, 1, false);
  }
  for (std::int64_t value : {0, 2}) {  // one value for all axes
    a.add("dilation-value", "dilation", "dilation = " + std::to_string(value), true,
          [&](Call& c) { ref::int_array(c, "dilation").values = {value}; });
  }
  a.add("kernel-value", "kernelSize", "kernelSize = 0", true,
        [](Call& c) { ref::int_array(c, "kernelSize").values = {0}; });
  a.add("stride-value", "stride", "stride = 0", true,
        [](Call& c) { ref::int_array(c, "stride").values = {0}; });
  a.add("padding-value", "padding", "padding = -1", true,
        [](Call& c) { ref::int_array(c, "padding").values = {-1}; });
}

void attack_replication(Attacker& a) {
  const std::vector<std::int64_t> in = input_shape(a.call());
  for (std::size_t i = 0; i < 4; ++i) {
    const Attacker::At at(a, i);
    const std::int64_t extent = in[in.size() - (i < 2 ? 1 : 2)];
    for (std::int64_t value : {extent - 1, extent, kInt64Max}) {
      a.add("padding-value", "padding", element_is("padding", i, value), value >= extent,
            [&](Call& c) {
              ref::int_array(c, "padding").values[i] = value;
              return value >= extent || conform(c);
            });
    }
    // The side opposite decides how much can be cropped.
    const std::int64_t opposite = ref::int_array(a.call(), "padding").values[i ^ 1];
    a.add("shape", "padding", "padding crops all but one", false, [&](Call& c) {
      ref::int_array(c, "padding").values[i] = 1 - extent - opposite;
      return 1 - extent - opposite < extent && conform(c);
    });
    if (i % 2 == 0) {
      a.add("shape", "padding", "two paddings whose sum is 0 in 64 bits", true, [&](Call& c) {
        ref::int_array(c, "padding").values[i] = ref::int_array(c, "padding").values[i + 1] =
            kInt64Min;
        reshape(c.tensors[output_side(c.op)], in);
      });
    }
    for (std::int64_t value : {-extent - opposite, kInt64Min, kInt64Min + 1}) {
      if (value >= extent) continue;
      a.add("shape", "padding", element_is("padding", i, value), true,
            [&](Call& c) { ref::int_array(c, "padding").values[i] = value; });
    }
  }
}

void attack_sizes(Attacker& a, const char* argument, std::int64_t least) {
  const std::size_t length = ref::int_array(a.call(), argument).values.size();
  for (std::size_t i = 0; i < length; ++i) {
    const Attacker::At at(a, i);
    for (std::int64_t value : {least - 1, std::int64_t{-1}, kInt64Min}) {
      a.add("size-value", argument, element_is(argument, i, value), true,
            [&](Call& c) { ref::int_array(c, argument).values[i] = value; });
    }
    a.add("size-value", argument, element_is(argument, i, least), false, [&](Call& c) {
      if (std::string_view(argument) == "inputSize") return set_lead(c, i, least);
      ref::int_array(c, argument).values[i] = least;
      // A pooled extent of `least` must still have a plane to come from.
      return conform(c) && (family(c.op) == Family::upsample || !is_empty(ref::tensor(c, "self")));
    });
    a.add_shape(argument, element_is(argument, i, kInt64Max),
                [&](Call& c) { ref::int_array(c, argument).values[i] = kInt64Max; });
  }
}

void attack_scales(Attacker& a) {
  using Real = std::numeric_limits<double>;
  for (int i = 0; i < 2; ++i) {
    const char* name = i == 0 ? "scalesH" : "scalesW";
    for (double value : {Real::quiet_NaN(), Real::infinity(), -Real::infinity(), -1.0, 0.0, -0.0,
                         Real::max(), Real::lowest(), Real::denorm_min(), 1.0}) {
      a.add("size-value", name, std::string(name) + " = " + std::to_string(value),
            !std::isfinite(value), [&](Call& c) { c.reals[i] = value; });
    }
  }
}

/// Numbers that differ by so much are the same to whoever keeps 32 bits of them.
constexpr std::int64_t kWrap = std::int64_t{1} << 32;

/// Calls beyond 32 bits that are valid all the same.
void attack_width(Attacker& a) {
  if (spatial_axes(a.op()) == 3 || any_empty(a.call())) return;  // index-range keeps those smaller
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

/// The batch of gradOutput and of what belongs to it is one more than the input's.
void attack_batches(Attacker& a) {
  if (any_empty(a.call())) return;
  const int indices = indices_slot(a.op());
  a.add_shape("self", "another batch", [&](Call& c) {
    for (int slot : {output_side(c.op), indices}) {
      if (slot < 0) continue;
      std::vector<std::int64_t> shape = c.tensors[slot].shape;
      ++shape[0];
      reshape(c.tensors[slot], shape);
    }
  });
}

void attack_extents(Attacker& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const std::vector<std::int64_t>& shape = a.call().tensors[p.slot].shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const Attacker::At at(a, axis);
      for (std::int64_t step : {std::int64_t{-1}, std::int64_t{1}, kWrap}) {
        if (step == kWrap && spatial_axes(a.op()) == 3) continue;  // index-range may come into it
        const std::int64_t extent = shape[axis] + step;
        if (shape[axis] == 0 || extent == 0) continue;  // that is dim-value's
        if (family(a.op()) == Family::pad && p.name == "self" && step < 0 &&
            axis + 2 >= shape.size()) {
          const auto& pad = ref::int_array(a.call(), "padding").values;
          const bool width = axis + 1 == shape.size();
          if (std::max(pad[width ? 0 : 2], pad[width ? 1 : 3]) >= extent)
            continue;  // padding-value's
        }
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

void attack_dims(Attacker& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const Tensor& t = a.call().tensors[p.slot];
    for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
      const auto set = [&](std::int64_t extent) {
        a.add("dim-value", p.name,
              std::string(p.name) + " shape[" + std::to_string(axis) +
                  "] = " + std::to_string(extent),
              true, [&](Call& c) {
                std::vector<std::int64_t> shape = t.shape;
                shape[axis] = extent;
                reshape(c.tensors[p.slot], shape);
              });
      };
      set(kInt64Min);
      const bool zero = zero_is_refused(a.call(), p.slot, axis);
      if (zero) set(-1);
      {
        const Attacker::At border(a, axis);
        set(zero ? 0 : -1);
      }
      if (is_empty(t)) continue;
      if (*element_count(t.shape) / t.shape[axis] * ref::dtype_size(t.dtype) > 1) set(kInt64Max);
    }
  }
  const std::size_t rank = input_shape(a.call()).size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool may_be_empty =
        family(a.op()) == Family::adaptive
            ? axis + 3 < rank
            : axis == 0 && (family(a.op()) == Family::pad ||
                            (family(a.op()) == Family::max_pool2d && rank == 4));
    const std::int64_t least = may_be_empty ? 0 : 1;
    const bool resized =
        axis >= first_spatial(a.call()) && axis < first_spatial(a.call()) + spatial_axes(a.op());
    if (resized && family(a.op()) == Family::pad) continue;  // padding bounds it from below
    if (input_shape(a.call())[axis] == 0) continue;
    const Attacker::At at(a, axis);
    a.add("dim-value", "all tensors",
          "shape[" + std::to_string(axis) + "] = " + std::to_string(least), false,
          [&](Call& c) { return set_lead(c, axis, least); });
  }
  attack_byte_count(a);
  attack_index_range(a);
}

void attack_arrays(Attacker& a) {
  const Family kind = family(a.op());
  const std::size_t axes = spatial_axes(a.op());
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::int_array) continue;
    if (has_windows(a.op())) {
      attack_length(a, p,
                    p.name == "stride" ? std::vector<std::size_t>{0, 1, axes}
                                       : std::vector<std::size_t>{1, axes});
    } else {
      attack_length(a, p, {a.call().arrays[p.slot].values.size()});
    }
  }
  if (has_windows(a.op())) attack_windows(a);
  if (kind == Family::pad) attack_replication(a);
  if (kind == Family::upsample) {
    attack_sizes(a, "outputSize", 1);
    if (ref::is_backward(a.op())) attack_sizes(a, "inputSize", 1);
    attack_scales(a);
  }
  if (a.op() == ref::Operator::adaptive_max_pool3d) attack_sizes(a, "outputSize", 0);
}

void attack_shapes(Attacker& a) {
  attack_extents(a);
  attack_batches(a);
  attack_width(a);
  if (!any_empty(a.call())) {
    const std::int64_t extent = input_shape(a.call())[0] + 1;
    a.add("shape", "all tensors", "shape[0] = " + std::to_string(extent) + " in all", false,
          [&](Call& c) { return set_lead(c, 0, extent); });
  }
  if (!has_windows(a.op())) return;
  a.add_shape("ceilMode", "ceilMode flipped", [](Call& c) { c.flags[0] = c.flags[0] == 0; });
  const std::vector<Window> axes = windows(a.call());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Attacker::At at(a, i);
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
