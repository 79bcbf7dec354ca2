// Sizes of element types, and half-precision numbers.
#include <bit>
#include <cstdint>

#include "acl/acl_base.h"

extern "C" {

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0: return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16: return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32: return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64: return 8;
    case ACL_COMPLEX128: return 16;
    default: return 0;
  }
}

float aclFloat16ToFloat(aclFloat16 value) {
  const std::uint32_t sign = std::uint32_t{value & 0x8000u} << 16;
  const std::uint32_t exponent = (value >> 10) & 0x1Fu;
  const std::uint32_t fraction = value & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  // Subnormal or zero: fraction * 2^-24 is a normal float, and exact.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

// Integers all the way, so that the caller's rounding and flushing modes do not matter.
aclFloat16 aclFloatToFloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {  // NaN: quiet, with the upper part of its payload
    return static_cast<aclFloat16>(sign | 0x7E00u | (magnitude >> 13 & 0x3FFu));
  }
  if (magnitude >= 0x477FF000u) return static_cast<aclFloat16>(sign | 0x7C00u);  // >= 65520
  std::uint32_t significand = magnitude;  // of the result, before `drop` bits are rounded away
  std::uint32_t drop = 13;
  if (magnitude >= 0x38800000u) {  // normal in half precision: exponent bias 127 becomes 15
    significand -= 112u << 23;
  } else {  // subnormal: units of 2^-24
    const std::uint32_t exponent = magnitude >> 23;
    if (exponent < 102) return static_cast<aclFloat16>(sign);  // below 2^-25
    significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    drop = 126 - exponent;
  }
  const std::uint32_t half = 1u << (drop - 1);
  const std::uint32_t rest = significand & ((1u << drop) - 1);
  std::uint32_t result = significand >> drop;
  if (rest > half || (rest == half && (result & 1u) != 0)) ++result;
  return static_cast<aclFloat16>(sign | result);
}

}  // extern "C"
