// Gradient sums: every gradient only distributes what it is given, so in each
// (n, c) plane the sum of gradInput is the sum of gradOutput.
//
// Independent of the reference: checked with gradients of −1, 0 and 1, whose sums stay exact, and
// for pools with the forward's own indices, so that every gradient has exactly one place to go.
// Cropping padding loses nothing either: the gradient of a cropped plane is smaller to begin with.
#include <cmath>

#include "acl/acl_base.h"
#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/cases/overlap.h"
#include "props/cases/shapes.h"
#include "props/judge/numbers.h"
#include "props/properties/problem.h"
#include "props/properties/same_bits.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// Sums of one plane of one tensor, by component of the element.
struct Sums {
  long double value[2] = {0, 0};
  long double magnitude[2] = {0, 0};
  long double inexact[2] = {0, 0};  ///< Σ|v| of the values too large to be surely exact
};

/// Bits of precision of the type that a gradient is rounded to.
int precision(const ref::Call& call, std::int32_t type) {
  const bool through_half = traits(call.op).through_half == call.product;
  if (type == ACL_BF16) return 8;
  if (type == ACL_FLOAT16 || through_half) return 11;
  return type == ACL_DOUBLE ? 53 : 24;
}

/// Planes in row-major order of (n, c).
std::vector<Sums> sums(const ref::Call& call, int slot, const ref::Dense& dense) {
  const std::size_t axes = dense.shape.size(),
                    spatial = static_cast<std::size_t>(spatial_axes(call.op));
  const bool by_pixel = channels_last(call.op, call.tensors[slot]);
  std::int64_t planes = 1, extent = 1, batch = 1;
  if (by_pixel) {
    batch = dense.shape[0];
    extent = dense.shape[1] * dense.shape[2];
    planes = batch * dense.shape[3];
  } else {
    for (std::size_t axis = 0; axis < axes; ++axis)
      (axis < axes - spatial ? planes : extent) *= dense.shape[axis];
  }
  const std::int32_t type = ref::component_type(dense.dtype);
  const int parts = ref::components(dense.dtype);
  const long double surely_exact = std::ldexp(1.0L, precision(call, type));
  const std::int64_t channels = by_pixel ? dense.shape[3] : 1;
  std::vector<Sums> result(static_cast<std::size_t>(planes));
  for (std::int64_t i = 0; i < planes * extent; ++i) {
    const std::int64_t plane =
        by_pixel ? i / (extent * channels) * channels + i % channels : i / extent;
    for (int part = 0; part < parts; ++part) {
      const long double v = ref::load(dense.bytes.data(), type, i * parts + part);
      Sums& sum = result[static_cast<std::size_t>(plane)];
      sum.value[part] += v;
      sum.magnitude[part] += std::fabs(v);
      if (std::fabs(v) > surely_exact) sum.inexact[part] += std::fabs(v);
    }
  }
  return result;
}

/// What may be lost between the two sums.
long double slack(const ref::Call& call, const Sums& in, const Sums& out, int part,
                  std::int64_t terms) {
  const std::int32_t type = ref::component_type(call.tensors[0].dtype);
  const long double rounding = std::ldexp(1.0L, -precision(call, type));
  if (!family(call.op).weighted) return rounding * out.inexact[part];
  // Weights are no whole numbers: every result is rounded, and so is every weight, product and sum.
  const long double u = std::ldexp(1.0L, -24);
  const auto n = static_cast<long double>(terms + 3);
  return rounding * out.magnitude[part] + n * u / (1 - n * u) * in.magnitude[part] +
         static_cast<long double>(terms) * std::ldexp(1.0L, -24);
}

}  // namespace

bool gradient_sum_applies(const Case& c) { return ref::is_backward(c.call.op) && is_plain(c); }

Verdict check_gradient_sum(const Case& c, Bench& bench) {
  Case whole = c;
  const int in_slot = 0, out_slot = static_cast<int>(c.call.tensors.size()) - 1;
  whole.fills[in_slot] = {Fill::Kind::integers, 1, 0};
  for (int slot = 0; slot < static_cast<int>(c.call.tensors.size()); ++slot) {
    whole.call.tensors[slot].null_data = false;
    if (tensor_name(c.call.op, slot) == "indices") whole.fills[slot] = {Fill::Kind::forward, 0, 0};
    if (tensor_name(c.call.op, slot) == "self") whole.fills[slot] = {};
  }
  const ref::Numerics numerics = bench.terms(whole.call).numerics;
  if (numerics.accumulation != ref::kDtypeUndefined || numerics.coordinates == ref::kFloat)
    throw profiles::NotJudged{"sums or weights are rounded differently, by profile " +
                              bench.use->profile().name};
  const int indices = indices_slot(c.call.op);
  if (numerics.drops_out_of_window && indices >= 0 && may_overlap(whole.call.tensors[indices]))
    throw profiles::NotJudged{"windows share an index that is outside some of them, by profile " +
                              bench.use->profile().name};
  const Problem problem{whole, make_data(whole)};
  const std::vector<ref::Dense>& data = problem.data;
  note(whole, bench);
  const Outcome outcome = bench.session.perform(whole, data);
  if (!outcome.phase1.failure.empty()) return Verdict::violated("runtime", outcome.phase1.failure);
  if (Verdict failed = call_succeeded(outcome); !failed.held || !failed.checked) return failed;
  show(problem, outcome.outputs, bench);
  const std::vector<Sums> in = sums(whole.call, in_slot, data[in_slot]);
  const std::vector<Sums> out = sums(whole.call, out_slot, outcome.outputs[out_slot]);
  const std::int32_t type = ref::component_type(whole.call.tensors[in_slot].dtype);
  const std::int64_t terms = in.empty() ? 0
                                        : element_count(whole.call.tensors[in_slot]) /
                                              static_cast<std::int64_t>(in.size());
  for (std::size_t plane = 0; plane < in.size() && plane < out.size(); ++plane) {
    for (int part = 0; part < ref::components(whole.call.tensors[in_slot].dtype); ++part) {
      const long double difference = out[plane].value[part] - in[plane].value[part];
      if (std::fabs(difference) <= slack(whole.call, in[plane], out[plane], part, terms)) continue;
      return Verdict::violated("sum", "plane " + std::to_string(plane) + ": " +
                                          std::string(tensor_name(whole.call.op, out_slot)) +
                                          " sums to " + number(out[plane].value[part], type) +
                                          ", but " +
                                          std::string(tensor_name(whole.call.op, in_slot)) +
                                          " to " + number(in[plane].value[part], type));
    }
  }
  return {};
}

}  // namespace gradproof::props
