// Promises by case.
#include "props/cases/describe/promises.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "props/cases/traits.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "ref/scales.h"

namespace gradproof::props {
namespace {

/// A number that no element of the recipe is below, or NaN if elements may be that.
double lowest(const Fill& fill) {
  switch (fill.kind) {
    case Fill::Kind::integers: return -std::fabs(fill.a);
    case Fill::Kind::uniform:
      return std::isfinite(fill.b - fill.a) ? std::min(fill.a, fill.b)
                                            : std::numeric_limits<double>::quiet_NaN();
    case Fill::Kind::normal:
      return fill.a - 9 * std::fabs(fill.b);  // eight deviations are the furthest that come up
    case Fill::Kind::constant: return fill.a;
    case Fill::Kind::special: return std::numeric_limits<double>::quiet_NaN();
    default: return -1;  // powers are finite in every type
  }
}

bool has_forward_nan(const Case& c) {
  if (ref::is_backward(c.call.op) || family(c.call.op).takes_nan) return false;
  const int self = ref::slot(c.call.op, "self");
  const std::int32_t type = c.call.tensors[self].dtype;
  double element = 0;  // room for one of any type of the operator
  ref::store(&element, type, 0, lowest(c.fills[self]));
  const long double value = ref::load(&element, type, 0);
  return std::isnan(value) || (std::isinf(value) && value < 0);
}

}  // namespace

std::vector<std::string_view> promises_asked(const Case& c) {
  if (ref::expect(c.call).rule != nullptr) return {};
  std::vector<std::string_view> asked;
  if (!ref::scales_fit(c.call)) asked.push_back(kNonFittingScales);
  if (has_forward_nan(c)) asked.push_back(kForwardNan);
  return asked;
}

}  // namespace gradproof::props
