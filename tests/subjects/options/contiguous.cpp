// A kernel that knows contiguous tensors alone, and says so. Compiled with IGNORES_STRIDES it does
// not say so; with READS_BEHIND it reads the element behind its gradient, with WRITES_INPUT it
// overwrites the first one when all is computed.
#include <gradproof/subject.hpp>

namespace {

template <class T>
void pad(const gradproof::subject::ReplicationPad2dBackward<T>& c) {
  auto gradient = c.grad_output;
  gradient.strides = gradproof::subject::contiguous(gradient.shape);
#ifdef READS_BEHIND
  [[maybe_unused]] const volatile T behind = gradient.data[gradient.size()];
#endif
  gradproof::subject::Sums sums(c.grad_input);
  const std::int64_t zero = 0, H = c.grad_input.shape[2], W = c.grad_input.shape[3];
  for (auto [n, k, i, j] : gradient.positions())
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) +=
        gradient(n, k, i, j);
#ifdef WRITES_INPUT
  if (gradient.size() > 0) const_cast<T*>(gradient.data)[0] = T{};
#endif
}

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, pad)
#ifndef IGNORES_STRIDES
GRADPROOF_CONTIGUOUS
#endif
