// Number formats by their definition, independent of opt/: for checking its conversions and
// results.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "opt/kernels/geometry.h"

namespace gradproof::test {

struct Format {
  int exponent_bits, fraction_bits;
};
inline constexpr Format kFloat16{5, 10}, kBFloat16{8, 7};

inline double decode(std::uint32_t bits, Format f) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const auto fraction = static_cast<double>(bits & ((1u << f.fraction_bits) - 1));
  const int exponent = static_cast<int>(bits >> f.fraction_bits) & ((1 << f.exponent_bits) - 1);
  double value;
  if (exponent == (1 << f.exponent_bits) - 1) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - bias - f.fraction_bits);
  } else {
    value =
        std::ldexp(fraction + std::ldexp(1.0, f.fraction_bits), exponent - bias - f.fraction_bits);
  }
  return bits >> (f.exponent_bits + f.fraction_bits) & 1 ? -value : value;
}

/// The nearest value of the format, ties to even, ±Inf beyond the largest; as a double.
inline double round_to(double x, Format f) {
  if (!std::isfinite(x) || x == 0) return x;
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const int exponent = std::max(std::ilogb(x), 1 - bias);
  const double ulp = std::ldexp(1.0, exponent - f.fraction_bits);
  const double rounded = std::nearbyint(x / ulp) * ulp;
  const double limit = std::ldexp(2.0, bias);
  return std::abs(rounded) >= limit ? std::copysign(std::numeric_limits<double>::infinity(), x)
                                    : rounded;
}

/// Bits of a value that the format has.
inline std::uint16_t encode(double x, Format f) {
  const std::uint32_t sign = std::signbit(x) ? 1u << (f.exponent_bits + f.fraction_bits) : 0;
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const std::uint32_t top = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
  std::uint32_t bits = 0;
  if (std::isnan(x)) {
    bits = top | 1u << (f.fraction_bits - 1);
  } else if (std::isinf(x)) {
    bits = top;
  } else if (x != 0) {
    const int exponent = std::max(std::ilogb(x), 1 - bias);
    const auto scaled =
        static_cast<std::uint32_t>(std::ldexp(std::abs(x), f.fraction_bits - exponent));
    // The hidden bit, if there, carries into the exponent field.
    bits = (static_cast<std::uint32_t>(exponent + bias - 1) << f.fraction_bits) + scaled;
  }
  return static_cast<std::uint16_t>(bits | sign);
}

using kernels::Element;

inline int scalars_of(Element e) { return e == Element::c64 || e == Element::c128 ? 2 : 1; }
inline bool is_double(Element e) { return e == Element::f64 || e == Element::c128; }
inline int scalar_bytes(Element e) {
  return is_double(e) ? 8 : e == Element::f16 || e == Element::bf16 ? 2 : 4;
}

inline double round_to(double x, Element e) {
  if (is_double(e)) return x;
  if (e == Element::f16) return round_to(x, kFloat16);
  if (e == Element::bf16) return round_to(x, kBFloat16);
  return static_cast<double>(static_cast<float>(x));
}

inline double read_scalar(const std::byte* at, Element e) {
  if (is_double(e)) {
    double x;
    std::memcpy(&x, at, sizeof x);
    return x;
  }
  if (scalar_bytes(e) == 4) {
    float x;
    std::memcpy(&x, at, sizeof x);
    return static_cast<double>(x);
  }
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return decode(bits, e == Element::f16 ? kFloat16 : kBFloat16);
}

/// Rounds to the type first.
inline void write_scalar(std::byte* at, Element e, double x) {
  if (is_double(e)) {
    std::memcpy(at, &x, sizeof x);
  } else if (scalar_bytes(e) == 4) {
    const auto narrow = static_cast<float>(x);
    std::memcpy(at, &narrow, sizeof narrow);
  } else {
    const Format f = e == Element::f16 ? kFloat16 : kBFloat16;
    const std::uint16_t bits = encode(round_to(x, f), f);
    std::memcpy(at, &bits, sizeof bits);
  }
}

}  // namespace gradproof::test
