// Replication padding: replication_pad2d.
#include "props/cases/families/families.h"
#include "props/cases/generate/draw_case.h"
#include "props/cases/generate/small_scope.h"
#include "props/cases/mutate/edits.h"
#include "props/cases/shrink/shrinker.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;

std::vector<std::int64_t>& padding(Call& call) { return ref::int_array(call, "padding").values; }
const std::vector<std::int64_t>& padding(const Call& call) {
  return ref::int_array(call, "padding").values;
}

/// The dimension that element i of `padding` is about: the last one first, two elements each.
std::size_t axis_of(std::size_t i, std::size_t rank) { return rank - 1 - i / 2; }

bool output_shape(Call& call, std::vector<std::int64_t>& shape) {
  const std::vector<std::int64_t>& p = padding(call);
  for (std::size_t i = 0; i < p.size(); i += 2) {
    std::int64_t& extent = shape[axis_of(i, shape.size())];
    const auto padded = padded_extent(extent, p[i], p[i + 1]);
    if (!padded) return false;
    extent = *padded;
  }
  return true;
}

void mutate_values(Mutator& a) {
  const std::vector<std::int64_t> in = input_shape(a.call());
  for (std::size_t i = 0; i < padding(a.call()).size(); ++i) {
    const Mutator::At at(a, i);
    const std::int64_t extent = in[axis_of(i, in.size())];
    for (std::int64_t value : {extent - 1, extent, kInt64Max}) {
      a.add("padding-value", "padding", element_is("padding", i, value), value >= extent,
            [&](Call& c) {
              padding(c)[i] = value;
              return value >= extent || conform(c);
            });
    }
    // The side opposite decides how much can be cropped.
    const std::int64_t opposite = padding(a.call())[i ^ 1];
    a.add("shape", "padding", "padding crops all but one", false, [&](Call& c) {
      padding(c)[i] = 1 - extent - opposite;
      return 1 - extent - opposite < extent && conform(c);
    });
    if (i % 2 == 0) {
      a.add("shape", "padding", "two paddings whose sum is 0 in 64 bits", true, [&](Call& c) {
        padding(c)[i] = padding(c)[i + 1] = kInt64Min;
        reshape(c.tensors[output_side(c.op)], in);
      });
    }
    for (std::int64_t value : {-extent - opposite, kInt64Min, kInt64Min + 1}) {
      if (value >= extent) continue;
      a.add("shape", "padding", element_is("padding", i, value), true,
            [&](Call& c) { padding(c)[i] = value; });
    }
  }
}

bool extent_bounds_values(const Call& call, std::string_view tensor, std::size_t axis,
                          std::int64_t extent) {
  const std::size_t rank = ref::tensor(call, tensor).shape.size(), end = rank - 1 - axis;
  if (tensor != "self" || 2 * end >= padding(call).size()) return false;
  return std::max(padding(call)[2 * end], padding(call)[2 * end + 1]) >= extent;
}

/// An extent and what is cropped off it or added to it together, since neither can shrink while the
/// other needs it.
void simplify(Shrinker& s, const Case& c) {
  const std::size_t ends = 2 * static_cast<std::size_t>(spatial_axes(c.call.op));
  if (padding(c.call).size() != ends) return;
  const std::vector<std::int64_t>& in = ref::tensor(c.call, "self").shape;
  if (in.size() < ends / 2) return;
  for (std::size_t i = 0; i < ends; ++i) {
    const std::size_t axis = axis_of(i, in.size());
    if (in[axis] < 2) continue;
    for (bool to_one : {true, false}) {
      s.add_both([&](ref::Call& call) {
        for (int slot : input_side(call.op))
          resize(call.tensors[slot], axis, to_one ? 1 : in[axis] - 1);
        auto& pad = padding(call);
        if (to_one)
          pad[i] = pad[i ^ 1] = 0;
        else if (pad[i] != 0)
          pad[i] += pad[i] < 0 ? 1 : -1;
      });
    }
  }
}

void scope(const Scope& scope, bool, ScopeConfigurations& all) {
  for (std::int64_t in = 1; in <= scope.padded; ++in) {
    // Each side pads by less than the extent and crops so much that at least one element is left.
    for (std::int64_t before = 2 - 2 * in; before < in; ++before) {
      for (std::int64_t after = 1 - in - before; after < in; ++after) {
        all.legal.push_back({in, in + before + after, 1, 1, before, after, 0});
      }
    }
    all.illegal.push_back({in, 2 * in, 1, 1, in, 0, 0});
    all.illegal.push_back({in, 2 * in, 1, 1, 0, in, 0});
    for (std::int64_t before = 1 - 2 * in; before < in; ++before)
      all.illegal.push_back({in, 1, 1, 1, before, -in - before, 0});
  }
}

void spell(Call& call, const std::vector<ScopeAxis>& axes) {
  padding(call).clear();
  for (std::size_t a = axes.size(); a-- > 0;) {
    padding(call).push_back(axes[a].before);
    padding(call).push_back(axes[a].after);
  }
}

constexpr int kRanks2d[] = {3, 4};

constexpr FamilyTraits kReplicationPad2d = {
    .axes = 2,
    .pads_each_end = true,
    .takes_nan = true,
    .dtypes = [](ref::Product) -> std::vector<std::int32_t> {
      return {ref::kFloat, ref::kFloat16, ref::kDouble, ref::kComplex64, ref::kComplex128};
    },
    .ranks = kRanks2d,
    .formats = [](int) -> std::vector<std::int32_t> {
      return {ref::kNchw,  ref::kNhwc,  ref::kNd, ref::kHwcn,
              ref::kNdhwc, ref::kNcdhw, ref::kNc, ref::kNcl};
    },
    .may_be_empty = [](int, int axis) { return axis == 0; },
    .output_shape = output_shape,
    .draw = draw_pad,
    .mutate_values = mutate_values,
    .extent_bounds_values = extent_bounds_values,
    .simplify = simplify,
    .scope = scope,
    .spell = spell,
    .scope_in_pairs = true,
    .atk_format = [](int rank) -> std::int32_t { return rank == 4 ? ref::kNchw : ref::kNd; },
};

}  // namespace

namespace rows {

constinit const OperatorTraits replication_pad2d_backward = {
    .family = &kReplicationPad2d,
    .inputs = kGradientInputs,
    .output = "gradOutput",
    .linear = true,
};
constinit const OperatorTraits replication_pad2d = {
    .family = &kReplicationPad2d,
    .inputs = kForwardInputs,
    .output = "out",
    .linear = true,
};

}  // namespace rows
}  // namespace gradproof::props
