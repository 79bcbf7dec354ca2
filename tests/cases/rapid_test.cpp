// The RapidCheck generator: valid cases, and counterexamples shrunk by `simpler`.
#include "props/cases/shrink/rapid.h"
#include "props/cases/describe/coverage_points.h"

#include <gtest/gtest.h>

#include "ref/rules.h"

namespace gradproof::props {
namespace {

TEST(Rapid, DrawsValidCases) {
  const auto result = rc::detail::checkTestable([] {
    const Case c = *valid_case(coverage_points(ref::Operator::max_pool2d_with_mask_backward));
    RC_ASSERT(ref::expect(c.call).rule == nullptr);
  });
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>());
}

TEST(Rapid, ShrinksToTheSmallestCounterexample) {
  Case last;
  const auto result = rc::detail::checkTestable([&last] {
    const Case c = *valid_case(coverage_points(ref::Operator::replication_pad2d_backward));
    if (ref::tensor(c.call, "self").shape.back() < 3) return;
    last = c;
    RC_FAIL("planted");
  });
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  EXPECT_EQ(ref::tensor(last.call, "self").shape, (std::vector<std::int64_t>{1, 1, 3}))
      << to_text(last);
}

}  // namespace
}  // namespace gradproof::props
