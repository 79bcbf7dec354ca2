// Bilinear upsampling: upsample_bilinear2d.
#include <cmath>

#include "props/cases/families/families.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/layers.h"
#include "props/cases/generate/small_scope.h"
#include "props/cases/mutate/edits.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;

bool output_shape(Call& call, std::vector<std::int64_t>& shape) {
  if (has_parameter(call.op, "inputSize")) ref::int_array(call, "inputSize").values = shape;
  const std::size_t first = first_spatial(call);
  for (std::size_t axis = 0; axis < 2; ++axis)
    shape[first + axis] = ref::int_array(call, "outputSize").values[axis];
  return true;
}

void mutate_scales(Mutator& a) {
  using Real = std::numeric_limits<double>;
  for (int i = 0; i < 2; ++i) {
    const char* name = i == 0 ? "scalesH" : "scalesW";
    const std::size_t axis = first_spatial(a.call()) + static_cast<std::size_t>(i);
    const double fitting = fitting_scale(a.call().tensors[input_side(a.op()).front()].shape[axis],
                                         a.call().tensors[output_side(a.op())].shape[axis], 0.5);
    for (double value : {Real::quiet_NaN(), Real::infinity(), -Real::infinity(), -1.0, 0.0, -0.0,
                         Real::max(), Real::lowest(), Real::denorm_min(), fitting}) {
      a.add("size-value", name, std::string(name) + " = " + std::to_string(value),
            !std::isfinite(value), [&](Call& c) { c.reals[i] = value; });
    }
  }
}

void mutate_values(Mutator& a) {
  mutate_sizes(a, "outputSize", 1);
  if (has_parameter(a.op(), "inputSize")) mutate_sizes(a, "inputSize", 1);
  mutate_scales(a);
}

void scope(const Scope& scope, bool, ScopeConfigurations& all) {
  for (std::int64_t in = 1; in <= scope.resized; ++in) {
    for (std::int64_t out = 1; out <= scope.resized; ++out) {
      // None given; the one that the extents imply; another one that leads to the same extent.
      for (const double scale : {0.0, fitting_scale(in, out), fitting_scale(in, out, 0.5)})
        all.legal.push_back({in, out, 1, 1, 0, 0, scale});
    }
  }
}

void spell(Call& call, const std::vector<ScopeAxis>& axes) {
  ref::int_array(call, "outputSize").values = of_axes(axes, &ScopeAxis::out);
  if (has_parameter(call.op, "inputSize"))
    ref::int_array(call, "inputSize").values = call.tensors[input_side(call.op).front()].shape;
  for (std::size_t i = 0; i < 2; ++i) call.reals[i] = axes[i].scale;
}

constexpr int kRanks[] = {4};
constexpr AtkName kAtkNames[] = {{"out", "input"},
                                 {"gradOut", "input"},
                                 {"outputSize", "size"},
                                 {"alignCorners", "align_corners"}};

constexpr std::string_view kImage[] = {"out"};

constexpr FamilyTraits kUpsampleBilinear2d = {
    .axes = 2,
    .weighted = true,
    .takes_nan = true,
    .format_places_axes = true,
    .dtypes = float_dtypes,
    .ranks = kRanks,
    .formats = [](int) -> std::vector<std::int32_t> {
      return {ref::kNchw, ref::kNhwc};
    },
    .may_be_empty = [](int, int) { return false; },
    .output_shape = output_shape,
    .draw = draw_upsample,
    .resizings = resizing_layers,
    .mutate_values = mutate_values,
    .scope = scope,
    .spell = spell,
    .scope_in_pairs = true,
    .atk_names = kAtkNames,
    .atk_format = [](int) -> std::int32_t { return ref::kNchw; },
};

}  // namespace

namespace rows {

constinit const OperatorTraits upsample_bilinear2d_backward = {
    .family = &kUpsampleBilinear2d,
    .inputs = kImage,
    .output = "gradOut",
    .linear = true,
};
constinit const OperatorTraits upsample_bilinear2d = {
    .family = &kUpsampleBilinear2d,
    .inputs = kForwardInputs,
    .output = "out",
    .linear = true,
};

}  // namespace rows
}  // namespace gradproof::props
