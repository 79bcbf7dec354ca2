// The small scope: it has as many configurations as it should, and ref agrees on what is legal.
#include <gtest/gtest.h>

#include <set>

#include "props/cases/generate/small_scope.h"
#include "props/cases/shapes.h"
#include "ref/rules.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

class SmallScope : public testing::TestWithParam<ref::Operator> {};
INSTANTIATE_TEST_SUITE_P(All, SmallScope, testing::ValuesIn(all_operators()),
                         [](const auto& op) { return stem(op.param); });

/// The configurations of one axis, by formula.
std::int64_t expected(ref::Operator op, const Scope& s) {
  if (has_windows(op))  // paddings of all kernels: Σ (⌊k/2⌋ + 1) = K + ⌊K²/4⌋; two modes
    return s.pooled_from * s.stride * (s.kernel + s.kernel * s.kernel / 4) * 2;
  if (family(op).weighted) return s.resized * s.resized * 3 * 2;
  if (!family(op).pads_each_end) return s.adaptive * s.adaptive;
  std::int64_t sum = 0;  // legal ones are a triangle; one too much on each side; nothing left
  for (std::int64_t n = 1; n <= s.padded; ++n)
    sum += (3 * n - 2) * (3 * n - 1) / 2 + 2 + (3 * n - 1);
  return sum;
}

std::int64_t counted(ref::Operator op, const Scope& scope) {
  std::int64_t configurations = 0;
  each_scope_call(op, ref::Product::Ascend910B, scope, [&](const ScopeCall& call) {
    configurations += call.configurations;
    return true;
  });
  return configurations;
}

TEST_P(SmallScope, HasAsManyConfigurationsAsTheFormulaSays) {
  for (const std::int64_t largest : {1, 2, 3, 5, 9}) {
    const Scope scope = Scope{}.at_most(largest);
    EXPECT_EQ(counted(GetParam(), scope), spatial_axes(GetParam()) * expected(GetParam(), scope))
        << largest;
  }
}

TEST_P(SmallScope, IsLegalExactlyWhereTheRulesSaySo) {
  each_scope_call(GetParam(), ref::Product::Ascend910B, Scope{}, [&](const ScopeCall& call) {
    const ref::Expectation due = ref::expect(call.test.call);
    EXPECT_EQ(due.rule == nullptr, call.legal) << to_text(call.test);
    return !HasFailure();
  });
}

std::vector<ref::Operator> operators_with_windows() {
  std::vector<ref::Operator> result = all_operators();
  std::erase_if(result, [](ref::Operator op) { return !has_windows(op); });
  return result;
}

/// The other operators' configurations are pairs of extents.
class WindowScope : public SmallScope {};
INSTANTIATE_TEST_SUITE_P(All, WindowScope, testing::ValuesIn(operators_with_windows()),
                         [](const auto& op) { return stem(op.param); });

TEST_P(WindowScope, PutsEveryConfigurationOnEveryAxis) {
  std::vector<std::set<std::vector<std::int64_t>>> seen(3);
  each_scope_call(GetParam(), ref::Product::Ascend910B, Scope{}, [&](const ScopeCall& call) {
    if (call.configurations == 0) return true;
    const std::vector<Window> axes = windows(call.test.call);
    for (std::size_t a = 0; a < axes.size(); ++a) {
      seen[a].insert(
          {axes[a].in, axes[a].kernel, axes[a].stride, axes[a].pad, call.test.call.flags[0]});
    }
    return true;
  });
  for (int a = 0; a < spatial_axes(GetParam()); ++a)
    EXPECT_EQ(seen[a].size(), 1920) << "axis " << a;
}

TEST(SmallScope, StopsWhenAsked) {
  int calls = 0;
  each_scope_call(ref::Operator::upsample_bilinear2d, ref::Product::Ascend910B, Scope{},
                  [&](const ScopeCall&) { return ++calls < 7; });
  EXPECT_EQ(calls, 7);
}

}  // namespace
}  // namespace gradproof::props
