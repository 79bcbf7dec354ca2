// Types: FLOAT16 and BF16 have the result of FLOAT, rounded once at the end. Data are positive,
// take all bits of the type, and their sums are exact in FLOAT: so intermediate roundings show (256
// + 1 stays 256 in BF16), and many results lie halfway between two numbers of the type.
#include <algorithm>
#include <cmath>

#include "acl/acl_base.h"
#include "props/cases/shapes.h"
#include "props/properties/problem.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// The largest whole number that all sums of a plane leave exact in FLOAT.
double largest_datum(const Case& c) {
  if (family(c.call.op).weighted) return 15;
  const double of_type = std::exp2(precision(c.call.tensors[0].dtype)) - 1;
  const auto terms = static_cast<double>(plane_elements(c.call, output_side(c.call.op)));
  return std::min(of_type, std::floor(0x1p24 / std::max(terms, 1.0)));
}

}  // namespace

bool low_precision_applies(const Case& c) {
  const std::int32_t type = c.call.tensors[0].dtype;
  return (type == ACL_FLOAT16 || type == ACL_BF16) && can_be_exact(c);
}

Verdict check_low_precision(const Case& c, Bench& bench) {
  const std::int32_t type = c.call.tensors[0].dtype;
  const int slot = data_slot(c.call.op);
  Problem low = exact_problem(c, largest_datum(c));
  std::vector<long double> values = values_of(low.data[slot]);
  for (long double& v : values) v = std::fabs(v);
  set_values(low.data[slot], values);

  Problem wide = low;
  make_plain(wide.c.call);
  for (ref::Tensor& t : wide.c.call.tensors) {
    if (t.dtype == type) t.dtype = ACL_FLOAT;
  }
  ref::Dense& widened = wide.data[slot];
  widened.dtype = ACL_FLOAT;
  widened.bytes.resize(values.size() * 4);
  set_values(widened, values);

  demand_decided_maxima(low, bench);
  const Run got = perform(low, bench), due = perform(wide, bench);
  for (const Run* run : {&got, &due}) {
    if (!run->ran) return run->verdict;
  }
  for (int out = 0; out < static_cast<int>(got.outputs.size()); ++out) {
    ref::Dense expected = got.outputs[out];
    if (!expected.bytes.empty()) set_values(expected, values_of(due.outputs[out]));  // rounds
    Verdict verdict = same_values(c.call.op, out, expected, got.outputs[out],
                                  "in " + ref::dtype_name(type), "in FLOAT, rounded once");
    if (!verdict.held) return verdict;
  }
  return {};
}

}  // namespace gradproof::props
