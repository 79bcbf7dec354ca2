// The runtime's differences between the documents and CANN.
#include "opt/runtime/conformance.h"

namespace gradproof {
namespace {

constexpr char kNoted[] = "noted from public sources on CANN";

constexpr RuntimeDifference kTable[] = {
    {RuntimeWay::resolved_file, "`aclInit`",
     "a file name that `realpath` does not resolve (a file in memory)", "read", "100003", kNoted},
    {RuntimeWay::failure_consumes, "phase 2 of every operator",
     "a call that fails, with an executor that is not repeatable", "the executor is kept",
     "the executor is consumed, except if the queue is full, the stream is not alive, or another "
     "stream uses the workspace",
     kNoted},
    {RuntimeWay::destroyed_again, "`aclDestroyAclOpExecutor`", "a consumed or destroyed executor",
     "161002", "0", "noted: CANN returns 0 and corrupts its pool, which is not done here"},
    {RuntimeWay::null_destroyed, "`aclDestroyTensor`, and the functions for arrays and lists",
     "null", "161001", "0",
     "noted for tensors and arrays; torch_npu passes null for an empty list"},
    {RuntimeWay::tensor_first, "`aclSetTensorAddr` and similar functions",
     "an invalid tensor and an invalid executor", "the message names the executor",
     "the message names the tensor", kNoted},
    {RuntimeWay::any_index, "`aclSetTensorAddr` and similar functions", "an index without a tensor",
     "161002", "0, nothing changes", kNoted},
};

}  // namespace

std::span<const RuntimeDifference> runtime_differences() noexcept { return kTable; }

bool goes(RuntimeWay way) noexcept { return goes(way, config().conformance); }

bool goes(RuntimeWay way, Conformance conformance) noexcept {
  return conformance == Conformance::cann && kTable[static_cast<std::size_t>(way)].way == way;
}

}  // namespace gradproof
