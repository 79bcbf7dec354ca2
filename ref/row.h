// An operator's row: all that the reference knows of it, in the file of its name. What is about all
// operators asks the row.
#pragma once

#include <optional>
#include <span>

#include "ref/exact.h"
#include "ref/operators.h"
#include "ref/rules_internal.h"

namespace gradproof::ref {

struct OperatorRow {
  std::span<const Parameter> parameters;  ///< in the C API's order
  bool backward = false;
  std::optional<Operator> companion = {};  ///< the forward of a gradient and the other way round
  const OperatorRules* rules = nullptr;
  Plane (*plane)(const Task& task) = nullptr;
  Arithmetic arithmetic = Arithmetic::sum;
  std::size_t plane_axes = 2;  ///< the last dimensions, which a plane has
  /// Of pools: the windows of a call.
  Ranges3 (*windows)(const Call& call, std::span<const std::int64_t> pooled_shape) = nullptr;
  /// The product on which FLOAT terms and results are rounded to FLOAT16.
  std::optional<Product> through_float16 = {};

  bool has_mask() const { return rules->indices_dtype == kInt8; }
  bool has_positions() const { return rules->indices_dtype == kInt32; }
};

const OperatorRow& row_of(Operator op);

namespace rows {
#define GRADPROOF_ROW(stem, api) extern const OperatorRow stem;
GRADPROOF_OPERATORS(GRADPROOF_ROW)
#undef GRADPROOF_ROW
}  // namespace rows

/// Parameters, each at its place among those of its kind.
namespace parameters {
constexpr Parameter in(std::string_view name, int slot) {
  return {name, Kind::tensor, Access::read, slot};
}
constexpr Parameter described(std::string_view name, int slot) {
  return {name, Kind::tensor, Access::described, slot};
}
constexpr Parameter out(std::string_view name, int slot) {
  return {name, Kind::tensor, Access::written, slot};
}
constexpr Parameter ints(std::string_view name, int slot) {
  return {name, Kind::int_array, Access::read, slot};
}
constexpr Parameter flag(std::string_view name, int slot) {
  return {name, Kind::flag, Access::read, slot};
}
constexpr Parameter real(std::string_view name, int slot) {
  return {name, Kind::real, Access::read, slot};
}

// Both pools over windows have these.
inline constexpr Parameter kWindowPoolBackward[] = {
    in("gradOutput", 0),   described("self", 1), in("indices", 2),
    ints("kernelSize", 0), ints("stride", 1),    ints("padding", 2),
    ints("dilation", 3),   flag("ceilMode", 0),  out("gradInput", 3)};
inline constexpr Parameter kWindowPool[] = {
    in("self", 0),       ints("kernelSize", 0), ints("stride", 1), ints("padding", 2),
    ints("dilation", 3), flag("ceilMode", 0),   out("out", 1),     out("indices", 2)};

}  // namespace parameters

}  // namespace gradproof::ref
