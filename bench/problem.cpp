// Makes and checks the data of a configuration.
#include "bench/problem.h"

#include <algorithm>
#include <stdexcept>

#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/judge/compare.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "ref/types.h"
#include "ref/windows.h"

namespace gradproof::bench {
namespace {

using Extents = std::vector<std::int64_t>;

/// A dense description of a view's shape.
ref::Tensor dense(ref::Tensor tensor) {
  tensor.strides = ref::contiguous_strides(tensor.shape);
  tensor.storage = tensor.shape;
  return tensor;
}

/// The forward of a pooling gradient, on dense tensors.
props::Case forward_of(const Problem& problem) {
  const ref::Call& gradient = problem.call;
  props::Case c = props::blank_case(*ref::companion(gradient.op));
  const bool adaptive = gradient.op == ref::Operator::adaptive_max_pool3d_backward;
  ref::tensor(c.call, "self") = dense(ref::tensor(gradient, "self"));
  ref::tensor(c.call, adaptive ? "outputOut" : "out") = dense(ref::tensor(gradient, "gradOutput"));
  ref::tensor(c.call, adaptive ? "indicesOut" : "indices") =
      dense(ref::tensor(gradient, "indices"));
  if (adaptive)
    ref::int_array(c.call, "outputSize").values = problem.configuration.output;
  else
    c.call.arrays = gradient.arrays;
  c.fills[0] = {props::Fill::Kind::uniform, -1, 1};
  return c;
}

void add_indices(Problem& problem, props::Session& session) {
  const props::Case forward = forward_of(problem);
  std::vector<ref::Dense> data = props::make_data(forward);
  props::Outcome outcome = session.perform(forward, data);
  const props::Phase1& phase1 = outcome.phase1;
  if (phase1.status != 0 || !phase1.failure.empty() || outcome.phase2 != 0 || outcome.sync != 0)
    throw std::runtime_error(problem.configuration.name + ": the forward failed: " +
                             phase1.message + phase1.failure + outcome.message);
  problem.self = std::move(data[0]);
  problem.data[ref::slot(problem.call.op, "indices")] = std::move(outcome.outputs[2]);
}

double bytes_of(const ref::Tensor& tensor) {
  return static_cast<double>(props::element_count(tensor) * ref::dtype_size(tensor.dtype));
}

double bytes_of_mask(const ref::Tensor& mask, const ref::Tensor& pooled) {
  const Extents& p = pooled.shape;
  const std::int64_t groups = (p[1] + 15) / 16, positions = p[2] * p[3];
  return static_cast<double>(p[0] * groups * mask.shape[2] * positions * 2);
}

void count(Problem& problem) {
  const ref::Call& call = problem.call;
  const ref::Tensor& gradient = call.tensors[0];
  problem.bytes_read = bytes_of(gradient);
  problem.bytes_written = bytes_of(call.tensors[problem.output_slot()]);
  const auto terms = static_cast<double>(props::element_count(gradient));
  problem.additions = terms;
  if (call.op == ref::Operator::upsample_bilinear2d_backward) problem.additions = 8 * terms;
  if (call.op == ref::Operator::max_pool2d_with_mask_backward)
    problem.bytes_read += bytes_of_mask(ref::tensor(call, "indices"), gradient);
  else if (!problem.self.bytes.empty())
    problem.bytes_read += bytes_of(ref::tensor(call, "indices"));
}

}  // namespace

int Problem::output_slot() const {
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.access == ref::Access::written) return p.slot;
  }
  return -1;
}

Problem make_problem(const Configuration& configuration, std::int32_t type,
                     props::Session& session) {
  Problem problem{configuration, type, make_call(configuration, type), {}, {}};
  const ref::Expectation expected = ref::expect(problem.call);
  if (expected.status != 0)
    throw std::runtime_error(configuration.name + ": no valid call: " +
                             expected.violation.argument + ": " + expected.violation.detail);
  props::Case gradient = props::blank_case(configuration.op);
  gradient.call = problem.call;
  gradient.seed = 1;
  for (props::Fill& fill : gradient.fills) fill = {props::Fill::Kind::uniform, -1, 1};
  for (const ref::Parameter& p : ref::signature(configuration.op).parameters) {
    if (p.name == "indices") gradient.fills[p.slot] = {props::Fill::Kind::constant, 0, 0};
  }
  problem.data = props::make_data(gradient);
  if (configuration.op != ref::Operator::upsample_bilinear2d_backward &&
      configuration.op != ref::Operator::replication_pad2d_backward)
    add_indices(problem, session);
  count(problem);
  return problem;
}

std::string check(const Problem& problem, const ref::Dense& result) {
  const int slot = problem.output_slot();
  const ref::Evaluation evaluation(problem.call, problem.data);
  const ref::BoundSpec spec{evaluation.arithmetic(slot), evaluation.sum_type(slot),
                            evaluation.result_type(slot), ref::Numerics{},
                            evaluation.weight_error(slot)};
  const std::int64_t parts = ref::components(result.dtype);  // 2 where numbers are complex
  const std::int64_t planes = evaluation.plane_count(slot);
  Extents sample = {0, planes / 3, planes - 1};
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  for (const std::int64_t at : sample) {
    const ref::Plane plane = evaluation.plane(slot, at);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const std::int64_t position = plane.first + number / parts * plane.step;
      const long double got = ref::load(result.bytes.data(), ref::component_type(result.dtype),
                                        position * parts + number % parts);
      if (!ref::judge(plane.values[i], got, spec).right)
        return "gradInput at " + std::to_string(position) + " is " +
               std::to_string(static_cast<double>(got)) + ", not " +
               std::to_string(static_cast<double>(plane.values[i].value));
    }
  }
  return "";
}

std::vector<std::int64_t> positions_of_mask(const Problem& problem) {
  const Extents& pooled = problem.call.tensors[0].shape;
  const std::vector<ref::WindowAxis> axes = ref::window_axes(problem.call, 2);
  const std::int64_t channels = pooled[1], width = pooled[3], count = pooled[2] * width;
  const std::int64_t groups = (channels + 15) / 16, row = ((count + 15) / 16 + 1) * 16;
  const std::int64_t window = axes[0].kernel * axes[1].kernel;
  const auto* mask = reinterpret_cast<const std::uint16_t*>(
      problem.data[ref::slot(problem.call.op, "indices")].bytes.data());
  std::vector<std::int64_t> positions(static_cast<std::size_t>(pooled[0] * channels * count), -1);
  for (std::int64_t n = 0; n < pooled[0]; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      std::int64_t* plane = &positions[static_cast<std::size_t>((n * channels + c) * count)];
      const std::uint16_t* bits = mask + (n * groups + c / 16) * window * row;
      for (std::int64_t k = 0; k < window; ++k) {
        for (std::int64_t p = 0; p < count; ++p) {
          if ((bits[k * row + p] >> (c % 16) & 1) == 0) continue;
          const std::int64_t h = p / width * axes[0].stride - axes[0].pad + k / axes[1].kernel;
          const std::int64_t w = p % width * axes[1].stride - axes[1].pad + k % axes[1].kernel;
          plane[p] = h * axes[1].in + w;
        }
      }
    }
  }
  return positions;
}

}  // namespace gradproof::bench
