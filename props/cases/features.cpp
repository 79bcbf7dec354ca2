// Collects a case's features.
#include "props/cases/features.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "props/cases/generator.h"
#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::props {
namespace {

/// Whether a number is so large that the classes' arithmetic on it may overflow.
bool has_extreme_numbers(const ref::Call& call) {
  const auto extreme = [](std::int64_t n) { return n > INT32_MAX || n < INT32_MIN; };
  const auto any = [&](const std::vector<std::int64_t>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), extreme);
  };
  return std::any_of(call.tensors.begin(), call.tensors.end(),
                     [&](const ref::Tensor& t) {
                       return any(t.shape) || any(t.strides) || any(t.storage) || extreme(t.offset);
                     }) ||
         std::any_of(call.arrays.begin(), call.arrays.end(),
                     [&](const ref::IntArray& a) { return any(a.values); });
}

}  // namespace

Features features(const Case& c) {
  Features all{std::string(ref::name(c.call.product))};
  if (!c.sequence.empty()) return all;  // what it does counts, not what its call is like
  const ref::Expectation expected = ref::expect(c.call);
  if (expected.rule != nullptr) {
    all.insert("rule " + std::string(expected.rule->id));
    all.insert("argument " + expected.violation.argument);
    return all;
  }
  const ref::Tensor& tensor = c.call.tensors.front();
  all.insert(ref::dtype_name(tensor.dtype));
  all.insert(ref::format_name(tensor.format));
  all.insert("rank " + std::to_string(tensor.shape.size()));
  if (has_extreme_numbers(c.call)) {
    all.insert("numbers beyond 2^31");
    return all;
  }
  for (std::string& label : classes(c)) all.insert(std::move(label));
  return all;
}

Features in_both(const Features& a, const Features& b) {
  Features both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

}  // namespace gradproof::props
