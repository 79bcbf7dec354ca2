// Element types of 16 bits and the exact conversions between them and float.
//
// Rounding is to nearest even on every instruction set, subnormals are kept, overflow gives ±Inf, a
// NaN keeps its sign and the top of its payload and leaves a narrowing quiet. All functions are
// branch-free selections on integers, so that a plain loop over a row vectorises; they are correct
// with the floating-point mode of FloatModeGuard.
#pragma once

#include <bit>
#include <cstdint>

namespace gradproof {

struct Float16 {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

inline float to_float(Float16 h) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(h.bits & 0x7fff) << 13;
  const std::uint32_t sign = static_cast<std::uint32_t>(h.bits & 0x8000) << 16;
  // Exponent 0: as if it were 1 with the hidden bit set, less that bit's value.
  const float subnormal = std::bit_cast<float>(magnitude + 0x38800000u) - 0x1p-14f;
  const std::uint32_t normal = magnitude + 0x38000000u;   // rebias 15 → 127
  const std::uint32_t special = magnitude + 0x70000000u;  // 31 → 255
  const std::uint32_t quiet = magnitude > 0x0f800000u ? 0x00400000u : 0u;
  std::uint32_t bits = magnitude >= 0x0f800000u ? special | quiet : normal;
  bits = magnitude < 0x00800000u ? std::bit_cast<std::uint32_t>(subnormal) : bits;
  return std::bit_cast<float>(bits | sign);
}

inline Float16 to_float16(float value) {
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = all & 0x80000000u;
  const std::uint32_t magnitude = all ^ sign;
  // Below 2⁻¹⁴: adding 0.5 leaves the multiple of 2⁻²⁴ in the low bits, rounded by the addition.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  // Rebias, then add just under half of the last place, or half where the last place is odd.
  const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const std::uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  std::uint32_t bits = magnitude < 0x38800000u ? subnormal : normal;
  bits = magnitude >= 0x47800000u ? 0x7c00u : bits;
  bits = magnitude > 0x7f800000u ? nan : bits;
  return {static_cast<std::uint16_t>(bits | (sign >> 16))};
}

inline float to_float(BFloat16 b) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(b.bits) << 16);
}

inline BFloat16 to_bfloat16(float value) {
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (all + 0x7fffu + ((all >> 16) & 1u)) >> 16;
  const std::uint32_t nan = (all >> 16) | 0x40u;
  const bool is_nan = (all & 0x7fffffffu) > 0x7f800000u;
  return {static_cast<std::uint16_t>(is_nan ? nan : rounded)};
}

}  // namespace gradproof
