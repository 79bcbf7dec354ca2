// Small parts of messages and arguments.
#include "opt/ops/call.h"

#include <algorithm>

namespace gradproof::ops {

std::string to_string(Wide value) {
  const bool negative = value < 0;
  // Negated unsigned: the smallest number has no positive counterpart.
  UnsignedWide rest =
      negative ? -static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace gradproof::ops
