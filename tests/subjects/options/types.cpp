// A kernel that looks at the type at run time and is for one alone; judged by the profile beside
// its library. All of it is in a namespace.
#include <gradproof/subject.hpp>
#include <stdexcept>

namespace {

namespace subject = gradproof::subject;

void pad(const subject::ReplicationPad2dBackward<void>& c) {
  if (c.grad_output.type != ACL_DOUBLE) throw std::runtime_error("it was called with another type");
  if (c.left < -1) throw std::runtime_error("\n\ncrops more than\n\n  one column\n");
  const auto call = subject::typed<double>(c);
  subject::Sums sums(call.grad_input);
  const std::int64_t zero = 0, H = call.grad_input.shape[2], W = call.grad_input.shape[3];
  for (auto [n, k, i, j] : call.grad_output.positions())
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) +=
        call.grad_output(n, k, i, j);
}

GRADPROOF_KERNEL(replication_pad2d_backward, pad)
GRADPROOF_TYPES(ACL_DOUBLE)
GRADPROOF_PROFILE("types.json")

}  // namespace
