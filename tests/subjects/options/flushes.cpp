// A kernel that loses subnormals, in a library that makes the thread that loads it flush them to
// zero, as gcc does for one that is linked with -ffast-math.
#include <gradproof/subject.hpp>

#include <cmath>

#if defined(__x86_64__)
#include <xmmintrin.h>
namespace {
[[gnu::constructor]] void flush() { _mm_setcsr(_mm_getcsr() | 0x8040); }
}  // namespace
#endif

namespace {

void pad(const gradproof::subject::ReplicationPad2dBackward<float>& c) {
  gradproof::subject::Sums sums(c.grad_input);
  const std::int64_t zero = 0, H = c.grad_input.shape[2], W = c.grad_input.shape[3];
  for (auto [n, k, i, j] : c.grad_output.positions()) {
    const float term = c.grad_output(n, k, i, j);
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) +=
        std::fpclassify(term) == FP_SUBNORMAL ? 0.0f : term;
  }
}

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, pad)
