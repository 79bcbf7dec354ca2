// The runtime's differences between the documents and CANN.
#include "opt/runtime/conformance.h"

namespace gradproof {
namespace {

constexpr char kNoted[] = "noted from public sources on CANN";

constexpr RuntimeDifference kTable[] = {
    {RuntimeWay::resolved_file, "`aclInit`",
     "a file name that `realpath` does not resolve (a file in memory)", "read", "100003", kNoted},
    {RuntimeWay::failure_consumes, "phase 2 of every operator",
     "a call that fails, of an executor that is not repeatable", "the executor stays",
     "the executor is gone", kNoted},
    {RuntimeWay::destroyed_again, "`aclDestroyAclOpExecutor`", "an executor that is gone", "161002",
     "0", "noted: CANN answers 0 and corrupts its pool, which is not done here"},
    {RuntimeWay::null_destroyed, "`aclDestroyTensor`, the arrays' and lists' alike", "null",
     "161001", "0", "noted of tensors and arrays; torch_npu passes null for an empty list"},
    {RuntimeWay::tensor_first, "`aclSetTensorAddr` and its kin", "a bad tensor and a bad executor",
     "the executor is named", "the tensor is named", kNoted},
    {RuntimeWay::any_index, "`aclSetTensorAddr` and its kin", "an index that no tensor has",
     "161002", "0, nothing is changed", kNoted},
};

}  // namespace

std::span<const RuntimeDifference> runtime_differences() noexcept { return kTable; }

bool goes(RuntimeWay way) noexcept { return goes(way, config().conformance); }

bool goes(RuntimeWay way, Conformance conformance) noexcept {
  return conformance == Conformance::cann && kTable[static_cast<std::size_t>(way)].way == way;
}

}  // namespace gradproof
