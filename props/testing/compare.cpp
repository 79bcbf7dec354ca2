// Judges results by the reference's exact values and bounds.
#include "gradproof/testing/compare.hpp"

#include <limits>
#include <string_view>

#include "gradproof/config.h"
#include "props/cases/data/data.h"
#include "props/judge/compare.h"
#include "props/testing/memory.h"
#include "ref/element.h"

namespace gradproof::testing {
namespace {

using detail::Canonical;

std::vector<std::int64_t> position(std::int64_t row_major, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; row_major /= shape[d]) at[d] = row_major % shape[d];
  return at;
}

Verdict judge(const Canonical& canonical, const ref::Dense& result) {
  const ref::Evaluation evaluation(canonical.call, canonical.data);
  const props::Comparison comparison = props::compare(evaluation, canonical.result, result);
  Verdict verdict;
  verdict.values = comparison.values;
  verdict.wrong = comparison.wrong;
  verdict.worst = comparison.worst_fraction;
  for (const props::Difference& d : comparison.first)
    verdict.first.push_back({position(d.position, result.shape),
                             d.component,
                             d.got,
                             {d.exact.value, d.exact.terms, d.judgement.low, d.judgement.high}});
  if (comparison.wrong > 0)
    verdict.finding = props::describe(comparison, canonical.name, result,
                                      evaluation.result_type(canonical.result)) +
                      detail::conformance_note();
  return verdict;
}

Canonical canonical(const Case& c) { return detail::canonical(c.own(), props::make_data(c.own())); }

const ref::Tensor& result_of(const Canonical& c) {
  return c.call.tensors[static_cast<std::size_t>(c.result)];
}

}  // namespace

std::vector<Expected> expected(const Case& c) {
  const Canonical canonical = testing::canonical(c);
  const ref::Evaluation evaluation(canonical.call, canonical.data);
  const int slot = canonical.result;
  const ref::BoundSpec spec{
      evaluation.arithmetic(slot), evaluation.sum_type(slot), evaluation.result_type(slot), {}, 0,
      evaluation.term_type(slot)};
  const std::int64_t parts = ref::components(result_of(canonical).dtype);
  std::int64_t count = parts;
  for (const std::int64_t extent : result_of(canonical).shape) count *= extent;
  std::vector<Expected> all(static_cast<std::size_t>(count));
  for (std::int64_t p = 0; p < evaluation.plane_count(slot); ++p) {
    const ref::Plane plane = evaluation.plane(slot, p);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const std::int64_t at = (plane.first + index / parts * plane.step) * parts + index % parts;
      // The ends are computed of results that are not the nearest one.
      const ref::Judgement ends =
          judge(plane.values[i], std::numeric_limits<long double>::quiet_NaN(), spec);
      all[static_cast<std::size_t>(at)] = {plane.values[i].value, plane.values[i].terms, ends.low,
                                           ends.high};
    }
  }
  return all;
}

namespace detail {

std::string conformance_note() {
  const std::string_view conformance = gradproof_conformance();
  if (conformance == "documented") return "";
  return "\nnote: calls of libgradproof follow the conformance " + std::string(conformance) +
         "; cases and expected results follow 'documented' (GRADPROOF_CONFORMANCE=documented)";
}

Verdict compare(const Memory& memory, const Case& c) {
  if (!(memory.of() == c)) throw std::invalid_argument("the tensors are of another case");
  Verdict verdict = judge(memory.canonical(), memory.result());
  if (verdict.finding.empty()) {
    verdict.finding = memory.trespass();
    if (!verdict.finding.empty()) verdict.finding += conformance_note();
  }
  return verdict;
}

Verdict compare(const Case& c, const std::vector<std::byte>& elements) {
  const Canonical canonical = testing::canonical(c);
  return judge(canonical, {result_of(canonical).dtype, result_of(canonical).shape, elements});
}

std::vector<std::int64_t> result_shape(const Case& c) {
  const ref::Call& call = c.own().call;
  const auto slot = static_cast<std::size_t>(result_slot(call.op));
  return canonical_view(call.op, call.tensors[slot]).shape;
}

}  // namespace detail
}  // namespace gradproof::testing
