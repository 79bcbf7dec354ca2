// 128-bit integers: sums and products of a few caller values that cannot overflow.
#pragma once

#include <cstdint>
#include <string>

namespace gradproof::ops {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

/// a · b for factors whose product fits. Multiplied unsigned: the result is the same, and clang's
/// overflow check of a signed 128-bit product needs a function that libgcc does not have.
inline Wide multiply(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b));
}

/// ⌊a / b⌋, toward −∞, b > 0.
inline Wide floor_divide(Wide a, std::int64_t b) {
  const auto low = static_cast<std::int64_t>(a);
  if (low == a && low >= 0) return low / b;  // a fraction of what 128 bits cost
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

inline Wide ceil_divide(Wide a, std::int64_t b) { return -floor_divide(-a, b); }

std::string to_string(Wide value);

}  // namespace gradproof::ops
