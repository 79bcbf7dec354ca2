// Collects a case's features.
#include "props/cases/describe/features.h"

#include <algorithm>
#include <iterator>

#include "props/cases/case.h"
#include "props/cases/describe/classes.h"
#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::props {
namespace {

constexpr std::int32_t kMostNumber = 64;  // above those of all element types and formats
constexpr std::size_t kMostRank = 8;      // of a tensor of the API

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
  for (std::string& label : classes(c)) all.insert(std::move(label));
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const ref::Tensor& t = c.call.tensors[p.slot];
    if (!t.null_strides && t.strides != ref::contiguous_strides(t.shape))
      all.insert(std::string(p.name) + " strided");
  }
  all.erase("data-integers");  // the simplest data: small cases have it, whatever they fail for
  return all;
}

std::vector<std::string> all_features(ref::Operator op) {
  std::vector<std::string> all = all_classes(op);
  for (const ref::Product product : ref::kProducts) all.emplace_back(ref::name(product));
  for (std::int32_t number = 0; number < kMostNumber; ++number) {
    for (const std::string& name : {ref::dtype_name(number), ref::format_name(number)})
      if (name.find('(') == std::string::npos) all.push_back(name);
  }
  for (std::size_t rank = 1; rank <= kMostRank; ++rank)
    all.push_back("rank " + std::to_string(rank));
  for (const ref::Parameter& p : ref::signature(op).parameters)
    if (p.kind == ref::Kind::tensor) all.push_back(std::string(p.name) + " strided");
  return all;
}

bool has_all(const Features& of, const Features& wanted) {
  return std::includes(of.begin(), of.end(), wanted.begin(), wanted.end());
}

Features in_both(const Features& a, const Features& b) {
  Features both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

}  // namespace gradproof::props
