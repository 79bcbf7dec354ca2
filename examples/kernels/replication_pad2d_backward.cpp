#include <gradproof/subject.hpp>
template <class T>
void gradient(const gradproof::subject::ReplicationPad2dBackward<T>& c) {
  gradproof::subject::Sums sums(c.grad_input);
  const std::int64_t zero = 0, H = c.grad_input.shape[2], W = c.grad_input.shape[3];
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) += c.grad_output(n, k, i, j);
}
GRADPROOF_KERNEL(replication_pad2d_backward, gradient)
