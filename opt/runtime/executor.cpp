// Executors: the hand-over from phase 1 to phase 2, and the functions of acl_meta.h about them.
#include "opt/runtime/executor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gradproof/kernels.h"
#include "opt/runtime/config.h"
#include "opt/runtime/conformance.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/shared_value.h"
#include "opt/runtime/stream_table.h"
#include "opt/runtime/strict.h"
#include "opt/runtime/tensor.h"
#include "opt/runtime/tensor_table.h"
#include "opt/runtime/workspaces.h"

namespace gradproof {

/// What an executor adds to its plan.
template <>
struct Beside<const PlannedCall> {
  std::array<SharedValue<void*>, kMaxOperands> data;
  SharedValue<bool> moved;  ///< an operand has another address than phase 1 saw
  SharedValue<bool> repeatable;
};

namespace {

using Executor = Pin<const PlannedCall>;

constinit HandleTable<const PlannedCall> executors(HandleKind::executor);

/// Strict mode: checks that all data is in device memory.
aclnnStatus check_places(const char* api, const PlannedCall& call,
                         const std::array<std::byte*, kMaxOperands>& addresses,
                         const void* workspace) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(call.operand_count); ++i) {
    const Operand& operand = call.operands[i];
    if (operand.empty || operand.access == Access::described) continue;
    const Status status = check_device_range(addresses[i] + operand.begin,
                                             static_cast<std::size_t>(operand.end - operand.begin));
    if (!status.ok()) {
      return fail(status.code(), "%s: strict: the data of %s %s", api, operand.name,
                  status.message());
    }
  }
  if (call.workspace_bytes == 0) return ACLNN_SUCCESS;
  const Status status = check_device_range(workspace, call.workspace_bytes);
  if (status.ok()) return ACLNN_SUCCESS;
  return fail(status.code(), "%s: strict: workspace %s", api, status.message());
}

/// Whether n > 0 bytes from `a` meet m > 0 bytes from `b`. Addresses may be any numbers.
bool meet(const std::byte* a, std::uint64_t n, const std::byte* b, std::uint64_t m) {
  const std::uint64_t ahead =
      reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a);
  return n > 0 && m > 0 && (ahead < n || 0 - ahead < m);
}

/// What phase 1 could not see: the workspace lies in an operand, or new addresses let the result
/// lie in what is read.
aclnnStatus check_overlaps(const char* api, const PlannedCall& call, bool moved,
                           const std::array<std::byte*, kMaxOperands>& addresses,
                           const std::byte* workspace) {
  const auto bytes = [](const Operand& o) { return static_cast<std::uint64_t>(o.end - o.begin); };
  for (std::size_t i = 0; i < static_cast<std::size_t>(call.operand_count); ++i) {
    const Operand& operand = call.operands[i];
    if (meet(workspace, call.workspace_bytes, addresses[i] + operand.begin, bytes(operand))) {
      return fail(ACLNN_ERR_PARAM_INVALID,
                  "%s: workspace (%llu bytes at %p) overlaps the data of %s", api,
                  static_cast<unsigned long long>(call.workspace_bytes),
                  static_cast<const void*>(workspace), operand.name);
    }
    for (std::size_t j = 0; moved && operand.access == Access::written && !operand.apart && j < i;
         ++j) {
      const Operand& other = call.operands[j];
      if (meet(addresses[i] + operand.begin, bytes(operand), addresses[j] + other.begin,
               bytes(other))) {
        return fail(ACLNN_ERR_PARAM_INVALID,
                    "%s: alias: with the addresses set since phase 1, %s overlaps the data of %s",
                    api, operand.name, other.name);
      }
    }
  }
  return ACLNN_SUCCESS;
}

/// What only some operands need.
aclnnStatus check_unusual(const char* api, const Operand& operand, const std::byte* data) {
  const std::byte* const begin = data + operand.begin;
  if (operand.begin == operand.end) return ACLNN_SUCCESS;
  if (reinterpret_cast<std::uintptr_t>(begin) % operand.alignment != 0) {
    return fail(ACLNN_ERR_PARAM_INVALID,
                "%s: the data of %s is at %p, must be aligned to %zu bytes", api, operand.name,
                static_cast<const void*>(begin), operand.alignment);
  }
  if (!operand.beyond_storage) return ACLNN_SUCCESS;
  const Status status =
      check_device_range(begin, static_cast<std::size_t>(operand.end - operand.begin));
  if (status.ok()) return ACLNN_SUCCESS;
  return fail(status.code(), "%s: the data of %s, which reaches beyond its storage, %s", api,
              operand.name, status.message());
}

/// Checks a call's memory in the order of the contract and captures the addresses.
aclnnStatus bind(const char* api, const Executor& executor, void* workspace,
                 std::uint64_t workspace_size, Binding& binding) {
  const PlannedCall& call = *executor;
  if (!call.refusal.ok()) return report(call.refusal);
  if (workspace == nullptr && call.workspace_bytes > 0) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: workspace is null, but %llu bytes are needed", api,
                static_cast<unsigned long long>(call.workspace_bytes));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(call.operand_count); ++i) {
    const Operand& operand = call.operands[i];
    void* const address = executor.beside().data[i];
    if (address == nullptr && !operand.empty && operand.access != Access::described) {
      return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: the data pointer of %s is null", api, operand.name);
    }
    binding.data[i] = static_cast<std::byte*>(address);
    if (operand.beyond_storage || operand.alignment > 1) {
      const aclnnStatus usable = check_unusual(api, operand, binding.data[i]);
      if (usable != ACLNN_SUCCESS) return usable;
    }
  }
  if (workspace_size < call.workspace_bytes) {
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: workspaceSize is %llu, but %llu bytes are needed",
                api, static_cast<unsigned long long>(workspace_size),
                static_cast<unsigned long long>(call.workspace_bytes));
  }
  if (call.api != api && std::strcmp(call.api, api) != 0) {
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: executor belongs to %s", api, call.api);
  }
  const aclnnStatus apart = check_overlaps(api, call, executor.beside().moved, binding.data,
                                           static_cast<const std::byte*>(workspace));
  if (apart != ACLNN_SUCCESS) return apart;
  if (strict::on()) {
    const aclnnStatus placed = check_places(api, call, binding.data, workspace);
    if (placed != ACLNN_SUCCESS) return placed;
  }
  binding.workspace = call.workspace_bytes > 0 ? static_cast<std::byte*>(workspace) : nullptr;
  return ACLNN_SUCCESS;
}

/// A null executor is mostly one that a failed phase 1 has not set.
aclnnStatus refuse_executor(const char* api, const aclOpExecutor* executor) noexcept {
  const char* const why = executor == nullptr ? refusal_of(api) : nullptr;
  if (why == nullptr) return refuse(api, "executor", executor, HandleKind::executor, kMetaCodes);
  return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: executor is null; phase 1 failed on this thread: %s",
              api, why);
}

enum class Which : std::uint8_t { all, inputs, outputs };

/// The operand that is number `index` among those; -1 if there are not so many.
int operand_at(const PlannedCall& call, Which which, std::size_t index) {
  for (int i = 0; i < call.operand_count; ++i) {
    const bool output = call.operands[static_cast<std::size_t>(i)].access == Access::written;
    if (which != Which::all && output != (which == Which::outputs)) continue;
    if (index-- == 0) return i;
  }
  return -1;
}

aclnnStatus set_operand(const char* function, aclOpExecutor* handle, Which which, std::size_t index,
                        aclTensor* tensor, void* address) {
  const Executor call = executors.find(handle);
  if (goes(RuntimeWay::tensor_first) && find(tensor) == nullptr) {
    return refuse(function, "tensor", tensor, HandleKind::tensor, kExecutorCodes);
  }
  if (call == nullptr) {
    return refuse(function, "executor", handle, HandleKind::executor, kExecutorCodes);
  }
  const int operand = operand_at(*call, which, index);
  if (operand < 0 && goes(RuntimeWay::any_index)) return ACLNN_SUCCESS;
  if (operand < 0) {
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: index is %zu; %s has no such tensor", function, index,
                call->api);
  }
  const aclnnStatus status = set_address(function, tensor, address, kExecutorCodes);
  if (status != ACLNN_SUCCESS) return status;
  call.beside().moved = true;
  call.beside().data[static_cast<std::size_t>(operand)] = address;
  return status;
}

}  // namespace

aclnnStatus hand_out(std::shared_ptr<const PlannedCall> call, const OperandData& data,
                     std::uint64_t* workspace_size, aclOpExecutor** executor) noexcept {
  const char* const api = call->api;
  return without_throwing(api, ACLNN_ERR_INNER_CREATE_EXECUTOR, [&]() -> aclnnStatus {
    if (const Status status = config_status(); !status.ok()) {
      return fail(status.code(), "%s: %s", api, status.message());
    }
    if (observing()) {
      log_line(LogLevel::debug, "%s planned: %s", api,
               call->notes ? call->notes->tensors.c_str() : "");
    }
    const std::uint64_t bytes = call->workspace_bytes;
    void* handle = executors.insert(std::move(call), [&](Beside<const PlannedCall>& beside) {
      std::copy(data.begin(), data.end(), beside.data.begin());
      beside.moved = false;
      beside.repeatable = false;
    });
    *workspace_size = bytes;
    *executor = static_cast<aclOpExecutor*>(handle);
    return ACLNN_SUCCESS;
  });
}

aclnnStatus hand_out(std::shared_ptr<const PlannedCall> call, std::uint64_t* workspace_size,
                     aclOpExecutor** executor) noexcept {
  OperandData data{};
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = call->operands[i].data;
  return hand_out(std::move(call), data, workspace_size, executor);
}

std::shared_ptr<const PlannedCall> withdraw(const char* function, aclOpExecutor* executor,
                                            OperandData& data) noexcept {
  std::shared_ptr<const PlannedCall> call;
  if (const Executor found = executors.find(executor)) {
    std::copy(found.beside().data.begin(), found.beside().data.end(), data.begin());
    call = executors.take(found);
  }
  if (call == nullptr) refuse(function, "executor", executor, HandleKind::executor, kMetaCodes);
  return call;
}

aclnnStatus launch(const char* api, void* workspace, std::uint64_t workspace_size,
                   aclOpExecutor* executor, aclrtStream stream) noexcept {
  return without_throwing(api, ACLNN_ERR_RUNTIME_ERROR, [&]() -> aclnnStatus {
    const Executor found = executors.find(executor);
    if (found == nullptr) return refuse_executor(api, executor);
    Task task = RunPlan{};
    RunPlan& run = *std::get_if<RunPlan>(&task);
    const aclnnStatus bound = bind(api, found, workspace, workspace_size, run.binding);
    if (bound != ACLNN_SUCCESS) {
      if (!found.beside().repeatable && goes(RuntimeWay::failure_consumes)) executors.take(found);
      return bound;
    }
    // Consuming comes last and decides: of several threads that launch an executor one succeeds,
    // and a launch that fails for another reason leaves it alone.
    workspaces::User other;
    const Enqueued result = enqueue_on(stream, std::move(task), [&](const Stream& enqueuing) {
      std::byte* const place = run.binding.workspace;
      const workspaces::User user{enqueuing.number(), found->api};
      if (place) {
        other = workspaces::claim(place, found->workspace_bytes, user, !enqueuing.waits());
        if (other.stream != 0) return false;
      }
      run.call = found.beside().repeatable ? found.share() : executors.take(found);
      if (run.call == nullptr && place) {  // perhaps uncovered: race
        workspaces::release(place, found->workspace_bytes, user.stream);
      }
      return run.call != nullptr;
    });
    if (result == Enqueued::yes) return ACLNN_SUCCESS;
    if (result == Enqueued::refused && other.stream != 0) {
      return fail(
          ACLNN_ERR_PARAM_INVALID,
          "%s: workspace (%llu bytes at %p) is in use by %s on stream %u; synchronise that stream "
          "first, or let this call wait for it by an event",
          api, static_cast<unsigned long long>(found->workspace_bytes), workspace, other.api,
          static_cast<unsigned>(other.stream));
    }
    // perhaps uncovered: race
    if (result == Enqueued::refused) return refuse_executor(api, executor);
    if (result == Enqueued::full) return refuse_full(api, ACLNN_ERR_RUNTIME_ERROR);
    return refuse(api, "stream", stream, HandleKind::stream,
                  {ACLNN_ERR_RUNTIME_ERROR, ACLNN_ERR_RUNTIME_ERROR});
  });
}

void executors_at_fork(Fork phase) noexcept { executors.at_fork(phase, Inherited::kept); }

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  const Executor found = executors.find(executor);
  if (found == nullptr) {
    return refuse(__func__, "executor", executor, HandleKind::executor, kExecutorCodes);
  }
  found.beside().repeatable = true;
  return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  if (executors.remove(executor) != nullptr) return ACLNN_SUCCESS;
  const bool was =
      executor != nullptr && kind_byte(executor) == static_cast<std::uint8_t>(HandleKind::executor);
  if (was && goes(RuntimeWay::destroyed_again)) return ACLNN_SUCCESS;
  return refuse(__func__, "executor", executor, HandleKind::executor, kExecutorCodes);
}

const char* gradproof_executor_kernel(const aclOpExecutor* executor) {
  const Executor found = executors.find(executor);
  return found != nullptr ? found->kernel : nullptr;
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return set_operand(__func__, executor, Which::all, index, tensor, addr);
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return set_operand(__func__, executor, Which::inputs, index, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return set_operand(__func__, executor, Which::outputs, index, tensor, addr);
}

}  // extern "C"
