// Integer arithmetic on caller values that says when it does not fit.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace gradproof {

inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
  return r;
}

inline std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
  return r;
}

/// For estimates: the sum or product of non-negative numbers, or the greatest number if that is
/// less.
inline std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return checked_add(a, b).value_or(std::numeric_limits<std::int64_t>::max());
}
inline std::int64_t saturating_mul(std::int64_t a, std::int64_t b) {
  return checked_mul(a, b).value_or(std::numeric_limits<std::int64_t>::max());
}

/// Product of non-negative extents. A zero extent makes it 0 whatever the others are.
inline std::optional<std::int64_t> checked_product(std::span<const std::int64_t> extents) {
  for (std::int64_t e : extents) {
    if (e == 0) return 0;
  }
  std::int64_t product = 1;
  for (std::int64_t e : extents) {
    if (__builtin_mul_overflow(product, e, &product)) return std::nullopt;
  }
  return product;
}

}  // namespace gradproof
