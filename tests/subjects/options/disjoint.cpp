// A kernel that supports no overlapping windows. Calls whose windows have one element, which
// properties derive from others, it computes.
#include <gradproof/subject.hpp>

namespace {

template <class T>
gradproof::subject::Answer gradient(const gradproof::subject::MaxPool2dWithMaskBackward<T>& c) {
  if (c.kernel_size[0] > c.stride[0] || c.kernel_size[1] > c.stride[1])
    return gradproof::subject::not_supported("windows overlap");
  gradproof::subject::Sums sums(c.grad_input);
  const auto [N, C, H, W] = c.grad_input.shape;
  for (auto [n, k, i, j] : c.grad_output.positions())
    for (auto [y, x] : gradproof::subject::Positions<2>{c.kernel_size}) {
      const auto h = i * c.stride[0] - c.padding[0] + y, w = j * c.stride[1] - c.padding[1] + x;
      if (h >= 0 && h < H && w >= 0 && w < W && c.is_maximum(n, k, i, j, y, x))
        sums(n, k, h, w) += c.grad_output(n, k, i, j);
    }
  return {};
}

}  // namespace

GRADPROOF_KERNEL(max_pool2d_with_mask_backward, gradient)
