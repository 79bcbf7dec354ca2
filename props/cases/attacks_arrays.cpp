// Attacks on int arrays and scales: lengths and values.
#include <cmath>

#include "props/cases/edits.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

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

}  // namespace

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

}  // namespace gradproof::props
