// Operators that coincide: a 2-D pool and a 3-D one of depth 1, adaptive windows that divide evenly
// and ordinary ones, and every operator that is told to change nothing.
#include <algorithm>

#include "acl/acl_base.h"
#include "props/cases/data/data.h"
#include "props/cases/shapes.h"
#include "props/judge/positions.h"
#include "props/properties/problem.h"

namespace gradproof::props {
namespace {

using Shape = std::vector<std::int64_t>;

bool is_empty(const ref::Call& call) {
  return element_count(call.tensors[input_side(call.op).front()].shape) == 0 ||
         element_count(call.tensors[output_side(call.op)].shape) == 0;
}

ref::Dense int32_dense(const Shape& shape, const std::vector<std::int64_t>& values) {
  ref::Dense dense{ACL_INT32, shape, std::vector<std::byte>(values.size() * 4)};
  set_values(dense, {values.begin(), values.end()});
  return dense;
}

Shape with_depth(Shape shape) {
  shape.insert(shape.end() - 2, 1);
  return shape;
}

/// The 3-D pool with a depth of 1 of a 2-D pool's call, all layouts plain.
Case deepened(const Case& c) {
  Case deep = blank_case(*traits(c.call.op).of_depth_1);
  ref::Call& call = deep.call;
  call.product = c.call.product;
  call.flags = c.call.flags;
  const std::int64_t depth[] = {1, 1, 0, 1};  // kernelSize, stride, padding, dilation
  for (std::size_t i = 0; i < 4; ++i) {
    const Shape& values = c.call.arrays[i].values;
    if (values.empty()) continue;
    call.arrays[i].values = {depth[i], spread(values, 0), spread(values, 1)};
  }
  const int indices = indices_slot(call.op);
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    ref::Tensor& t = call.tensors[slot];
    t.dtype = slot == indices ? indices_dtype(call.op) : c.call.tensors[slot].dtype;
    t.format = ACL_FORMAT_ND;
    reshape(t, with_depth(c.call.tensors[slot == indices ? output_side(c.call.op) : slot].shape));
  }
  return deep;
}

/// The case with parameters that change nothing, all layouts plain.
Case idle(const Case& c) {
  Case result = c;
  ref::Call& call = result.call;
  const Shape shape = call.tensors[input_side(call.op).front()].shape;
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::int_array) continue;
    Shape& values = call.arrays[p.slot].values;
    if (p.name == "kernelSize" || p.name == "stride" || p.name == "dilation")
      values = {1};
    else if (p.name == "padding")
      values.assign(accepted_lengths(call.op, p.name).front(), 0);
    else if (p.name == "outputSize")
      values.assign(
          shape.begin() + static_cast<std::ptrdiff_t>(first_spatial(call)),
          shape.begin() + static_cast<std::ptrdiff_t>(first_spatial(call)) + spatial_axes(call.op));
  }
  for (double& scale : call.reals) scale = c.seed % 2 == 0 ? 0 : 1;
  const int indices = indices_slot(call.op);
  if (indices >= 0 && ref::is_backward(call.op))
    result.fills[indices] = {Fill::Kind::forward, 0, 0};
  reshape(call.tensors[output_side(call.op)], shape);
  conform(call);
  make_plain(call);
  return result;
}

Verdict wrong_position(std::size_t at, std::int64_t got, std::int64_t due,
                       const std::string& where) {
  return Verdict::violated("positions", "the maximum of window " + std::to_string(at) +
                                            " is at position " + std::to_string(got) +
                                            ", expected " + std::to_string(due) + " (" + where +
                                            ")");
}

Verdict same_positions(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& due,
                       const std::string& where) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != due[i]) return wrong_position(i, got[i], due[i], where);
  }
  return {};
}

Verdict check_deep_forward(const Problem& flat, Problem deep, Bench& bench) {
  const int self = data_slot(flat.c.call.op), out = result_slot(flat.c.call.op),
            indices = indices_slot(flat.c.call.op);
  demand_decided_maxima(flat, bench);
  demand_decided_maxima(deep, bench);
  deep.data[self] = flat.data[self];
  deep.data[self].shape = deep.c.call.tensors[self].shape;
  const Run two = perform(flat, bench), three = perform(deep, bench);
  for (const Run* run : {&two, &three}) {
    if (!run->ran) return run->verdict;
  }
  Verdict verdict = same_values(flat.c.call.op, out, three.outputs[out], two.outputs[out],
                                "as a 2-D pool", "as a 3-D pool of depth 1");
  if (!verdict.held) return verdict;
  return same_positions(positions(flat.c.call, two.outputs[indices]),
                        positions(deep.c.call, three.outputs[indices]),
                        "that of the 3-D pool of depth 1");
}

}  // namespace

bool depth_applies(const Case& c) {
  return traits(c.call.op).of_depth_1.has_value() && can_be_exact(c) && !is_empty(c.call) &&
         is_plain(deepened(c));
}

Verdict check_depth(const Case& c, Bench& bench) {
  const int indices = indices_slot(c.call.op);
  Case flat_case = c;
  if (ref::is_backward(c.call.op))
    flat_case.fills[indices] = {Fill::Kind::forward, 0, 0};  // one bit a window
  const Problem flat = exact_problem(flat_case);
  Problem deep{deepened(c), std::vector<ref::Dense>(c.call.tensors.size())};
  if (!has_operator(bench, deep.c.call.op)) return lacks_operator(deep.c.call.op);
  if (!ref::is_backward(c.call.op)) return check_deep_forward(flat, std::move(deep), bench);
  const int gradient = data_slot(c.call.op);
  deep.data[gradient] = flat.data[gradient];
  deep.data[gradient].shape = deep.c.call.tensors[gradient].shape;
  deep.data[indices] =
      int32_dense(deep.c.call.tensors[indices].shape, positions(flat.c.call, flat.data[indices]));
  return same_results(flat, deep, "as a 3-D pool of depth 1", bench);
}

bool adaptive_division_applies(const Case& c) {
  if (!traits(c.call.op).of_windows || !can_be_exact(c) || is_empty(c.call)) return false;
  const Shape &in = c.call.tensors[input_side(c.call.op).front()].shape,
              &out = c.call.tensors[output_side(c.call.op)].shape;
  for (std::size_t a = in.size() - 3; a < in.size(); ++a) {
    if (in[a] % out[a] != 0) return false;
  }
  return true;
}

Verdict check_adaptive_division(const Case& c, Bench& bench) {
  const ref::Operator pool = *traits(c.call.op).of_windows;
  if (!has_operator(bench, pool)) return lacks_operator(pool);
  const Problem first = exact_problem(c);
  Problem second = first;
  second.c = blank_case(pool);
  second.c.call.product = c.call.product;
  second.c.call.tensors = first.c.call.tensors;  // the same ones, in the same order
  const Shape &in = c.call.tensors[input_side(c.call.op).front()].shape,
              &out = c.call.tensors[output_side(c.call.op)].shape;
  Shape extents;
  for (std::size_t a = in.size() - 3; a < in.size(); ++a) extents.push_back(in[a] / out[a]);
  ref::int_array(second.c.call, "kernelSize").values = extents;
  ref::int_array(second.c.call, "stride").values = extents;
  ref::int_array(second.c.call, "padding").values = {0};
  ref::int_array(second.c.call, "dilation").values = {1};
  return same_results(first, second, "as an ordinary pool whose windows tile the input", bench);
}

bool identity_applies(const Case& c) {
  return is_plain(c) && !is_empty(c.call) && can_be_exact(idle(c));
}

Verdict check_identity(const Case& c, Bench& bench) {
  const Problem problem = exact_problem(idle(c));
  const ref::Operator op = c.call.op;
  const Run run = perform(problem, bench);
  if (!run.ran) return run.verdict;
  Verdict verdict = same_values(op, result_slot(op), problem.data[data_slot(op)],
                                run.outputs[static_cast<std::size_t>(result_slot(op))],
                                "after an identity", "in the input");
  if (!verdict.held || !selects(op)) return verdict;
  std::vector<std::int64_t> due =
      positions(problem.c.call, run.outputs[static_cast<std::size_t>(indices_slot(op))]);
  const std::vector<std::int64_t> got = due;
  const std::int64_t plane = plane_elements(problem.c.call, output_side(op));
  for (std::size_t i = 0; i < due.size(); ++i) due[i] = static_cast<std::int64_t>(i) % plane;
  return same_positions(got, due, "the only element of the window");
}

}  // namespace gradproof::props
