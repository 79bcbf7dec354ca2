// Reach: what an element of a result depends on. NaN and infinities are the probes, because no
// weight, no sum and no rounding makes them disappear.
#include <cmath>
#include <limits>

#include "acl/acl_base.h"
#include "props/cases/hash.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/judge/numbers.h"
#include "props/properties/problem.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

Verdict violated(const ref::Call& call, int slot, const ref::Dense& output, std::size_t i,
                 long double got, const std::string& what, long double expected,
                 const std::string& why = "") {
  const std::int64_t element = static_cast<std::int64_t>(i) / ref::components(output.dtype);
  const auto in_words = [&](long double value) {  // the sign of a NaN means nothing
    return std::isnan(value) ? "NaN" : number(value, ref::component_type(output.dtype));
  };
  return Verdict::violated(
      "reach", std::string(tensor_name(call.op, slot)) + coordinates(element, output.shape) +
                   ": got " + in_words(got) + ", " + what + " " + in_words(expected) + why);
}

/// Whether the profile's arithmetic allows the element any number, or the NaN that it is.
bool is_open(const ref::Numerics& numerics, const ref::Exact& exact, long double got) {
  if (numerics.coordinates != ref::kDtypeUndefined && exact.near_non_finite) return true;
  return numerics.zero_times_infinity && std::isnan(got) &&
         (exact.zero_non_finite || std::isinf(exact.value));
}

}  // namespace

bool support_applies(const Case& c) { return ref::is_backward(c.call.op) && is_plain(c); }

Verdict check_support(const Case& c, Bench& bench) {
  Problem problem = integer_problem(c, 1);
  ref::Dense& gradient = problem.data[data_slot(c.call.op)];
  set_values(gradient, std::vector<long double>(values_of(gradient).size(), kNan));
  const Run run = perform(problem, bench);
  if (!run.ran) return run.verdict;
  const int slot = result_slot(c.call.op);
  const ref::Dense& output = run.outputs[static_cast<std::size_t>(slot)];
  const std::vector<long double> values = values_of(output);
  const ref::Numerics numerics = bench.terms(c.call).numerics;
  const std::vector<ref::Exact> exact = reference(problem.c.call, problem.data, slot, numerics);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_open(numerics, exact[i], values[i])) continue;
    if (exact[i].terms > 0 && !std::isnan(values[i])) {
      return violated(c.call, slot, output, i, values[i], "exact", kNan, ": a NaN is added to it");
    }
    if (exact[i].terms == 0 && values[i] != 0)
      return violated(c.call, slot, output, i, values[i], "exact", 0,
                      ": all gradients are NaN, but none has a weight above 0 here");
  }
  return {};
}

// Which of several maxima is taken where there is a NaN is decided for all pools but the mask pool,
// whose forward gets +Inf alone.
bool special_values_apply(const Case& c) {
  return has_small_sums(c) && element_count(c.call.tensors[data_slot(c.call.op)].shape) > 0;
}

Verdict check_special_values(const Case& c, Bench& bench) {
  const int in = data_slot(c.call.op), slot = result_slot(c.call.op);
  Problem before = integer_problem(c, 8);
  ref::Tensor& view = before.c.call.tensors[in];
  reshape(view, view.shape);  // elements that share memory would all become special
  Problem after = before;
  std::vector<long double> values = values_of(before.data[in]);
  const std::uint64_t random = Stream(c.seed, in).at(-1);
  const long double planted[] = {kInfinity, kNan, -kInfinity};
  const std::size_t kinds = selects(c.call.op) && !family(c.call.op).takes_nan ? 1 : 3;
  values[below(random, values.size())] = planted[random % kinds];
  set_values(after.data[in], values);

  const Run without = perform(before, bench), with = perform(after, bench);
  for (const Run* run : {&without, &with}) {
    if (!run->ran) return run->verdict;
  }
  const ref::Dense& output = with.outputs[static_cast<std::size_t>(slot)];
  const std::vector<long double> old = values_of(without.outputs[static_cast<std::size_t>(slot)]),
                                 now = values_of(output);
  const ref::Numerics numerics = bench.terms(c.call).numerics;
  const std::vector<ref::Exact> exact = reference(after.c.call, after.data, slot, numerics);
  const bool chosen = selects(c.call.op);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (is_open(numerics, exact[i], now[i])) continue;
    const long double due = exact[i].value;
    if (std::isnan(due) ? !std::isnan(now[i]) : std::isinf(due) && now[i] != due) {
      return violated(c.call, slot, output, i, now[i], "exact", due);
    }
    // A maximum that became −Inf leaves its place to another one; everything else stays as it was.
    if (std::isfinite(due) && now[i] != (chosen ? due : old[i])) {
      return violated(c.call, slot, output, i, now[i], chosen ? "exact" : "before",
                      chosen ? due : old[i], ": a special value was put elsewhere");
    }
  }
  return {};
}

}  // namespace gradproof::props
