// Numbers and positions in words.
#include "props/judge/numbers.h"

#include <cmath>
#include <cstdio>

#include "acl/acl_base.h"
#include "ref/element.h"

namespace gradproof::props {

std::string coordinates(std::int64_t position, std::span<const std::int64_t> shape) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text = std::to_string(position % shape[axis]) + (text.empty() ? "" : "," + text);
    position /= shape[axis];
  }
  return "[" + text + "]";
}

std::string number(long double value, std::int32_t real_type) {
  const int digits = !ref::is_floating(real_type) ? 20
                     : real_type == ACL_DOUBLE    ? 17
                     : real_type == ACL_FLOAT     ? 9
                                                  : 6;
  char text[64];
  std::snprintf(text, sizeof text, "%.*Lg", digits, value);
  return text;
}

std::string ulps(long double expected, long double got, std::int32_t real_type) {
  if (!ref::is_floating(real_type) || !std::isfinite(expected) || !std::isfinite(got)) return "";
  const long double at = std::fabs(ref::round_to(real_type, expected));
  if (at == 0) return "";  // its unit is the smallest number of all: any distance is a huge count
  const long double next = std::isfinite(at) ? ref::next_up(real_type, at) : at;
  if (!std::isfinite(next)) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%.4Lg ulp", (got - expected) / (next - at));
  return text;
}

}  // namespace gradproof::props
