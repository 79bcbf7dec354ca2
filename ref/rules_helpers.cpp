// Helpers that the rules of several operators share.
#include <algorithm>

#include "ref/rules_internal.h"

namespace gradproof::ref {

bool has_bf16(Product product) {
  return product == Product::Ascend910B || product == Product::Ascend910_93;
}

bool float_dtype(Product product, std::int32_t dtype) {
  return dtype == kFloat || dtype == kFloat16 || (dtype == kBf16 && has_bf16(product));
}

std::string text(Wide value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);  // has the sign of value
    digits.insert(digits.begin(), static_cast<char>('0' + (negative ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  return negative ? "-" + digits : digits;
}

namespace {

template <class T>
std::string list(std::span<const T> values) {
  std::string result = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) result += ", ";
    result += text(Wide{values[i]});
  }
  return result + "]";
}

}  // namespace

std::string text(std::span<const std::int64_t> values) { return list(values); }

Violation shape_violation(std::string_view argument, std::span<const std::int64_t> got,
                          std::span<const Wide> wanted, std::string_view why) {
  const std::string name(argument);
  Violation v{name, name + " has shape " + list(got) + ", should be " + list(wanted) + " (" +
                        std::string(why) + ")"};
  for (std::size_t axis = 0; axis < std::min(got.size(), wanted.size()); ++axis) {
    if (got[axis] != wanted[axis]) v.values.push_back({text(Wide{got[axis]}), text(wanted[axis])});
  }
  return v;
}

Violation value_violation(std::string_view argument, std::size_t i, std::int64_t value,
                          std::string_view must, std::optional<Wide> bound) {
  const std::string name(argument);
  Violation v{name,
              name + "[" + std::to_string(i) + "] = " + std::to_string(value) + " must be " +
                  std::string(must),
              {{std::to_string(value)}}};
  if (bound) v.values.front().push_back(text(*bound));
  return v;
}

std::optional<Violation> check_length(const Call& call, std::string_view argument,
                                      std::initializer_list<std::size_t> lengths) {
  const std::size_t length = int_array(call, argument).values.size();
  if (std::ranges::find(lengths, length) != lengths.end()) return std::nullopt;
  const std::string name(argument);
  Violation v{name, name + " has length " + std::to_string(length), {{std::to_string(length)}}};
  for (const std::size_t allowed : lengths) v.values.front().push_back(std::to_string(allowed));
  return v;
}

std::optional<Violation> check_least(const Call& call, std::string_view argument,
                                     std::int64_t least, std::string_view must) {
  const std::vector<std::int64_t>& values = int_array(call, argument).values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < least) return value_violation(argument, i, values[i], must, least);
  }
  return std::nullopt;
}

std::optional<Violation> check_no_zero(const Call& call, std::string_view argument,
                                       std::size_t may_be_empty) {
  const std::vector<std::int64_t>& shape = tensor(call, argument).shape;
  for (std::size_t axis = may_be_empty; axis < shape.size(); ++axis) {
    if (shape[axis] == 0) {
      const std::string name(argument);
      return Violation{name, name + " has an empty dimension in its shape " + text(shape), {{"0"}}};
    }
  }
  return std::nullopt;
}

std::optional<Violation> check_shape(const Call& call, std::string_view argument,
                                     std::span<const Wide> wanted, std::string_view why) {
  const std::vector<std::int64_t>& got = tensor(call, argument).shape;
  if (std::ranges::equal(got, wanted)) return std::nullopt;
  return shape_violation(argument, got, wanted, why);
}

Wide product_up_to(std::span<const std::int64_t> extents, Wide limit) {
  if (std::ranges::find(extents, 0) != extents.end()) return 0;
  Wide product = 1;  // at most 2^63 · 2^63 before it is cut
  for (std::int64_t extent : extents) product = std::min(product * extent, limit + 1);
  return product;
}

}  // namespace gradproof::ref
