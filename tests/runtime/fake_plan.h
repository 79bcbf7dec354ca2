// Calls without an operator, whose run is whatever the test wants.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "opt/runtime/executor.h"

namespace gradproof::test {

class FakePlan : public PlannedCall {
 public:
  using Body = std::function<Status(const Binding&)>;
  explicit FakePlan(Body body) : body_(std::move(body)) {}
  Status run(const Binding& binding) const noexcept override { return body_(binding); }

 private:
  Body body_;
};

inline constexpr const char* kApi = "aclnnFake";

/// A call without tensors and workspace.
inline std::shared_ptr<PlannedCall> call_of(FakePlan::Body body) {
  auto call = std::make_shared<FakePlan>(std::move(body));
  call->api = kApi;
  return call;
}

/// Hands the call out; null, after a test failure in the caller's assertion, if that fails.
inline aclOpExecutor* executor_of(std::shared_ptr<PlannedCall> call) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  return hand_out(std::move(call), &bytes, &executor) == ACLNN_SUCCESS ? executor : nullptr;
}

/// Enqueues a body as one call.
inline aclnnStatus run_on(aclrtStream stream, FakePlan::Body body) {
  return launch(kApi, nullptr, 0, executor_of(call_of(std::move(body))), stream);
}

}  // namespace gradproof::test
