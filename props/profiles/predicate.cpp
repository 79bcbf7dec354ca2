// Evaluation of predicates.
#include "props/profiles/predicate.h"

#include <algorithm>
#include <cmath>

#include "props/cases/memory_layout.h"
#include "ref/element.h"

namespace gradproof::profiles {
namespace {

template <class T, class U>
bool has(const std::vector<T>& list, const U& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool is(const ref::Tensor& t, Shape shape) {
  switch (shape) {
    case Shape::contiguous: return t.offset == 0 && props::is_dense(t);
    case Shape::offset: return t.offset != 0;
    case Shape::strided:
      return !t.null_strides && t.strides.size() == t.shape.size() && !props::is_dense(t);
    case Shape::broadcast:
      for (std::size_t i = 0; !t.null_strides && i < std::min(t.shape.size(), t.strides.size());
           ++i)
        if (t.shape[i] > 1 && t.strides[i] == 0) return true;
      return false;
  }
  return false;
}

long double smallest_normal(std::int32_t type) {
  return type == ref::kFloat16 ? 0x1p-14L : type == ref::kDouble ? 0x1p-1022L : 0x1p-126L;
}

bool is(long double value, std::int32_t type, Datum datum) {
  switch (datum) {
    case Datum::nan: return std::isnan(value);
    case Datum::infinity: return std::isinf(value) && value > 0;
    case Datum::minus_infinity: return std::isinf(value) && value < 0;
    case Datum::subnormal: return value != 0 && std::fabs(value) < smallest_normal(type);
  }
  return false;
}

bool holds_datum(const std::vector<ref::Dense>& data, const std::vector<Datum>& wanted) {
  for (const ref::Dense& tensor : data) {
    if (!ref::is_floating(tensor.dtype)) continue;
    const std::int32_t type = ref::component_type(tensor.dtype);
    const auto count = static_cast<std::int64_t>(tensor.bytes.size()) / ref::dtype_size(type);
    for (std::int64_t i = 0; i < count; ++i) {
      const long double value = ref::load(tensor.bytes.data(), type, i);
      for (const Datum datum : wanted) {
        if (is(value, type, datum)) return true;
      }
    }
  }
  return false;
}

/// Whether some tensor that is not null has one of the wanted values.
template <class T, class Get>
bool any_tensor(const ref::Call& call, const std::vector<T>& wanted, const Get& get) {
  if (wanted.empty()) return true;
  for (std::size_t slot = 0; slot < call.tensors.size(); ++slot) {
    if (call.tensors[slot].null) continue;
    for (const T& value : wanted) {
      if (get(static_cast<int>(slot), call.tensors[slot], value)) return true;
    }
  }
  return false;
}

template <class T>
bool meet(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.empty() || b.empty()) return true;
  return std::any_of(a.begin(), a.end(),
                     [&](const T& x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

}  // namespace

bool Predicate::holds(const ref::Call& call, props::Misuse misuse,
                      const std::vector<ref::Dense>* made, const ref::Expectation* broken) const {
  if (!has(operators, call.op) || !has(products, call.product)) return false;
  if (!has(misuses, misuse)) return false;
  if (!dtypes.empty() && (call.tensors[0].null || !has(dtypes, call.tensors[0].dtype)))
    return false;
  if (!any_tensor(call, formats,
                  [](int, const ref::Tensor& t, std::int32_t f) { return t.format == f; }) ||
      !any_tensor(call, ranks,
                  [](int, const ref::Tensor& t, std::int64_t r) {
                    return static_cast<std::int64_t>(t.shape.size()) == r;
                  }) ||
      !any_tensor(call, layouts, [&](int slot, const ref::Tensor& t, Shape s) {
        return props::access_of(call.op, slot) != ref::Access::described && is(t, s);
      }))
    return false;
  std::optional<ref::Expectation> found;  // costs more than all above
  if (broken == nullptr && (condition || !rules.empty() || !arguments.empty()))
    broken = &found.emplace(ref::expect(call));
  if (!rules.empty() || !arguments.empty()) {
    const std::string_view rule = broken->rule == nullptr ? "none" : broken->rule->id;
    if (!has(rules, rule) || !has(arguments, broken->violation.argument)) return false;
  }
  if (condition && !condition->holds(call, broken->violation.argument)) return false;
  return data.empty() || (made != nullptr && holds_datum(*made, data));
}

bool Predicate::may_meet(const Predicate& other) const {
  // Only valid calls are misused.
  const auto only_invalid = [](const Predicate& p) {
    return !p.rules.empty() && !has(p.rules, "none");
  };
  if ((!misuses.empty() && only_invalid(other)) || (!other.misuses.empty() && only_invalid(*this)))
    return false;
  return meet(operators, other.operators) && meet(products, other.products) &&
         meet(rules, other.rules) && meet(arguments, other.arguments) &&
         meet(dtypes, other.dtypes) && meet(formats, other.formats) && meet(ranks, other.ranks) &&
         meet(misuses, other.misuses);
}

}  // namespace gradproof::profiles
