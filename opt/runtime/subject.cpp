// Kernels of others behind this API: gradproof/subject.h.
#include "gradproof/subject.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <utility>

#include "aclnn/aclnn_base.h"
#include "opt/runtime/executor.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/message.h"
#include "opt/runtime/tensor.h"

namespace gradproof {
namespace {

/// A call that phase 1 planned, computed by a kernel of the caller's.
class SubjectPlan final : public PlannedCall {
 public:
  SubjectPlan(gradproofKernel function, void* context) : kernel_(function), context_(context) {}
  ~SubjectPlan() override {
    if (release_ != nullptr) release_(context_);
  }

  /// Everything that phase 1 decided but the kernel and its workspace.
  void take(const PlannedCall& planned) {
    api = planned.api;
    kernel = "subject";
    operand_count = planned.operand_count;
    operands = planned.operands;
    refusal = Status(planned.refusal.code(), planned.refusal.message());
    if (planned.notes != nullptr) notes = std::make_unique<const CallNotes>(*planned.notes);
  }
  /// From now on the plan releases the context at its end.
  void own(void (*release)(void*)) { release_ = release; }

  Status run(const Binding& binding) const noexcept override {
    std::array<void*, kMaxOperands> data{};
    std::copy(binding.data.begin(), binding.data.end(), data.begin());
    char message[4096] = "";  // an exception's lines
    const std::int32_t code = kernel_(context_, data.data(), message, sizeof message);
    if (code == ACL_SUCCESS) return {};
    message[sizeof message - 1] = '\0';
    try {
      return Status(code, std::string(api) + ": " + message);
    } catch (const std::bad_alloc&) {  // perhaps uncovered: out of memory
      return Status(code, {});
    }
  }

 private:
  gradproofKernel kernel_;
  void* context_;
  void (*release_)(void*) = nullptr;
};

}  // namespace
}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclnnStatus gradproof_set_kernel(aclOpExecutor** executor, gradproofKernel kernel,
                                 void (*release)(void*), void* context) {
  if (executor == nullptr || kernel == nullptr) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null", __func__,
                executor == nullptr ? "executor" : "kernel");
  }
  std::shared_ptr<SubjectPlan> plan;
  const aclnnStatus status =
      without_throwing(__func__, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&]() -> aclnnStatus {
        plan = std::make_shared<SubjectPlan>(kernel, context);
        OperandData data;
        const std::shared_ptr<const PlannedCall> planned =
            withdraw("gradproof_set_kernel", *executor, data);
        if (planned == nullptr) {
          return *executor == nullptr ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID;
        }
        plan->take(*planned);
        std::uint64_t bytes = 0;
        return hand_out(plan, data, &bytes, executor);
      });
  if (status == ACLNN_SUCCESS) plan->own(release);
  return status;
}

}  // extern "C"
