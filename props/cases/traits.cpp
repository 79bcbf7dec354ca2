// The table of operators, and what follows from a row.
#include "props/cases/traits.h"

#include <algorithm>
#include <array>

#include "props/cases/families.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Operator;

constexpr std::string_view kGradient[] = {"self", "gradInput"}, kForward[] = {"self"},
                           kImage[] = {"out"};

// A row stands at its operator's number.
constexpr std::array<OperatorTraits, ref::kOperatorCount> kRows = {{
    {.op = Operator::max_pool3d_with_argmax_backward,
     .family = &kMaxPool3d,
     .inputs = kGradient,
     .output = "gradOutput",
     .indices = "indices",
     .linear = true},
    {.op = Operator::max_pool2d_with_mask_backward,
     .family = &kMaxPool2d,
     .inputs = kGradient,
     .output = "gradOutput",
     .indices = "indices",
     .linear = true,
     .through_half = ref::Product::Ascend910,
     .of_depth_1 = Operator::max_pool3d_with_argmax_backward},
    {.op = Operator::upsample_bilinear2d_backward,
     .family = &kUpsampleBilinear2d,
     .inputs = kImage,
     .output = "gradOut",
     .linear = true},
    {.op = Operator::replication_pad2d_backward,
     .family = &kReplicationPad2d,
     .inputs = kGradient,
     .output = "gradOutput",
     .linear = true},
    {.op = Operator::adaptive_max_pool3d_backward,
     .family = &kAdaptiveMaxPool3d,
     .inputs = kGradient,
     .output = "gradOutput",
     .indices = "indices",
     .linear = true,
     .free_output = true,
     .of_windows = Operator::max_pool3d_with_argmax_backward},
    {.op = Operator::max_pool3d_with_argmax,
     .family = &kMaxPool3d,
     .inputs = kForward,
     .output = "out",
     .indices = "indices"},
    {.op = Operator::max_pool2d_with_mask,
     .family = &kMaxPool2d,
     .inputs = kForward,
     .output = "out",
     .indices = "indices",
     .of_depth_1 = Operator::max_pool3d_with_argmax},
    {.op = Operator::upsample_bilinear2d,
     .family = &kUpsampleBilinear2d,
     .inputs = kForward,
     .output = "out",
     .linear = true},
    {.op = Operator::replication_pad2d,
     .family = &kReplicationPad2d,
     .inputs = kForward,
     .output = "out",
     .linear = true},
    {.op = Operator::adaptive_max_pool3d,
     .family = &kAdaptiveMaxPool3d,
     .inputs = kForward,
     .output = "outputOut",
     .indices = "indicesOut",
     .of_windows = Operator::max_pool3d_with_argmax},
}};
static_assert([] {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].op != static_cast<Operator>(i)) return false;
  }
  return true;
}());

/// As many as there were when bytes first stood for operators.
constexpr int kFirstOperators = 10;

}  // namespace

const OperatorTraits& traits(Operator op) { return kRows[static_cast<std::size_t>(op)]; }

bool has_parameter(Operator op, std::string_view name) {
  return std::ranges::any_of(ref::signature(op).parameters,
                             [&](const ref::Parameter& p) { return p.name == name; });
}

bool selects(Operator op) { return family(op).indices != Indices::none && !ref::is_backward(op); }

bool resizes(Operator op) { return traits(op).free_output || has_parameter(op, "outputSize"); }

bool can_be_empty(Operator op) {
  for (const int rank : family(op).ranks) {
    for (int axis = 0; axis < rank; ++axis) {
      if (family(op).may_be_empty(rank, axis)) return true;
    }
  }
  return false;
}

std::int32_t indices_dtype(Operator op) { return family(op).has_mask() ? ref::kInt8 : ref::kInt32; }

std::vector<int> accepted_lengths(Operator op, std::string_view array) {
  const FamilyTraits& f = family(op);
  if (array == "inputSize") return {f.axes + 2};
  if (array == "padding" && f.pads_each_end) return {2 * f.axes};
  if (!f.windows) return {f.axes};
  if (array == "stride") return {0, 1, f.axes};
  return {1, f.axes};
}

Operator operator_of_byte(std::uint8_t byte) {
  return static_cast<Operator>(byte < ref::kOperatorCount ? byte : byte % kFirstOperators);
}

bool is_newer(ref::Product product) {
  return product == ref::Product::Ascend910B || product == ref::Product::Ascend910_93;
}

std::vector<std::int32_t> float_dtypes(ref::Product product) {
  if (is_newer(product)) return {ref::kFloat, ref::kFloat16, ref::kBf16};
  return {ref::kFloat, ref::kFloat16};
}

}  // namespace gradproof::props
