// PyTorch's tensors and lists of numbers as gradproof takes them.
#ifndef TENSORS_H_
#define TENSORS_H_

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <atomic>
#include <gradproof/aclnn.hpp>

namespace gp = gradproof::aclnn;

/// Memory of T, as gp::Tensor::over takes it.
template <class T>
struct Elements {
  void* first;
  std::size_t count;
  T* data() const { return static_cast<T*>(first); }
  std::size_t size() const { return count; }
};

/// The same memory for gradproof, which refuses a tensor that owns nothing. `flat`: planes become
/// volumes of depth 1.
inline gp::Tensor view(const at::Tensor& t, bool flat = false, aclFormat format = ACL_FORMAT_ND) {
  at::DimVector sizes(t.sizes()), strides(t.strides());
  if (flat && t.dim() >= 2) {
    sizes.insert(sizes.end() - 2, 1);
    strides.insert(strides.end() - 2, 1);
  }
  const std::size_t count = t.storage().nbytes() / t.itemsize() - t.storage_offset();
  const auto of = [&](auto element) {
    const Elements<decltype(element)> memory{t.data_ptr(), count};
    return gp::Tensor::over(memory, sizes, strides, 0, format).value();
  };
  switch (t.scalar_type()) {
    case at::kFloat: return of(float());
    case at::kDouble: return of(double());
    case at::kHalf: return of(gp::Half());
    case at::kBFloat16: return of(gp::Bfloat16());
    case at::kComplexFloat: return of(std::complex<float>());
    case at::kComplexDouble: return of(std::complex<double>());
    case at::kInt: return of(std::int32_t());
    default: return {};
  }
}

inline gp::IntArray numbers(at::IntArrayRef values) { return gp::IntArray::of(values).value(); }

/// The numbers of a pool for three axes; those of two begin with `depth`.
inline gp::IntArray by_axis(at::IntArrayRef values, bool flat, std::int64_t depth) {
  if (!flat || values.empty()) return numbers(values);
  return numbers({depth, values.front(), values.back()});
}

/// Copies ATen's INT64 indices to INT32, in the order of memory.
inline void narrow(const at::Tensor& from, const at::Tensor& to) {
  const std::int64_t* const in = from.data_ptr<std::int64_t>();
  std::int32_t* const out = to.data_ptr<std::int32_t>();
  std::atomic<bool> fit = true;
  at::parallel_for(0, from.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t bits = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      out[i] = static_cast<std::int32_t>(in[i]);
      bits |= in[i];
    }
    if (bits >> 31 != 0) fit = false;
  });
  // ATen's kernels do not check indices; gradproof checks those that fit.
  TORCH_CHECK(fit, "indices: a position is negative or does not fit INT32");
}

#endif
