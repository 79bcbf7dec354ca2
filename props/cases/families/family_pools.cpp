// The pools over windows: max_pool3d_with_argmax and max_pool2d_with_mask.
#include "props/cases/families/families.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/layers.h"
#include "props/cases/generate/small_scope.h"
#include "props/cases/mutate/edits.h"
#include "props/cases/shrink/shrinker.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;

bool output_shape(Call& call, std::vector<std::int64_t>& shape) {
  const std::vector<Window> axes = windows(call);
  const std::size_t first = first_spatial(call);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto extent = pooled_extent(axes[axis], call.flags[0] != 0);
    if (!extent) return false;
    shape[first + axis] = *extent;
  }
  return true;
}

void mutate_windows(Mutator& a) {
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
    const Mutator::At at(a, i);
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

/// A window and its input together, since neither can shrink while the other needs it.
void simplify_windows(Shrinker& s, const Case& c) {
  const std::size_t axes = spatial_axes(c.call.op), rank = ref::tensor(c.call, "self").shape.size();
  if (rank < axes) return;
  for (std::size_t i = 0; i <= axes; ++i) {  // the last time all axes
    for (bool to_one : {true, false}) {
      // A value that stands for all axes is kept for the others if it is spelled out before.
      for (bool spelled_out : {false, true}) {
        s.add_both([&](ref::Call& call) {
          for (std::size_t axis = 0; axis < axes; ++axis) {
            if (i != axis && i != axes) continue;
            const std::int64_t extent = ref::tensor(call, "self").shape[rank - axes + axis];
            if (extent < 2) continue;
            for (int slot : input_side(call.op))
              resize(call.tensors[slot], rank - axes + axis, to_one ? 1 : extent - 1);
          }
          for (const char* name : {"kernelSize", "stride", "padding"}) {
            auto& values = ref::int_array(call, name).values;
            if (spelled_out && values.size() == 1) values.resize(axes, values[0]);
            const std::int64_t least = std::string_view(name) == "padding" ? 0 : 1;
            for (std::size_t j = 0; j < values.size(); ++j) {
              if (i != axes && values.size() != 1 && j != i) continue;
              if (to_one)
                values[j] = least;
              else if (values[j] > least)
                values[j] -= 1;
            }
          }
        });
        if (i == axes || ref::tensor(c.call, "self").shape[rank - axes + i] < 2) break;
      }
    }
  }
}

void scope(const Scope& scope, bool ceil, ScopeConfigurations& all) {
  for (std::int64_t in = 1; in <= scope.pooled_from; ++in) {
    for (std::int64_t kernel = 1; kernel <= scope.kernel; ++kernel) {
      for (std::int64_t stride = 1; stride <= scope.stride; ++stride) {
        for (std::int64_t pad = 0; pad <= kernel / 2; ++pad) {
          const auto out = pooled_extent({in, kernel, stride, pad}, ceil);
          (out ? all.legal : all.illegal)
              .push_back({in, out.value_or(1), kernel, stride, pad, pad, 0});
        }
      }
    }
  }
}

void spell(Call& call, const std::vector<ScopeAxis>& axes) {
  ref::int_array(call, "kernelSize").values = of_axes(axes, &ScopeAxis::kernel);
  ref::int_array(call, "stride").values = of_axes(axes, &ScopeAxis::stride);
  ref::int_array(call, "padding").values = of_axes(axes, &ScopeAxis::before);
  ref::int_array(call, "dilation").values = {1};
}

std::vector<std::int32_t> newer_dtypes(ref::Product product) {
  return is_newer(product) ? float_dtypes(product) : std::vector<std::int32_t>{};
}
std::vector<std::int32_t> not_310p_dtypes(ref::Product product) {
  if (product == ref::Product::Ascend310P) return {};
  return float_dtypes(product);
}

constexpr int kRanks3d[] = {4, 5}, kRanks2d[] = {3, 4};

constexpr FamilyTraits kMaxPool3d = {
    .axes = 3,
    .indices = Indices::positions,
    .windows = true,
    .takes_nan = true,
    .dtypes = newer_dtypes,
    .ranks = kRanks3d,
    .formats = [](int rank) -> std::vector<std::int32_t> {
      return {ref::kNd, rank == 5 ? ref::kNcdhw : ref::kNchw};
    },
    .may_be_empty = [](int, int) { return false; },
    .output_shape = output_shape,
    .draw = draw_pool,
    .layers = volume_layers,
    .mutate_values = mutate_windows,
    .simplify = simplify_windows,
    .scope = scope,
    .spell = spell,
    .atk_format = [](int rank) -> std::int32_t { return rank == 5 ? ref::kNcdhw : ref::kNchw; },
};

constexpr FamilyTraits kMaxPool2d = {
    .axes = 2,
    .indices = Indices::mask,
    .windows = true,
    .dtypes = not_310p_dtypes,
    .ranks = kRanks2d,
    .formats = [](int) -> std::vector<std::int32_t> {
      return {ref::kNchw, ref::kNd, ref::kNcl};
    },
    .may_be_empty = [](int rank, int axis) { return rank == 4 && axis == 0; },
    .output_shape = output_shape,
    .draw = draw_pool,
    .layers = image_layers,
    .mutate_values = mutate_windows,
    .simplify = simplify_windows,
    .scope = scope,
    .spell = spell,
    .atk_format = [](int) -> std::int32_t { return ref::kNchw; },
};

}  // namespace

namespace rows {

constinit const OperatorTraits max_pool3d_with_argmax_backward = {
    .family = &kMaxPool3d,
    .inputs = kGradientInputs,
    .output = "gradOutput",
    .indices = "indices",
    .linear = true,
};
constinit const OperatorTraits max_pool3d_with_argmax = {
    .family = &kMaxPool3d,
    .inputs = kForwardInputs,
    .output = "out",
    .indices = "indices",
};
constinit const OperatorTraits max_pool2d_with_mask_backward = {
    .family = &kMaxPool2d,
    .inputs = kGradientInputs,
    .output = "gradOutput",
    .indices = "indices",
    .linear = true,
    .through_half = ref::Product::Ascend910,
    .of_depth_1 = ref::Operator::max_pool3d_with_argmax_backward,
};
constinit const OperatorTraits max_pool2d_with_mask = {
    .family = &kMaxPool2d,
    .inputs = kForwardInputs,
    .output = "out",
    .indices = "indices",
    .of_depth_1 = ref::Operator::max_pool3d_with_argmax,
};

}  // namespace rows
}  // namespace gradproof::props
