// A kernel that reads positions of maxima without GRADPROOF_POSITIONS.
#include <gradproof/subject.hpp>

namespace mine {

void pool(const gradproof::subject::MaxPool2dWithMaskBackward<float>& c) {
  gradproof::subject::Sums sums(c.grad_input);
  std::int64_t at = 0;
  for (auto [n, k, i, j] : c.grad_output.positions()) {
    const std::int32_t index = c.indices.data[at++];
    sums(n, k, index / c.grad_input.shape[3], index % c.grad_input.shape[3]) +=
        c.grad_output(n, k, i, j);
  }
}
GRADPROOF_KERNEL(max_pool2d_with_mask_backward, pool)

}  // namespace mine
