// Cases of gradproof::testing: the suite's own, of gradients that have a result.
#include "gradproof/testing/case.hpp"

#include <algorithm>

#include "props/cases/data/data.h"
#include "props/cases/describe/classes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/promises.h"
#include "props/cases/describe/size.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/relatives.h"
#include "props/cases/generate/source.h"
#include "props/cases/shrink/simpler.h"
#include "ref/rules.h"

namespace gradproof::testing {
namespace {

constexpr std::int64_t kLargestCase = std::int64_t{4} << 30;  // bytes
/// Draws of small cases of the same kind; a rare bug of the mask pool shows in one of a thousand.
constexpr int kRelatives = 4000;

constexpr std::string_view kStems[] = {
#define GRADPROOF_STEM(stem, Struct) #stem,
    GRADPROOF_GRADIENTS(GRADPROOF_STEM)
#undef GRADPROOF_STEM
};

// The two numberings differ: the reference's has the forwards in between.
ref::Operator in_reference(Operator op) {
  int number = 0;
  while (ref::signature(static_cast<ref::Operator>(number)).stem != kStems[static_cast<int>(op)])
    ++number;
  return static_cast<ref::Operator>(number);
}
Operator here(ref::Operator op) {
  return static_cast<Operator>(std::ranges::find(kStems, ref::signature(op).stem) - kStems);
}

/// Elements of the largest tensor, from a few to those of an ordinary campaign's cases.
std::int64_t largest_at(int size) {
  const std::int64_t s = std::clamp(size, 0, 100);
  return 16 + 408 * s * s / 1000;
}

/// Why the case has no result to judge; empty if it has one.
std::string refusal(const props::Case& c) {
  if (!ref::is_backward(c.call.op)) return "the operator is no gradient";
  if (c.misuse != props::Misuse::none || !c.sequence.empty())
    return "the case is about the API, not about a result";
  if (const ref::Expectation expected = ref::expect(c.call); expected.rule != nullptr)
    return "the call breaks the rule " + std::string(expected.rule->id) + ": " +
           expected.violation.detail;
  for (const props::Fill& fill : c.fills) {
    if (fill.kind == props::Fill::Kind::one_bad) return "an index is outside its plane";
  }
  for (const ref::Tensor& tensor : c.call.tensors) {
    if (tensor.null_data) return "a tensor has no data";
  }
  return props::obstacle(c, kLargestCase);
}

/// Makes a valid case one that has a result. False if it is beyond the operators' documents.
bool make_ours(props::Case& c) {
  c.misuse = props::Misuse::none;
  for (props::Fill& fill : c.fills) {
    if (fill.kind == props::Fill::Kind::one_bad) fill.kind = props::Fill::Kind::in_range;
  }
  return props::promises_asked(c).empty() && refusal(c).empty();
}

}  // namespace

Case::Case(props::Case own) : own_(std::make_shared<const props::Case>(std::move(own))) {}

Case Case::parse(const std::string& line) {
  props::Case own = props::parse_case(line);
  if (const std::string why = refusal(own); !why.empty())
    throw std::runtime_error(why + ": " + line);
  return Case(std::move(own));
}

Case Case::draw(Operator op, const std::vector<aclDataType>& types, std::uint64_t seed, int size) {
  std::vector<props::CoveragePoint> among = props::coverage_points(in_reference(op));
  std::erase_if(among, [&](const props::CoveragePoint& point) {
    return point.product != ref::Product::Ascend910B ||
           (!types.empty() && std::find(types.begin(), types.end(),
                                        static_cast<aclDataType>(point.dtype)) == types.end());
  });
  if (among.empty()) throw std::invalid_argument("the operator has none of these element types");
  props::SeededSource source(seed);
  while (true) {
    const props::CoveragePoint& point = among[source.below(among.size())];
    props::Case own = props::generate_valid(source, point, {.max_elements = largest_at(size)});
    if (make_ours(own)) return Case(std::move(own));
  }
}

Operator Case::op() const { return here(own_->call.op); }
aclDataType Case::type() const {
  return static_cast<aclDataType>(own_->call.tensors.front().dtype);
}
std::string Case::text() const { return props::to_text(*own_); }
std::vector<std::string> Case::classes() const { return props::classes(*own_); }
bool Case::is(const std::string& label) const {
  const std::vector<std::string> labels = classes();
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}
std::vector<Case> Case::simpler() const {
  std::vector<Case> all;
  for (props::Case& variant : props::simpler(*own_)) all.push_back(Case(std::move(variant)));
  return all;
}
std::vector<Case> Case::small() const {
  if (elements() <= props::kReadable) return {};
  std::vector<Case> all;
  props::SeededSource source(own_->seed);
  for (int i = 0; i < kRelatives; ++i) {
    std::optional<props::Case> small = props::small_relative(source, *own_);
    if (small && make_ours(*small)) all.push_back(Case(std::move(*small)));
  }
  return all;
}
std::int64_t Case::elements() const { return props::largest_tensor(*own_); }

// By their texts: data may be NaN.
bool operator==(const Case& a, const Case& b) { return a.own_ == b.own_ || a.text() == b.text(); }

}  // namespace gradproof::testing
