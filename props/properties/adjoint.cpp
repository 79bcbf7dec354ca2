// Gradients against forwards: a gradient is the transpose of its forward, where pools keep the
// choice that the forward made. Once with the library's own forward, once with the reference's, by
// central differences along a random direction. Sums of whole numbers are compared exactly, but for
// what results lose that the type cannot hold.
#include <cmath>

#include "acl/acl_base.h"
#include "props/cases/data/data.h"
#include "props/cases/data/fill.h"
#include "props/cases/hash.h"
#include "props/cases/shapes.h"
#include "props/judge/numbers.h"
#include "props/properties/problem.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

using Values = std::vector<long double>;

/// Another tensor's whole numbers in [−2, 2].
ref::Dense integers(const ref::Tensor& like, std::uint64_t seed) {
  const std::int64_t count = *element_count(like.shape);
  ref::Dense dense{
      like.dtype, like.shape,
      std::vector<std::byte>(static_cast<std::size_t>(count * ref::dtype_size(like.dtype)))};
  fill_reals({Fill::Kind::integers, 2, 0}, Stream(seed, 77), ref::component_type(like.dtype),
             dense.bytes.data(), count * ref::components(like.dtype));
  return dense;
}

long double dot(const Values& a, const Values& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// What rounding of the gradients may take from their product with x.
long double slack(const Values& gradient, const Values& x, std::int32_t type) {
  const long double unit = std::ldexp(1.0L, -precision(type));
  long double sum = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::fabs(gradient[i]) * unit > 1) sum += std::fabs(gradient[i] * x[i]) * unit;
  }
  return sum;
}

Verdict judge(const ref::Call& call, const Run& run, const Values& x, long double due,
              const std::string& meaning) {
  const Values gradient = values_of(run.outputs[static_cast<std::size_t>(result_slot(call.op))]);
  const long double got = dot(gradient, x);
  if (std::fabs(got - due) <= slack(gradient, x, result_type(call))) return {};
  return Verdict::violated("transpose", "the inner product of the gradient and x is " +
                                            number(got, ACL_DOUBLE) + ", but " + meaning + " is " +
                                            number(due, ACL_DOUBLE));
}

/// Whether there is a forward, and products of its results and the gradients are exact.
bool exact_gradient(const Case& c) {
  if (!ref::is_backward(c.call.op) || !ref::companion(c.call.op) || !can_be_exact(c)) return false;
  return !family(c.call.op).weighted || c.call.tensors[0].dtype == ACL_FLOAT;
}

/// Gives a gradient these indices, in a layout that can hold any.
void set_indices(Problem& problem, ref::Dense indices) {
  const int slot = indices_slot(problem.c.call.op);
  reshape(problem.c.call.tensors[slot], problem.c.call.tensors[slot].shape);
  problem.data[slot] = std::move(indices);
}

}  // namespace

bool adjoint_applies(const Case& c) { return exact_gradient(c); }

Verdict check_adjoint(const Case& c, Bench& bench) {
  Problem backward = exact_problem(c);
  const ref::Operator op = c.call.op, forward_op = *ref::companion(op);
  if (!has_operator(bench, forward_op)) return lacks_operator(forward_op);
  Problem forward{forward_of(backward.c), {}};
  forward.data.resize(forward.c.call.tensors.size());
  const ref::Dense x = integers(forward.c.call.tensors[0], c.seed);
  forward.data[0] = x;
  Run out = perform(forward, bench);
  if (!out.ran) return out.verdict;
  if (indices_slot(op) >= 0)
    set_indices(backward,
                std::move(out.outputs[static_cast<std::size_t>(indices_slot(forward_op))]));
  const Run gradient = perform(backward, bench);
  if (!gradient.ran) return gradient.verdict;
  const long double due =
      dot(values_of(out.outputs[static_cast<std::size_t>(output_side(forward_op))]),
          values_of(backward.data[data_slot(op)]));
  return judge(backward.c.call, gradient, values_of(x), due,
               "that of the forward and the input gradients");
}

// The reference's forward decides for the first of equal maxima; there are none to decide between.
bool differences_apply(const Case& c) {
  if (!exact_gradient(c)) return false;
  return indices_slot(c.call.op) < 0 ||
         plane_elements(c.call, input_side(c.call.op).front()) <= kMostDistinct;
}

Verdict check_differences(const Case& c, Bench& bench) {
  Problem backward = exact_problem(c);
  Case forward = forward_of(backward.c);
  ref::Tensor& self = forward.call.tensors[0];
  const bool pool = indices_slot(c.call.op) >= 0;
  // No library sees x, so it may have more bits than the gradients.
  if (pool) self.dtype = forward.call.tensors[1].dtype = ACL_FLOAT;
  ref::Dense x = integers(self, c.seed + 1);
  const Values direction = values_of(integers(self, c.seed));
  if (pool) {
    make_distinct(x, spatial_axes(c.call.op));
    set_indices(backward, ref::forward_indices(backward.c.call, x));
  }
  const Run gradient = perform(backward, bench);
  if (!gradient.ran) return gradient.verdict;

  const Values g = values_of(backward.data[data_slot(c.call.op)]), at = values_of(x);
  // Maxima differ by 1 at least, so steps of 2·⅛ on either side change no choice.
  const auto loss = [&](long double step) {
    Values moved = at;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * direction[i];
    std::vector<ref::Dense> inputs(3);
    inputs[0] = x;
    set_values(inputs[0], moved);
    Values out;
    for (const ref::Exact& e : reference(forward.call, inputs, output_side(forward.call.op)))
      out.push_back(e.value);
    return dot(out, g);
  };
  const long double slope = (loss(0.125L) - loss(-0.125L)) * 4;
  return judge(backward.c.call, gradient, direction, slope,
               "the central difference of the forward along x");
}

}  // namespace gradproof::props
