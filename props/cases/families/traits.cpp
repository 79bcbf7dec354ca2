// The table of operators, and what follows from a row.
#include "props/cases/traits.h"

#include <algorithm>

#include "props/cases/families/families.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

// A row stands at its operator's number.
constexpr const OperatorTraits* kRows[] = {
#define GRADPROOF_ROW(stem, api) &rows::stem,
    GRADPROOF_OPERATORS(GRADPROOF_ROW)
#undef GRADPROOF_ROW
};

/// As many as there were when bytes first stood for operators.
constexpr int kFirstOperators = 10;

}  // namespace

const OperatorTraits& traits(ref::Operator op) { return *kRows[static_cast<std::size_t>(op)]; }

bool has_parameter(ref::Operator op, std::string_view name) {
  return std::ranges::any_of(ref::signature(op).parameters,
                             [&](const ref::Parameter& p) { return p.name == name; });
}

bool selects(ref::Operator op) {
  return family(op).indices != Indices::none && !ref::is_backward(op);
}

bool resizes(ref::Operator op) { return traits(op).free_output || has_parameter(op, "outputSize"); }

bool can_be_empty(ref::Operator op) {
  for (const int rank : family(op).ranks) {
    for (int axis = 0; axis < rank; ++axis) {
      if (family(op).may_be_empty(rank, axis)) return true;
    }
  }
  return false;
}

std::int32_t indices_dtype(ref::Operator op) {
  return family(op).has_mask() ? ref::kInt8 : ref::kInt32;
}

std::vector<int> accepted_lengths(ref::Operator op, std::string_view array) {
  const FamilyTraits& f = family(op);
  if (array == "inputSize") return {f.axes + 2};
  if (array == "padding" && f.pads_each_end) return {2 * f.axes};
  if (!f.windows) return {f.axes};
  if (array == "stride") return {0, 1, f.axes};
  return {1, f.axes};
}

ref::Operator operator_of_byte(std::uint8_t byte) {
  return static_cast<ref::Operator>(byte < ref::kOperatorCount ? byte : byte % kFirstOperators);
}

bool is_newer(ref::Product product) {
  return product == ref::Product::Ascend910B || product == ref::Product::Ascend910_93;
}

std::vector<std::int32_t> float_dtypes(ref::Product product) {
  if (is_newer(product)) return {ref::kFloat, ref::kFloat16, ref::kBf16};
  return {ref::kFloat, ref::kFloat16};
}

}  // namespace gradproof::props
