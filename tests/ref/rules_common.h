// What the tests of the rule table share: which rule a call breaks, and kinds of operators.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {

inline constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

inline std::string first_broken(const Call& c) {
  const Expectation e = expect(c);
  return e.rule == nullptr ? "" : std::string(e.rule->id);
}

// The call breaks exactly that rule first and the violation names the argument.
inline ::testing::AssertionResult breaks(const Call& c, std::string_view rule,
                                         std::string_view argument) {
  const Expectation e = expect(c);
  const std::string got = e.rule == nullptr ? "nothing" : std::string(e.rule->id);
  if (got != rule || e.violation.argument != argument || e.violation.detail.empty() ||
      e.status != (rule == "null-argument" ? kParamNullptr : kParamInvalid)) {
    return ::testing::AssertionFailure()
           << signature(c.op).stem << ": wanted " << rule << " of " << argument << ", got " << got
           << " of " << e.violation.argument << ": " << e.violation.detail;
  }
  return ::testing::AssertionSuccess();
}
inline ::testing::AssertionResult holds(const Call& c) {
  const Expectation e = expect(c);
  if (e.rule == nullptr && e.status == kSuccess) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << signature(c.op).stem << ": " << e.rule->id << ": " << e.violation.detail;
}

inline bool is_3d_pool(Operator op) {
  return op == Operator::max_pool3d_with_argmax_backward || op == Operator::max_pool3d_with_argmax;
}
inline bool is_adaptive(Operator op) {
  return op == Operator::adaptive_max_pool3d_backward || op == Operator::adaptive_max_pool3d;
}
inline bool is_mask(Operator op) {
  return op == Operator::max_pool2d_with_mask_backward || op == Operator::max_pool2d_with_mask;
}
inline bool is_pad(Operator op) {
  return op == Operator::replication_pad2d_backward || op == Operator::replication_pad2d;
}
inline bool is_upsample(Operator op) {
  return op == Operator::upsample_bilinear2d_backward || op == Operator::upsample_bilinear2d;
}
inline bool is_indices(const Parameter& p) { return p.name == "indices" || p.name == "indicesOut"; }

template <class F>
void each_tensor(Operator op, F&& f) {
  for (const Parameter& p : signature(op).parameters) {
    if (p.kind == Kind::tensor) f(p);
  }
}

}  // namespace gradproof::ref::testing
