// A kernel of replication padding that supports even widths alone, whatever the coverage point.
#include <gradproof/subject.hpp>

namespace {

template <class T>
gradproof::subject::Answer pad(const gradproof::subject::ReplicationPad2dBackward<T>& c) {
  const std::int64_t zero = 0, H = c.grad_input.shape[2], W = c.grad_input.shape[3];
  if (W % 2 != 0) return gradproof::subject::not_supported("odd widths");
  gradproof::subject::Sums sums(c.grad_input);
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) +=
        c.grad_output(n, k, i, j);
  return {};
}

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, pad)
