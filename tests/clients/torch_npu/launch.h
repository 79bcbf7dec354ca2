// One call of an operator: arguments become descriptors, phase 1, a workspace from the pool, phase
// 2, and the descriptors are released right after phase 2 has returned, before anything was
// synchronised. In the manner of Ascend/op-plugin, op_plugin/utils/op_api_common.h
// (EXEC_NPU_CMD_V1, EXEC_NPU_CMD_V2).
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tests/clients/torch_npu/functions.h"
#include "tests/clients/torch_npu/memory.h"

namespace client {

/// What runs where, TASK_QUEUE_ENABLE of torch_npu: 0 all in the caller's thread, 1 phase 2 in the
/// queue's thread, 2 both phases there.
int task_queue();
/// Hands work to the queue's thread, or does it at once if there is no queue.
void enqueue(std::function<void()> task);
/// Waits until the queue is empty.
void drain();

/// Format by rank, storage of one dimension.
aclTensor* convert(const Tensor& tensor);
aclIntArray* convert(const std::vector<std::int64_t>& numbers);
inline bool convert(bool value) { return value; }
inline double convert(double value) { return value; }

inline void release(aclTensor* tensor) { MUST(ACL(aclDestroyTensor)(tensor)); }
inline void release(aclIntArray* numbers) { MUST(ACL(aclDestroyIntArray)(numbers)); }
inline void release(bool) {}
inline void release(double) {}

template <class... Arguments>
void launch(aclrtStream stream, const std::string& operator_name, const Arguments&... arguments) {
  using Phase1 = int(decltype(convert(arguments))..., std::uint64_t*, aclOpExecutor**);
  using Phase2 = int(void*, std::uint64_t, aclOpExecutor*, aclrtStream);
  const auto phase1 =
      reinterpret_cast<Phase1*>(must_find((operator_name + "GetWorkspaceSize").c_str()));
  const auto phase2 = reinterpret_cast<Phase2*>(must_find(operator_name.c_str()));

  const auto prepare = [=] {
    const auto converted = std::make_tuple(convert(arguments)...);
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    std::apply(
        [&](auto... c) { must_succeed(phase1(c..., &size, &executor), operator_name.c_str()); },
        converted);
    void* const workspace = size != 0 ? workspace_of(stream, size) : nullptr;
    return [=] {
      must_succeed(phase2(workspace, size, executor, stream), operator_name.c_str());
      std::apply([](auto... c) { (release(c), ...); }, converted);
    };
  };
  if (task_queue() == 2)
    enqueue([prepare] { prepare()(); });
  else
    enqueue(prepare());
}

}  // namespace client
