// A kernel that supports only windows of one element, to which properties reduce other calls.
#include <gradproof/subject.hpp>

namespace {

template <class T>
gradproof::subject::Answer gradient(const gradproof::subject::MaxPool2dWithMaskBackward<T>& c) {
  for (const int axis : {0, 1}) {
    if (c.kernel_size[axis] != 1 || c.stride[axis] != 1 || c.padding[axis] != 0)
      return gradproof::subject::not_supported("windows of several elements");
  }
  gradproof::subject::Sums sums(c.grad_input);
  for (auto [n, k, i, j] : c.grad_output.positions()) {
    if (c.is_maximum(n, k, i, j, 0, 0)) sums(n, k, i, j) += c.grad_output(n, k, i, j);
  }
  return {};
}

}  // namespace

GRADPROOF_KERNEL(max_pool2d_with_mask_backward, gradient)
