#include <gradproof/subject.hpp>
template <class T>
void gradient(const gradproof::subject::AdaptiveMaxPool3dBackward<T>& c) {
  gradproof::subject::Sums sums(c.grad_input);
  const auto [N, C, D, H, W] = c.grad_input.shape;
  for (auto [n, k, d, h, w] : c.grad_output.positions()) {
    const std::int64_t at = c.indices(n, k, d, h, w);
    sums(n, k, at / (H * W), at / W % H, at % W) += c.grad_output(n, k, d, h, w);
  }
}
GRADPROOF_KERNEL(adaptive_max_pool3d_backward, gradient)
