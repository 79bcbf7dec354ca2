// Tests of a user's kernel by gradproof::testing, and of what it says of a wrong one.
#include <gtest/gtest-spi.h>

#include <algorithm>
#include <gradproof/testing.hpp>
#include <utility>

namespace {

namespace gp = gradproof::subject;

template <class T>
void gradient(const gp::ReplicationPad2dBackward<T>& c) {
  gp::Sums sums(c.grad_input);
  const std::int64_t zero = 0, H = c.grad_input.shape[2], W = c.grad_input.shape[3];
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) +=
        c.grad_output(n, k, i, j);
}

template <class T>
void mirrored(const gp::ReplicationPad2dBackward<T>& c) {
  auto other = c;
  std::swap(other.left, other.right);
  gradient(other);
}

TEST(Pad, Gradient) { GRADPROOF_EXPECT(replication_pad2d_backward, gradient); }

TEST(Pad, AWrongGradientIsFound) {
  EXPECT_NONFATAL_FAILURE(GRADPROOF_EXPECT(replication_pad2d_backward, mirrored),
                          "is wrong for the case\nreplication_pad2d_backward gradOutput=");
}

TEST(Pad, ByHand) {
  EXPECT_TRUE(rc::check([] {
    const auto c = *rc::gen::arbitrary<gradproof::testing::CaseOf<gp::ReplicationPad2dBackward>>();
    RC_PRE(c.type() == ACL_FLOAT);
    const gradproof::testing::Tensors<gp::ReplicationPad2dBackward> tensors(c);
    gradient(tensors.as<float>());
    RC_ASSERT(static_cast<bool>(gradproof::compare(tensors, c)));
  }));
}

}  // namespace
