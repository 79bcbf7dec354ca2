// The hand-over from phase 1 to phase 2: a planned call, which is an executor, and its launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "aclnn/aclnn_base.h"
#include "opt/base/status.h"
#include "opt/runtime/message.h"

namespace gradproof {

inline constexpr int kMaxOperands = 4;

enum class Access : std::uint8_t { read, described, written };

/// One tensor of a call, in parameter order.
struct Operand {
  const char* name = "";
  Access access = Access::read;
  bool empty = false;  ///< no elements: its data pointer is never followed
  /// The tensor's data pointer (before its offset) that phase 1 saw.
  void* data = nullptr;
  /// What is read or written, in bytes from the data pointer; both 0 if that is nothing.
  std::int64_t begin = 0, end = 0;
  bool beyond_storage = false;  ///< the tensor's storage does not say that these bytes are there
  bool apart = false;           ///< written after all was read: may share memory with what is read
  std::size_t alignment = 1;    ///< of the first byte
};

/// Addresses for one run, captured at launch.
struct Binding {
  std::array<std::byte*, kMaxOperands> data{};  ///< by operand
  std::byte* workspace = nullptr;
};

/// What log and trace tell about a call.
struct CallNotes {
  const char* api = "";
  const char* instruction_set = "";
  int threads = 1;  ///< at most so many
  std::uint64_t workspace_bytes = 0;
  std::string tensors;  ///< "gradOutput FLOAT[1,2,4], ..."
};

/// Everything that phase 1 decided about a call. It does not change once it was handed out: several
/// executors may have it, and it may run many times, also at the same time on several streams.
class PlannedCall {
 public:
  PlannedCall() = default;
  PlannedCall(const PlannedCall&) = delete;
  PlannedCall& operator=(const PlannedCall&) = delete;
  virtual ~PlannedCall() = default;
  /// Called on a stream's thread; allocates nothing.
  virtual Status run(const Binding& binding) const noexcept = 0;

  const char* api = "";     ///< "aclnnMaxPool3dWithArgmaxBackward"; identifies the operator
  const char* kernel = "";  ///< as gradproof_executor_kernel has it
  std::uint64_t workspace_bytes = 0;
  /// Bytes that a run goes through at most, by which a caller with a deadline decides whether to
  /// run it; the greatest number is "not known".
  std::uint64_t work = std::numeric_limits<std::uint64_t>::max();
  int operand_count = 0;
  std::array<Operand, kMaxOperands> operands{};
  Status refusal;  ///< phase 2's answer in place of a run, unless it is success
  std::unique_ptr<const CallNotes> notes;  ///< null if planned while nobody wanted to be told
};

/// Runs the body of phase 1.
template <class Body>
aclnnStatus plan(const char* api, Body&& body) noexcept {
  const aclnnStatus status = without_throwing(api, ACLNN_ERR_INNER_CREATE_EXECUTOR, body);
  status == ACLNN_SUCCESS ? forget_refusal() : keep_refusal(api);
  return status;
}

/// The operands' data pointers (before their offsets) that the next run will use.
using OperandData = std::array<void*, kMaxOperands>;

/// Ends phase 1: makes the call an executor and fills both outputs, or reports why not and leaves
/// them alone.
aclnnStatus hand_out(std::shared_ptr<const PlannedCall> call, const OperandData& data,
                     std::uint64_t* workspace_size, aclOpExecutor** executor) noexcept;
/// The same with the data pointers that phase 1 saw.
aclnnStatus hand_out(std::shared_ptr<const PlannedCall> call, std::uint64_t* workspace_size,
                     aclOpExecutor** executor) noexcept;

/// Ends an executor that was not launched yet and returns its call; null, reported, if it is not
/// alive.
std::shared_ptr<const PlannedCall> withdraw(const char* function, aclOpExecutor* executor,
                                            OperandData& data) noexcept;

/// Phase 2 of every operator: the checks that docs/contract.md lists for it, then the stream's
/// queue.
aclnnStatus launch(const char* api, void* workspace, std::uint64_t workspace_size,
                   aclOpExecutor* executor, aclrtStream stream) noexcept;

}  // namespace gradproof
