// Both phases of one case, and what may go wrong between them.
#include <utility>

#include "props/cases/counted.h"
#include "props/cases/shapes.h"
#include "props/subject/call_memory.h"
#include "props/subject/session_state.h"
#include "props/subject/step.h"

namespace gradproof::props {
namespace {

/// More than any honest plan needs for what the suite runs; a claim above it is not even tried.
constexpr std::uint64_t kLargestWorkspace = std::uint64_t{4} << 30;

/// One case being performed.
class Performance {
 public:
  Performance(Session::State& s, const Case& c, const std::vector<ref::Dense>& data,
              const Manner& manner, Outcome& out)
      : s_(s),
        api_(s.api),
        c_(c),
        call_(c.call),
        manner_(manner),
        out_(out),
        memory_(s, c.call, data, manner) {}
  ~Performance();

  void all();

 private:
  /// The data pointer that the library gets.
  void* pointer(int slot) const;
  int needed_slot() const;
  bool misuse_before_run();
  bool run();
  void tried(std::int32_t status);
  std::int32_t phase2(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                      aclrtStream stream) const;
  std::int32_t synchronise() const;

  Session::State& s_;
  const Api& api_;
  const Case& c_;
  const ref::Call& call_;
  const Manner& manner_;
  Outcome& out_;
  CallMemory memory_;
  std::optional<Descriptors> descriptors_;
  aclOpExecutor* executor_ = nullptr;  ///< alive and ours to destroy
};

Performance::~Performance() {
  if (executor_ != nullptr && api_.destroy_executor != nullptr) api_.destroy_executor(executor_);
  descriptors_.reset();  // after the executor, which may point to them
}

void* Performance::pointer(int slot) const {
  if (call_.tensors[slot].null_data || (c_.misuse == Misuse::null_data && slot == needed_slot()))
    return nullptr;
  return memory_.pointer(slot);
}

/// The first tensor whose data phase 2 needs; -1 if there is none.
int Performance::needed_slot() const {
  for (int slot = 0; slot < static_cast<int>(call_.tensors.size()); ++slot) {
    if (access_of(call_.op, slot) != ref::Access::described &&
        element_count(call_.tensors[slot]) > 0)
      return slot;
  }
  return -1;
}

std::int32_t Performance::phase2(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                                 aclrtStream stream) const {
  const Within step(manner_.fence == Fence::none ? Step::phase2 : Step::fenced_phase2);
  return invoke_phase2(s_.entries[static_cast<std::size_t>(call_.op)].run, workspace, size,
                       executor, stream);
}

std::int32_t Performance::synchronise() const {
  const Within step(manner_.fence == Fence::none ? Step::synchronise : Step::fenced_synchronise);
  return api_.synchronize_stream(s_.stream);
}

void Performance::tried(std::int32_t status) {
  out_.misused = true;
  out_.misuse_status = status;
  if (status != 0) {
    out_.misuse_message = s_.recent_error();
  } else {
    // Wrongly accepted: whatever was enqueued has to end before memory is looked at or reused.
    synchronise();
  }
}

/// Tries the case's misuse. False if the call cannot go on afterwards.
bool Performance::misuse_before_run() {
  const std::uint64_t size = out_.phase1.workspace;
  switch (c_.misuse) {
    case Misuse::null_executor: tried(phase2(memory_.workspace(), size, nullptr, s_.stream)); break;
    case Misuse::null_workspace:
      if (size > 0) tried(phase2(nullptr, size, executor_, s_.stream));
      break;
    case Misuse::small_workspace:
      if (size > 0) tried(phase2(memory_.workspace(), size - 1, executor_, s_.stream));
      break;
    case Misuse::null_data:
      if (needed_slot() < 0) return true;
      tried(phase2(memory_.workspace(), size, executor_, s_.stream));
      break;
    case Misuse::destroyed_executor:
      if (api_.destroy_executor == nullptr) return true;
      require(api_, "aclDestroyAclOpExecutor", api_.destroy_executor(executor_));
      tried(phase2(memory_.workspace(), size, std::exchange(executor_, nullptr), s_.stream));
      return false;
    case Misuse::foreign_executor:
      for (int other = 0; other < ref::kOperatorCount; ++other) {
        void* run = s_.entries[other].run;
        if (run == nullptr || other == static_cast<int>(call_.op)) continue;
        const Within step(Step::phase2);
        tried(invoke_phase2(run, memory_.workspace(), size, executor_, s_.stream));
        break;
      }
      break;
    case Misuse::unknown_executor: {
      alignas(64) static std::byte never_handed_out[4096];
      tried(phase2(memory_.workspace(), size, reinterpret_cast<aclOpExecutor*>(never_handed_out),
                   s_.stream));
      break;
    }
    case Misuse::dead_stream: {
      aclrtStream dead = nullptr;
      require(api_, "aclrtCreateStream", api_.create_stream(&dead));
      require(api_, "aclrtDestroyStream", api_.destroy_stream(dead));
      tried(phase2(memory_.workspace(), size, executor_, dead));
      break;
    }
    case Misuse::none:
    case Misuse::consumed_executor: break;
  }
  if (!out_.misused) return true;
  // Phase 2 met another executor, or none.
  const bool untouched =
      c_.misuse == Misuse::null_executor || c_.misuse == Misuse::unknown_executor;
  const bool is_there =
      out_.misuse_status != 0 && (untouched || s_.treatment.executors_after_failure);
  if (!is_there) executor_ = nullptr;  // what was wrongly accepted, or failed, may have consumed it
  return is_there && c_.misuse != Misuse::null_data;  // which phase 2 would meet again
}

/// Phase 2 and synchronisation. False if either failed.
bool Performance::run() {
  out_.ran = true;
  memory_.set_accessible(false);
  out_.phase2 = phase2(memory_.workspace(), out_.phase1.workspace, executor_, s_.stream);
  if (out_.phase2 == 0) out_.sync = synchronise();
  memory_.set_accessible(true);
  if (out_.phase2 != 0) {
    out_.message = s_.recent_error();
    if (!s_.treatment.executors_after_failure) executor_ = nullptr;
    return false;
  }
  if (out_.sync != 0) out_.message = s_.recent_error();
  return out_.sync == 0;
}

void Performance::all() {
  memory_.lay_out();
  std::vector<void*> data(call_.tensors.size());
  for (std::size_t slot = 0; slot < data.size(); ++slot)
    data[slot] = pointer(static_cast<int>(slot));
  descriptors_.emplace(api_, call_, data);
  out_.phase1 = s_.phase1(call_, *descriptors_, &executor_);
  if (manner_.early_destruction) descriptors_.reset();
  if (out_.phase1.status != 0 || executor_ == nullptr || !out_.phase1.workspace_touched) return;
  if (out_.phase1.workspace > kLargestWorkspace) {
    throw SubjectFailure("phase 1 requires a workspace of " +
                         counted(out_.phase1.workspace, "byte"));
  }
  memory_.take_workspace(static_cast<std::size_t>(out_.phase1.workspace));
  memory_.note();
  bool repeatable =
      manner_.repeats > 1 && api_.set_repeatable != nullptr && c_.misuse == Misuse::none;
  if (repeatable) {
    const std::int32_t status = api_.set_repeatable(executor_);
    if (s_.treatment.repeatable_executors) require(api_, "aclSetAclOpExecutorRepeatable", status);
    repeatable = status == 0;
  }
  if (misuse_before_run()) {
    for (int i = 0; i < (repeatable ? manner_.repeats : 1); ++i) {
      if (i > 0) memory_.lay_out();
      const bool good = run();
      if (out_.phase2 == 0 && !repeatable && c_.misuse != Misuse::consumed_executor)
        executor_ = nullptr;
      memory_.collect(i == 0, out_);
      if (!good) break;
    }
    if (c_.misuse == Misuse::consumed_executor && out_.phase2 == 0) {
      tried(phase2(memory_.workspace(), out_.phase1.workspace, std::exchange(executor_, nullptr),
                   s_.stream));
    }
  } else {
    memory_.collect(true, out_);
    out_.outputs.clear();
  }
  memory_.inspect_workspace(out_);
}

}  // namespace

void Session::State::perform(const Case& c, const std::vector<ref::Dense>& data,
                             const Manner& manner, Outcome& outcome) {
  make_stream();
  Performance(*this, c, data, manner, outcome).all();
}

}  // namespace gradproof::props
