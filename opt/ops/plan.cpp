// The parts of plans that do not depend on the kernel.
#include "opt/ops/plan.h"

#include <new>

#include "acl/acl_base.h"
#include "opt/ops/check.h"

namespace gradproof::ops {

std::array<std::int64_t, kMaxOperands> view_offsets(const Call& call) {
  std::array<std::int64_t, kMaxOperands> offsets{};
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const TensorArgument& a = call.tensors[i];
    // Nothing lies in an empty view, whose offset nothing bounds; nothing is known of the memory of
    // a tensor that is only described.
    const bool followed = !a.empty() && a.access != Access::described;
    offsets[i] = followed ? a->offset * a.element_bytes : 0;
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

Status bad_index(const char* api, const kernels::Outcome& outcome, std::int64_t limit) noexcept {
  try {
    return Status(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                  std::string(api) + ": index-value: indices at row-major position " +
                      std::to_string(outcome.position) + " is " + std::to_string(outcome.value) +
                      ", must be at least 0 and less than " + std::to_string(limit));
  } catch (const std::bad_alloc&) {
    return Status(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, {});
  }
}

CallNotes notes_of(const Call& call, const char* kernel, const Config& config) {
  CallNotes notes{call.api, kernel, name(config.instruction_set), config.threads, 0, {}};
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

void note_extents(const Call& call, PlannedCall& planned) {
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const TensorArgument& a = call.tensors[i];
    if (a.empty() || a.access == Access::described) continue;
    // Validation has proved that both fit.
    planned.operands[i].begin = a->offset * a.element_bytes;
    planned.operands[i].end = (a->offset + a.reach + 1) * a.element_bytes;
  }
}

void describe(const Call& call, PlannedCall& planned) {
  planned.api = call.api;
  planned.operand_count = static_cast<int>(call.tensors.size());
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const TensorArgument& a = call.tensors[i];
    Operand& operand = planned.operands[i];
    operand.name = a.name;
    operand.access = a.access;
    operand.empty = a.empty();
    operand.data = a.data;
  }
}

}  // namespace gradproof::ops
