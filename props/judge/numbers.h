// Numbers and positions in the words of a finding.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace gradproof::props {

/// "[n,c,h,w]" of a row-major position.
std::string coordinates(std::int64_t position, std::span<const std::int64_t> shape);
/// As many digits as tell values of the type apart; "nan", "inf", "-inf".
std::string number(long double value, std::int32_t real_type);
/// Distance between two values of a floating type, in units of the last place of the first; ""
/// where it means nothing (integers, NaN, infinities).
std::string ulps(long double expected, long double got, std::int32_t real_type);

}  // namespace gradproof::props
