// Linearity: gradients are linear in the gradients that come in, and so are upsampling and padding
// in their images. Whole numbers, so that combinations have no rounding; but for results that the
// type cannot hold, which are left out. Upsampling only in FLOAT: its fractions would not fit fewer
// bits.
#include <cmath>

#include "acl/acl_base.h"
#include "props/cases/shapes.h"
#include "props/properties/problem.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// Compares the results of two runs value by value; `due` is given the first's value and may
/// decline.
template <class Due>
Verdict compare(const ref::Call& call, const Run& first, const Run& second, const Due& due,
                const std::string& manner, const std::string& otherwise) {
  const auto slot = static_cast<std::size_t>(result_slot(call.op));
  ref::Dense expected = second.outputs[slot];
  std::vector<long double> values = values_of(expected);
  const std::vector<long double> before = values_of(first.outputs[slot]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const std::optional<long double> v = due(i, before[i])) values[i] = *v;
  }
  set_values(expected, values);
  return same_values(call.op, result_slot(call.op), expected, second.outputs[slot], manner,
                     otherwise);
}

}  // namespace

bool linearity_applies(const Case& c) {
  if (!traits(c.call.op).linear || !can_be_exact(c)) return false;
  return !family(c.call.op).weighted || c.call.tensors[0].dtype == ACL_FLOAT;
}

Verdict check_linearity(const Case& c, Bench& bench) {
  const int slot = data_slot(c.call.op);
  const Problem x = exact_problem(c);
  Case other = c;
  ++other.seed;
  Problem y = x, combined = x;
  y.data[slot] = exact_problem(other).data[slot];
  std::vector<long double> values = values_of(x.data[slot]);
  const std::vector<long double> subtracted = values_of(y.data[slot]);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 2 * values[i] - 3 * subtracted[i];
  set_values(combined.data[slot], values);

  const Run fx = perform(x, bench), fy = perform(y, bench), both = perform(combined, bench);
  for (const Run* run : {&fx, &fy, &both}) {
    if (!run->ran) return run->verdict;
  }
  const std::int32_t type = result_type(x.c.call);
  const long double exact_below = std::ldexp(1.0L, precision(type));
  const std::vector<long double> y_values =
      values_of(fy.outputs[static_cast<std::size_t>(result_slot(c.call.op))]);
  const auto due = [&](std::size_t i, long double v) -> std::optional<long double> {
    if (std::fabs(v) >= exact_below || std::fabs(y_values[i]) >= exact_below) return std::nullopt;
    return ref::round_to(type, 2 * v - 3 * y_values[i]);
  };
  return compare(c.call, fx, both, due, "for 2x - 3y", "by linearity");
}

// Any weights; but results that are subnormal, or not finite when scaled, follow other rules.
bool powers_of_two_apply(const Case& c) { return is_plain(c); }

Verdict check_powers_of_two(const Case& c, Bench& bench) {
  const int slot = data_slot(c.call.op);
  const Problem first = integer_problem(c, 1000);
  Problem scaled = first;
  std::vector<long double> values = values_of(first.data[slot]);
  for (long double& v : values) v *= 8;
  set_values(scaled.data[slot], values);
  const Run before = perform(first, bench), after = perform(scaled, bench);
  for (const Run* run : {&before, &after}) {
    if (!run->ran) return run->verdict;
  }
  const std::int32_t type = result_type(c.call);
  const long double least = type == ACL_FLOAT16 ? 0x1p-14L : 0x1p-100L,
                    most = type == ACL_FLOAT16 ? 65504 : 0x1p100L;
  const auto due = [&](std::size_t, long double v) -> std::optional<long double> {
    if (v != 0 ? std::fabs(v) < least || std::fabs(v) * 8 > most : type == ACL_FLOAT16)
      return std::nullopt;
    return 8 * v;
  };
  return compare(c.call, before, after, due, "for 8x", "as 8 times the result for x");
}

}  // namespace gradproof::props
