// Fills packed arrays with the element recipes that need nothing but a position.
#pragma once

#include <cstdint>

#include "props/cases/case.h"
#include "props/cases/hash.h"

namespace gradproof::props {

/// Rounds to nearest even and returns the bits of a 16-bit IEEE type with that many mantissa bits:
/// 10 for FLOAT16, 7 for BF16. Overflow gives infinity, subnormals are kept.
std::uint16_t encode16(double value, int mantissa_bits);

/// Writes `count` real numbers (a complex element is two) of a real type; kinds for indices only
/// are not for here.
void fill_reals(const Fill& fill, const Stream& random, std::int32_t real_type, void* data,
                std::int64_t count);

}  // namespace gradproof::props
