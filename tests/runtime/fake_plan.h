// Calls without an operator: plans whose run is whatever the test wants.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "opt/runtime/executor.h"

namespace gradproof::test {

class FakePlan : public Plan {
 public:
  using Body = std::function<Status(const Binding&)>;
  explicit FakePlan(Body body) : body_(std::move(body)) {}
  Status run(const Binding& binding) const noexcept override { return body_(binding); }

 private:
  Body body_;
};

inline constexpr const char* kApi = "aclnnFake";

/// A call without tensors and workspace.
inline PlannedCall call_of(FakePlan::Body body) {
  PlannedCall call;
  call.api = kApi;
  call.plan = std::make_unique<FakePlan>(std::move(body));
  return call;
}

/// Hands the call out; null, after a test failure in the caller's assertion, if that fails.
inline aclOpExecutor* executor_of(PlannedCall call) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  return hand_out(std::move(call), &bytes, &executor) == ACLNN_SUCCESS ? executor : nullptr;
}

/// Enqueues a body as one call.
inline aclnnStatus run_on(aclrtStream stream, FakePlan::Body body) {
  return launch(kApi, nullptr, 0, executor_of(call_of(std::move(body))), stream);
}

}  // namespace gradproof::test
