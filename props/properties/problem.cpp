// Exact problems, and the comparison of their results.
#include "props/properties/problem.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "acl/acl_base.h"
#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/judge/numbers.h"
#include "props/judge/show.h"
#include "props/properties/same_bits.h"
#include "props/subject/step.h"
#include "ref/element.h"
#include "ref/operators.h"
#include "ref/scales.h"

namespace gradproof::props {
namespace {

/// Weights of an axis are multiples of 2⁻ᵏ⁻¹ for scales within 2^±k.
constexpr int kMostScaleBits = 4;
/// Terms below 16 with two such weights, all in one element: 2²⁴ units of the smallest product.
constexpr std::int64_t kMostWeightedTerms = std::int64_t{1} << (24 - 2 * (kMostScaleBits + 1) - 4);
/// Terms of at most 128.
constexpr std::int64_t kMostTerms = std::int64_t{1} << (24 - 7);

/// Whether aligned corners put every position at a multiple of 2⁻⁵.
bool few_bits_aligned(std::int64_t in, std::int64_t out) {
  return out == 1 || (in - 1) * 32 % (out - 1) == 0;
}

/// A scale that makes an axis' weights exact. Without `any`, one within the operators' documents:
/// the extents' own ratio, or a power of two that fits where scales count.
std::optional<double> exact_scale(const ref::Call& call, std::int64_t in, std::int64_t out,
                                  double scale, bool any) {
  const double natural = static_cast<double>(out) / static_cast<double>(in);
  const double wanted = std::log2(any && scale > 0 ? scale : natural);
  const double power =
      std::clamp(std::round(wanted), -double{kMostScaleBits}, double{kMostScaleBits});
  // Scales that are not positive stay as they are where the extents' own ratio will do.
  if (power == wanted) return scale > 0 ? std::exp2(power) : scale;
  if (any) return std::exp2(power);
  for (const double near : {power, power + 1}) {
    if (ref::uses_scales(call.product) && near <= 0 && ref::scale_fits(in, out, std::exp2(near)))
      return std::exp2(near);
  }
  return std::nullopt;
}

/// Replaces scales, and alignCorners where that is not enough. False if nothing makes the weights
/// exact without leaving the operators' documents, which a case that has left them need not mind.
bool make_weights_exact(ref::Call& call) {
  const std::size_t first = first_spatial(call);
  const auto extent = [&](int slot, std::size_t axis) {
    return call.tensors[slot].shape[first + axis];
  };
  const int in = input_side(call.op).front(), out = output_side(call.op);
  const bool aligned = few_bits_aligned(extent(in, 0), extent(out, 0)) &&
                       few_bits_aligned(extent(in, 1), extent(out, 1));
  if (call.flags[0] != 0 && aligned) return true;
  const bool any = !ref::scales_fit(call);
  std::optional<double> scales[2];
  for (std::size_t axis = 0; axis < 2; ++axis)
    scales[axis] = exact_scale(call, extent(in, axis), extent(out, axis), call.reals[axis], any);
  call.flags[0] = !scales[0] || !scales[1];
  if (call.flags[0] != 0) return aligned;
  for (std::size_t axis = 0; axis < 2; ++axis) call.reals[axis] = *scales[axis];
  return true;
}

bool same(long double a, long double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

bool has_small_sums(const Case& c) {
  if (!is_plain(c)) return false;
  const std::int64_t most = family(c.call.op).weighted ? kMostWeightedTerms : kMostTerms;
  return plane_elements(c.call, output_side(c.call.op)) <= most;
}

bool can_be_exact(const Case& c) {
  if (!has_small_sums(c)) return false;
  ref::Call call = c.call;
  return !family(c.call.op).weighted || make_weights_exact(call);
}

Problem integer_problem(const Case& c, double largest) {
  Case whole = c;
  const int indices = indices_slot(c.call.op);
  for (int slot = 0; slot < static_cast<int>(whole.fills.size()); ++slot) {
    whole.call.tensors[slot].null_data = false;
    if (slot != indices)
      whole.fills[slot] = {Fill::Kind::integers, largest, 0};
    else if (whole.fills[slot].kind == Fill::Kind::one_bad)
      whole.fills[slot] = {Fill::Kind::in_range, 0, 0};
  }
  std::vector<ref::Dense> data = make_data(whole);
  return {std::move(whole), std::move(data)};
}

Problem exact_problem(const Case& c, double largest) {
  if (!family(c.call.op).weighted) return integer_problem(c, largest);
  Case tame = c;
  make_weights_exact(tame.call);
  return integer_problem(tame, largest);
}

void make_plain(ref::Call& call) {
  for (ref::Tensor& t : call.tensors) {
    reshape(t, t.shape);
    t.shares = -1;
    t.shares_at = 0;
    t.null_data = false;
  }
}

void set_values(ref::Dense& tensor, const std::vector<long double>& values) {
  const std::int32_t type = ref::component_type(tensor.dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ref::store(tensor.bytes.data(), type, static_cast<std::int64_t>(i), values[i]);
  }
}

std::vector<long double> values_of(const ref::Dense& tensor) {
  const std::int32_t type = ref::component_type(tensor.dtype);
  std::vector<long double> values(tensor.bytes.size() /
                                  static_cast<std::size_t>(std::max(ref::dtype_size(type), 1)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = ref::load(tensor.bytes.data(), type, static_cast<std::int64_t>(i));
  }
  return values;
}

void make_distinct(ref::Dense& tensor, int plane_axes) {
  std::int64_t plane = 1;
  for (std::size_t a = tensor.shape.size() - static_cast<std::size_t>(plane_axes);
       a < tensor.shape.size(); ++a)
    plane *= tensor.shape[a];
  const std::int64_t size = ref::dtype_size(tensor.dtype);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(tensor.bytes.size()) / size; ++i) {
    // A prime factor, so that all residues differ; from plane to plane the order changes.
    const std::int64_t number = (i % plane * 7919 + i / plane * 101) % kMostDistinct;
    // As bits, every number below 31744 is a finite positive value of both 16-bit types.
    if (size == 2)
      ref::store(tensor.bytes.data(), ACL_INT16, i, static_cast<long double>(number));
    else
      ref::store(tensor.bytes.data(), tensor.dtype, i, static_cast<long double>(number));
  }
}

Case forward_of(const Case& backward) {
  const ref::Call& from = backward.call;
  Case c = blank_case(*ref::companion(from.op));
  ref::Call& call = c.call;
  call.product = from.product;
  call.flags = from.flags;
  call.reals = from.reals;
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::int_array) continue;
    if (has_parameter(from.op, p.name)) {
      call.arrays[p.slot] = ref::int_array(from, p.name);
    } else {  // outputSize, where the gradient's tensor alone says it
      const std::vector<std::int64_t>& pooled = from.tensors[output_side(from.op)].shape;
      call.arrays[p.slot].values.assign(pooled.end() - spatial_axes(from.op), pooled.end());
    }
  }
  const auto copy = [&](int to, int slot) { call.tensors[to] = from.tensors[slot]; };
  copy(input_side(call.op).front(), input_side(from.op).front());
  copy(output_side(call.op), output_side(from.op));
  if (indices_slot(call.op) >= 0) copy(indices_slot(call.op), indices_slot(from.op));
  make_plain(call);
  c.seed = backward.seed;
  return c;
}

int result_slot(ref::Operator op) {
  return ref::is_backward(op) ? input_side(op).back() : output_side(op);
}

std::int64_t plane_elements(const ref::Call& call, int slot) {
  const std::size_t first = first_spatial(call);
  std::int64_t count = 1;
  for (int a = 0; a < spatial_axes(call.op); ++a)
    count *= call.tensors[slot].shape[first + static_cast<std::size_t>(a)];
  return count;
}

std::int32_t result_type(const ref::Call& call) {
  return ref::Evaluation(call, {}).result_type(result_slot(call.op));
}

int precision(std::int32_t real_type) {
  if (real_type == ACL_BF16) return 8;
  if (real_type == ACL_FLOAT16) return 11;
  return real_type == ACL_DOUBLE ? 53 : 24;
}

std::vector<ref::Exact> reference(const ref::Call& call, std::span<const ref::Dense> inputs,
                                  int slot, const ref::Numerics& numerics) {
  const ref::Evaluation evaluation(call, inputs, numerics);
  const ref::Tensor& output = call.tensors[slot];
  const std::int64_t parts = ref::components(output.dtype);
  std::vector<ref::Exact> result(static_cast<std::size_t>(element_count(output) * parts));
  for (std::int64_t p = 0; p < evaluation.plane_count(slot); ++p) {
    const ref::Plane plane = evaluation.plane(slot, p);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      result[static_cast<std::size_t>((plane.first + at / parts * plane.step) * parts +
                                      at % parts)] = plane.values[i];
    }
  }
  return result;
}

namespace {

/// Properties that compare results with each other assume that sums are exact (problem.h). Throws
/// NotJudged where the profile has them formed in a type in which they need not be.
void demand_exact_sums(const Problem& problem, const ref::Numerics& numerics, const Bench& bench) {
  if (numerics.accumulation == ref::kDtypeUndefined) return;
  const ref::Call& call = problem.c.call;
  if (!ref::is_backward(call.op) && !family(call.op).weighted) return;
  const int slot = data_slot(call.op);
  long double largest = 0;
  for (const long double v : values_of(problem.data[static_cast<std::size_t>(slot)]))
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  const long double most = largest * static_cast<long double>(plane_elements(call, slot));
  const bool weighted = family(call.op).weighted;
  if (!weighted && most <= std::ldexp(1.0L, precision(numerics.accumulation))) return;
  throw profiles::NotJudged{"sums in " + ref::dtype_name(numerics.accumulation) +
                            " may be inexact, by profile " + bench.use->profile().name};
}

/// Likewise, where a profile leaves scales out that the problem was made with.
void demand_scales(const Problem& problem, const ref::Numerics& numerics, const Bench& bench) {
  const ref::Call& call = problem.c.call;
  for (std::size_t axis = 0; axis < call.reals.size(); ++axis) {
    if (ref::scale_in_effect(call, axis) == ref::scale_in_effect(call, axis, numerics.scales))
      continue;
    throw profiles::NotJudged{"weights may be inexact without their scales, by profile " +
                              bench.use->profile().name};
  }
}

/// Likewise, where a profile says how coordinates are computed. They are exact, in whatever way, if
/// an axis keeps its extent, or if the step between them is a power of two. The weights of a single
/// element need only add up to 1.
void demand_exact_steps(const Problem& problem, const ref::Numerics& numerics, const Bench& bench) {
  const ref::Call& call = problem.c.call;
  if (!family(call.op).weighted || numerics.coordinates == ref::kDtypeUndefined) return;
  const ref::Images im = ref::images(call, 0);
  const std::pair<std::int64_t, std::int64_t> axes[] = {{im.in_h, im.out_h}, {im.in_w, im.out_w}};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto [in, out] = axes[axis];
    const double step =
        ref::axis_step(in, out, call.flags[0] != 0, ref::scale_in_effect(call, axis));
    int exponent = 0;
    const bool power = std::frexp(step, &exponent) == 0.5 || step == 0;
    if (in == out || (in > 1 && power)) continue;
    throw profiles::NotJudged{"weights may be inexact as coordinates are computed, by profile " +
                              bench.use->profile().name};
  }
}

}  // namespace

void demand_decided_maxima(const Problem& problem, Bench& bench) {
  const ref::Call& call = problem.c.call;
  if (indices_slot(call.op) < 0 || ref::is_backward(call.op)) return;
  const ref::Numerics numerics = bench.terms(call).numerics;
  if (numerics.ties == ref::Winner::first && numerics.nans == ref::Winner::first) return;
  throw profiles::NotJudged{"it is unspecified which of several maxima is reported, by profile " +
                            bench.use->profile().name};
}

void note(const Case& c, Bench& bench) {
  if (bench.shown == nullptr) return;
  note_call(to_text(c));
  bench.shown->made.push_back(c);
}

Run perform(const Problem& problem, Bench& bench) {
  const ref::Numerics numerics = bench.terms(problem.c.call).numerics;
  demand_exact_sums(problem, numerics, bench);
  demand_scales(problem, numerics, bench);
  demand_exact_steps(problem, numerics, bench);
  note(problem.c, bench);
  Outcome outcome = bench.session.perform(problem.c, problem.data);
  if (!outcome.phase1.failure.empty())
    return {false, Verdict::violated("runtime", outcome.phase1.failure), {}};
  if (Verdict failed = call_succeeded(outcome); !failed.held || !failed.checked) {
    failed.finding += "\n  call: " + to_text(problem.c);
    return {false, std::move(failed), {}};
  }
  show(problem, outcome.outputs, bench);
  return {true, {}, std::move(outcome.outputs)};
}

void show(const Problem& problem, const std::vector<ref::Dense>& outputs, Bench& bench) {
  if (bench.shown == nullptr || !can_be_pictured(problem.c)) return;
  std::ostringstream out;
  out << "call: " << to_text(problem.c) << '\n';
  print_inputs(out, problem.c, problem.data);
  print_expected(out, problem.c, problem.data);
  print_got(out, problem.c, problem.data, outputs, bench.terms(problem.c.call).numerics);
  bench.shown->picture += out.str();
}

void show_own(const Case& c, const std::vector<ref::Dense>& data, const Outcome& outcome,
              Bench& bench) {
  if (bench.shown == nullptr) return;
  std::ostringstream out;
  print_inputs(out, c, data);
  print_expected(out, c, data);
  print_got(out, c, data, outcome.outputs, bench.terms(c.call).numerics);
  bench.shown->picture += out.str();
}

bool has_operator(const Bench& bench, ref::Operator op) {
  return bench.session.library().entry(op).run != nullptr;
}

Verdict lacks_operator(ref::Operator op) {
  return Verdict::not_checked("compares with " + std::string(ref::signature(op).api) +
                              ", which the library need not have");
}

Verdict same_values(ref::Operator op, int slot, const ref::Dense& expected, const ref::Dense& got,
                    const std::string& manner, const std::string& otherwise) {
  if (expected.bytes == got.bytes) return {};
  const std::int32_t type = ref::component_type(got.dtype);
  const std::int64_t count =
      static_cast<std::int64_t>(got.bytes.size()) / std::max(ref::dtype_size(type), 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const long double due = ref::load(expected.bytes.data(), type, i),
                      is = ref::load(got.bytes.data(), type, i);
    if (same(due, is)) continue;
    return Verdict::violated("values", std::string(tensor_name(op, slot)) +
                                           coordinates(i / ref::components(got.dtype), got.shape) +
                                           " is " + number(is, type) + " " + manner + ", but " +
                                           number(due, type) + " " + otherwise);
  }
  return {};
}

Verdict same_results(const Problem& first, const Problem& second, const std::string& manner,
                     Bench& bench) {
  demand_decided_maxima(first, bench);
  demand_decided_maxima(second, bench);
  const Run before = perform(first, bench);
  if (!before.ran) return before.verdict;
  const Run after = perform(second, bench);
  if (!after.ran) return after.verdict;
  for (std::size_t slot = 0; slot < before.outputs.size(); ++slot) {
    Verdict verdict = same_values(second.c.call.op, static_cast<int>(slot), before.outputs[slot],
                                  after.outputs[slot], manner);
    if (!verdict.held) return verdict;
  }
  return {};
}

}  // namespace gradproof::props
