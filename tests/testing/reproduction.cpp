// A test that fails on few cases: reproduction.sh looks at what it prints.
#include "gradproof/testing.hpp"

namespace {

void wrong_where_left_is_2(const gradproof::subject::ReplicationPad2dBackward<float>& c) {
  gradproof::subject::Sums sums(c.grad_input);
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp<std::int64_t>(i - c.top, 0, c.grad_input.shape[2] - 1),
         std::clamp<std::int64_t>(j - c.left, 0, c.grad_input.shape[3] - 1)) +=
        c.grad_output(n, k, i, j);
  if (c.left == 2 && c.bottom > 0) sums(0, 0, 0, 0) += 1;
}

TEST(Pad, Fails) { GRADPROOF_EXPECT(replication_pad2d_backward, wrong_where_left_is_2); }

}  // namespace
