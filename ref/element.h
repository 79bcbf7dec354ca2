// Element types by their aclDataType number: names, sizes, and exact decoding and rounding.
//
// Independent of opt/ on purpose. Decoding is exact; `round_to` is IEEE round to nearest even,
// with subnormals kept and overflow to infinity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gradproof::ref {

/// "FLOAT", "BF16", …; "dtype(77)" for a number that has no name.
std::string dtype_name(std::int32_t dtype);
/// The inverse of dtype_name, both forms; nothing for any other text.
std::optional<std::int32_t> dtype_from_name(std::string_view name);
/// "NCDHW", "ND", …; "format(77)" for a number that has no name.
std::string format_name(std::int32_t format);
std::optional<std::int32_t> format_from_name(std::string_view name);

/// Bytes of one element; 0 for types without a whole number of bytes and for unknown numbers.
int dtype_size(std::int32_t dtype);
/// FLOAT, FLOAT16, BF16, DOUBLE, COMPLEX64, COMPLEX128.
bool is_floating(std::int32_t dtype);
/// 2 for the complex types, 1 otherwise.
int components(std::int32_t dtype);
/// The real type of one component: FLOAT for COMPLEX64, DOUBLE for COMPLEX128, else dtype itself.
std::int32_t component_type(std::int32_t dtype);

/// Exact value of component `i` of a densely packed array of a real type (integers included).
long double load(const void* data, std::int32_t real_type, std::int64_t i);
/// Rounds `value` to the real type (nearest even) and stores it; integers must be representable.
void store(void* data, std::int32_t real_type, std::int64_t i, long double value);
/// The value of the real floating type nearest to `value`, ties to even; ±Inf on overflow.
long double round_to(std::int32_t real_type, long double value);
/// The next value of the real floating type above `value`, which must be one of the type's own
/// values; +Inf above the largest finite one.
long double next_up(std::int32_t real_type, long double value);

}  // namespace gradproof::ref
