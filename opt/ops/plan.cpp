// The parts of plans that do not depend on the kernel.
#include "opt/ops/plan.h"

#include <limits>
#include <new>

#include "acl/acl_base.h"
#include "opt/ops/check.h"

namespace gradproof::ops {

std::array<std::int64_t, kMaxOperands> view_offsets(const Call& call) {
  std::array<std::int64_t, kMaxOperands> offsets{};
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const TensorArgument& a = call.tensors[i];
    // Nothing is known of the memory of a tensor that is only described.
    offsets[i] = a.access != Access::described ? a.first * a.element_bytes : 0;
  }
  return offsets;
}

Addresses addresses(const Binding& binding, const std::array<std::int64_t, kMaxOperands>& offsets) {
  Addresses first{};
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (binding.data[i]) first[i] = binding.data[i] + offsets[i];
  }
  return first;
}

Status failure(const PlannedCall& call, const kernels::Outcome& outcome,
               std::int64_t limit) noexcept {
  try {
    if (outcome.end == kernels::Outcome::End::overrun) {
      return Status(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                    words(call.api, ": the kernel '", call.kernel,
                          "' wrote beyond its buffers in the workspace"));
    }
    return Status(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                  words(call.api, ": index-value: indices at row-major position ", outcome.position,
                        " is ", outcome.value, ", must be at least 0 and less than ", limit));
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    return Status(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, {});
  }
}

namespace {

CallNotes notes_of(const Call& call, const Config& config) {
  CallNotes notes{call.api, name(config.instruction_set), config.threads, 0, {}};
  for (const TensorArgument& a : call.tensors) {
    if (!notes.tensors.empty()) notes.tensors += ", ";
    notes.tensors += std::string(a.name) + ' ' + dtype_name(a->dtype) + '[';
    for (std::size_t i = 0; i < a->shape.size(); ++i) {
      notes.tensors += (i > 0 ? "," : "") + std::to_string(a->shape[i]);
    }
    notes.tensors += ']';
  }
  return notes;
}

}  // namespace

void describe(const Call& call, std::uint64_t passes, PlannedCall& planned) {
  planned.api = call.api;
  planned.work = 0;
  planned.operand_count = static_cast<int>(call.tensors.size());
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const TensorArgument& a = call.tensors[i];
    Operand& operand = planned.operands[i];
    operand.name = a.name;
    operand.access = a.access;
    operand.empty = a.empty();
    operand.data = a.data;
    if (operand.empty || operand.access == Access::described) continue;
    std::uint64_t work;  // of a broadcast view: more than it spans
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(a.elements * a.element_bytes), passes,
                               &work) ||
        __builtin_add_overflow(work, planned.work, &planned.work)) {
      planned.work = std::numeric_limits<std::uint64_t>::max();
    }
    // Validation has proved that both fit.
    operand.begin = a.begin * a.element_bytes;
    operand.end = a.end * a.element_bytes;
    operand.beyond_storage = a.beyond_storage;
    operand.alignment = a.alignment;
    operand.apart = a.staged && a.access == Access::written;
  }
}

namespace {

/// A call that computes nothing: it writes nothing, or phase 2 refuses it.
class IdlePlan final : public PlannedCall {
 public:
  Status run(const Binding&) const noexcept override { return {}; }
};

}  // namespace

aclnnStatus hand_out_idle(const Call& call) {
  auto planned = std::make_shared<IdlePlan>();
  planned->api = call.api;
  planned->work = 0;
  planned->operand_count = static_cast<int>(call.tensors.size());
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    planned->operands[i].name = call.tensors[i].name;
    planned->operands[i].access = call.tensors[i].access;
    planned->operands[i].empty = true;
  }
  if (!call.course.nothing) planned->refusal = std::move(call.course.later);
  planned->kernel = "nothing";
  planned->notes = notes_if_observed(call, 0);
  return hand_out(std::move(planned), call.workspace_size, call.executor);
}

std::unique_ptr<const CallNotes> notes_if_observed(const Call& call,
                                                   std::uint64_t workspace_bytes) {
  if (!call.config.observes()) return nullptr;
  CallNotes notes = notes_of(call, call.config);
  notes.workspace_bytes = workspace_bytes;
  return std::make_unique<const CallNotes>(std::move(notes));
}

}  // namespace gradproof::ops
