// ATen as a contestant: its out-variants, since allocating ones spend their time on page faults.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_max_pool3d_backward.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/max_pool2d_with_indices_backward.h>
#include <ATen/ops/max_pool3d_with_indices_backward.h>
#include <ATen/ops/replication_pad2d_backward.h>
#include <ATen/ops/upsample_bilinear2d_backward.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <cstring>

#include "bench/contestant.h"
#include "bench/memory.h"
#include "bench/openmp.h"
#include "props/subject/scatter.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::bench {
namespace {

using Extents = std::vector<std::int64_t>;

at::ScalarType scalar_type(std::int32_t type) {
  switch (type) {
    case ref::kBf16: return at::kBFloat16;
    case ref::kFloat16: return at::kHalf;
    case ref::kFloat: return at::kFloat;
    case ref::kDouble: return at::kDouble;
    case ref::kComplex64: return at::kComplexFloat;
    case ref::kComplex128: return at::kComplexDouble;
    default: C10_THROW_ERROR(Error, "a type of no gradient");
  }
}

std::size_t storage_elements(const ref::Tensor& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t extent : tensor.storage) count *= extent;
  return static_cast<std::size_t>(count);
}

/// The tensor in the order N,C,H,W that ATen wants, whatever the order of its format.
at::Tensor view(const ref::Tensor& tensor, at::ScalarType type, std::byte* data) {
  const at::Tensor given = at::from_blob(data, tensor.shape, tensor.strides, at::dtype(type));
  return tensor.format == ref::kNhwc ? given.permute({0, 3, 1, 2}) : given;
}

class Aten final : public Contestant {
 public:
  Aten(const Problem& problem, int threads)
      : threads_(threads),
        problem_(problem),
        output_(problem.call.tensors[problem.output_slot()]),
        gradient_bytes_(storage_elements(problem.call.tensors[0]) * ref::dtype_size(problem.type),
                        0),
        result_bytes_(storage_elements(output_) * ref::dtype_size(problem.type), 1),
        self_bytes_(is_pool() ? result_bytes_.bytes().size() : 0, 2),
        index_bytes_(
            is_pool() ? storage_elements(problem.call.tensors[0]) * sizeof(std::int64_t) : 0, 3) {
    at::set_num_threads(threads);
    const ref::Tensor& gradient = problem.call.tensors[0];
    const at::ScalarType type = scalar_type(problem.type);
    props::scatter(gradient, problem.data[0].bytes.data(), gradient_bytes_.data());
    gradient_ = view(gradient, type, gradient_bytes_.data());
    result_ = view(output_, type, result_bytes_.data());
    if (is_pool()) {
      self_ = view(output_, type, self_bytes_.data());
      indices_ = view(gradient, at::kLong, index_bytes_.data());
      fill_indices(gradient);
    } else if (problem.call.op == ref::Operator::replication_pad2d_backward) {
      self_ = view(output_, type, result_bytes_.data()).detach();
    }
    run();  // throws where there is no such kernel
  }

  void run() override {
    const c10::InferenceMode no_gradients;
    const Configuration& c = problem_.configuration;
    const Extents one(c.input.size() - 2, 1);
    switch (problem_.call.op) {
      case ref::Operator::max_pool3d_with_argmax_backward:
        at::max_pool3d_with_indices_backward_out(result_, gradient_, self_, c.kernel, c.stride,
                                                 c.padding, one, false, indices_);
        break;
      case ref::Operator::max_pool2d_with_mask_backward:
        at::max_pool2d_with_indices_backward_out(result_, gradient_, self_, c.kernel, c.stride,
                                                 c.padding, one, false, indices_);
        break;
      case ref::Operator::upsample_bilinear2d_backward:
        at::upsample_bilinear2d_backward_out(result_, gradient_, c.output, c.input,
                                             c.align_corners);
        break;
      case ref::Operator::replication_pad2d_backward:
        at::replication_pad2d_backward_out(result_, gradient_, self_, c.padding);
        break;
      default: at::adaptive_max_pool3d_backward_out(result_, gradient_, self_, indices_);
    }
  }

  void start_threads() override { start_openmp_threads(threads_); }
  void end_threads() override { end_openmp_threads(); }

  std::vector<std::span<std::byte>> memory() const override {
    return {gradient_bytes_.bytes(), result_bytes_.bytes(), index_bytes_.bytes()};
  }

  std::optional<ref::Dense> take_result() override {
    return props::gather(output_, result_bytes_.data());
  }

 private:
  bool is_pool() const { return !problem_.self.bytes.empty(); }

  void fill_indices(const ref::Tensor& gradient) {
    ref::Tensor wide = gradient;
    wide.dtype = ref::kInt64;
    Extents positions;
    if (problem_.call.op == ref::Operator::max_pool2d_with_mask_backward) {
      positions = positions_of_mask(problem_);
    } else {
      const ref::Dense& narrow = problem_.data[ref::slot(problem_.call.op, "indices")];
      positions.resize(narrow.bytes.size() / sizeof(std::int32_t));
      const auto* from = reinterpret_cast<const std::int32_t*>(narrow.bytes.data());
      std::copy(from, from + positions.size(), positions.begin());
    }
    props::scatter(wide, reinterpret_cast<const std::byte*>(positions.data()), index_bytes_.data());
  }

  int threads_;
  const Problem& problem_;
  const ref::Tensor& output_;
  Buffer gradient_bytes_, result_bytes_, self_bytes_, index_bytes_;
  at::Tensor gradient_, result_, self_, indices_;
};

}  // namespace

std::unique_ptr<Contestant> make_aten(const Problem& problem, int threads) {
  try {
    return std::make_unique<Aten>(problem, threads);
  } catch (const c10::Error&) {
    return nullptr;  // "not implemented for 'Half'" and the like
  }
}

}  // namespace gradproof::bench
