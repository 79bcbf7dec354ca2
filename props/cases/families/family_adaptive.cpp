// Adaptive pooling: adaptive_max_pool3d.
#include "props/cases/families/families.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/small_scope.h"
#include "props/cases/mutate/edits.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;

bool output_shape(Call& call, std::vector<std::int64_t>& shape) {
  const std::size_t first = first_spatial(call);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    shape[first + axis] = traits(call.op).free_output
                              ? call.tensors[output_side(call.op)].shape[first + axis]
                              : ref::int_array(call, "outputSize").values[axis];
  }
  return true;
}

void mutate_values(Mutator& a) {
  if (has_parameter(a.op(), "outputSize")) mutate_sizes(a, "outputSize", 0);
}

void scope(const Scope& scope, bool, ScopeConfigurations& all) {
  for (std::int64_t in = 1; in <= scope.adaptive; ++in) {
    for (std::int64_t out = 1; out <= scope.adaptive; ++out)
      all.legal.push_back({in, out, 1, 1, 0, 0, 0});
  }
}

void spell(Call& call, const std::vector<ScopeAxis>& axes) {
  if (has_parameter(call.op, "outputSize"))
    ref::int_array(call, "outputSize").values = of_axes(axes, &ScopeAxis::out);
}

constexpr int kRanks[] = {4, 5};

constexpr FamilyTraits kAdaptiveMaxPool3d = {
    .axes = 3,
    .indices = Indices::positions,
    .empty_output = true,
    .takes_nan = true,
    .dtypes =
        [](ref::Product product) {
          return is_newer(product) ? float_dtypes(product) : std::vector<std::int32_t>{};
        },
    .ranks = kRanks,
    .formats = [](int rank) -> std::vector<std::int32_t> {
      return {ref::kNd, rank == 5 ? ref::kNcdhw : ref::kNchw};
    },
    .may_be_empty = [](int rank, int axis) { return axis + 3 < rank; },
    .output_shape = output_shape,
    .draw = draw_adaptive,
    .mutate_values = mutate_values,
    .scope = scope,
    .spell = spell,
    .atk_format = [](int rank) -> std::int32_t { return rank == 5 ? ref::kNcdhw : ref::kNchw; },
};

}  // namespace

namespace rows {

constinit const OperatorTraits adaptive_max_pool3d_backward = {
    .family = &kAdaptiveMaxPool3d,
    .inputs = kGradientInputs,
    .output = "gradOutput",
    .indices = "indices",
    .linear = true,
    .free_output = true,
    .of_windows = ref::Operator::max_pool3d_with_argmax_backward,
};
constinit const OperatorTraits adaptive_max_pool3d = {
    .family = &kAdaptiveMaxPool3d,
    .inputs = kForwardInputs,
    .output = "outputOut",
    .indices = "indicesOut",
    .of_windows = ref::Operator::max_pool3d_with_argmax,
};

}  // namespace rows
}  // namespace gradproof::props
