// Both phases of one case on poisoned, guarded memory, and what may go wrong between them.
#include <algorithm>
#include <cstring>
#include <utility>

#include "props/cases/counted.h"
#include "props/cases/data/outside.h"
#include "props/cases/shapes.h"
#include "props/subject/mask_positions.h"
#include "props/subject/scatter.h"
#include "props/subject/session_state.h"
#include "props/subject/step.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// More than any honest plan needs for what the suite runs; a claim above it is not even tried.
constexpr std::uint64_t kLargestWorkspace = std::uint64_t{4} << 30;
/// Of aclrtMalloc's memory, which a workspace is.
constexpr std::size_t kWorkspaceAlignment = 64;
/// `self` of a gradient is never touched, so large ones need no host copy to compare with.
constexpr std::int64_t kLargeDescribed = std::int64_t{1} << 24;

/// One case being performed.
class Performance {
 public:
  Performance(Session::State& s, const Case& c, const std::vector<ref::Dense>& data,
              const Manner& manner, Outcome& out)
      : s_(s),
        api_(s.api),
        c_(c),
        call_(c.call),
        data_(data),
        manner_(manner),
        out_(out),
        layout_(layout_of(c.call)),
        positions_(s.conduct != nullptr && indices_slot(c.call.op) >= 0 &&
                   s.conduct->has_positions(c.call)),
        plain_mask_(s.conduct != nullptr && indices_slot(c.call.op) >= 0 &&
                    s.conduct->ignores_mask_view(c.call)) {}
  ~Performance();

  void all();

 private:
  enum class Memory : std::uint8_t { inputs, outputs, guards_only };

  Memory kind(const Allocation& allocation) const;
  const ref::Dense* contents(int slot) const;
  void fill_gaps(const Allocation& allocation, std::byte* image) const;
  std::size_t alignment(const Allocation& allocation) const;
  /// The pages of the fences.
  void set_accessible(bool accessible) const;
  void lay_out();
  ref::Tensor view(int slot) const;
  void* pointer(int slot) const;
  int needed_slot() const;
  bool misuse_before_run();
  bool run();
  void misuse_after_run();
  void tried(std::int32_t status);
  std::int32_t phase2(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                      aclrtStream stream) const;
  std::int32_t synchronise() const;
  void collect(bool first);
  void inspect_workspace();
  void* workspace() const { return out_.phase1.workspace > 0 ? s_.workspace.data() : nullptr; }

  Session::State& s_;
  const Api& api_;
  const Case& c_;
  const ref::Call& call_;
  const std::vector<ref::Dense>& data_;
  const Manner& manner_;
  Outcome& out_;
  const Layout layout_;
  const bool positions_;   ///< the mask is to hold INT32 positions
  const bool plain_mask_;  ///< the mask is to lie at its data pointer
  std::optional<ref::Dense> position_data_;
  std::optional<Descriptors> descriptors_;
  aclOpExecutor* executor_ = nullptr;  ///< alive and ours to destroy
};

Performance::~Performance() {
  if (executor_ != nullptr && api_.destroy_executor != nullptr) api_.destroy_executor(executor_);
  descriptors_.reset();  // after the executor, which may point to them
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) s_.blocks[i].trim();
  s_.workspace.trim();
}

/// Where the elements of the tensor are.
ref::Tensor Performance::view(int slot) const {
  ref::Tensor tensor = call_.tensors[slot];
  if (plain_mask_ && slot == indices_slot(call_.op)) {
    tensor.offset = 0;
    tensor.null_strides = true;
  }
  return tensor;
}

Performance::Memory Performance::kind(const Allocation& allocation) const {
  bool described = true;
  for (int slot : allocation.members) {
    const ref::Access access = access_of(call_.op, slot);
    if (access == ref::Access::written) return Memory::outputs;
    described = described && access == ref::Access::described;
  }
  return described && allocation.high - allocation.low > kLargeDescribed ? Memory::guards_only
                                                                         : Memory::inputs;
}

/// What the library reads there, element by element; null if nothing.
const ref::Dense* Performance::contents(int slot) const {
  const ref::Dense& dense = data_[slot];
  if (access_of(call_.op, slot) != ref::Access::read || dense.bytes.empty()) return nullptr;
  if (!positions_ || slot != indices_slot(call_.op)) return &dense;
  return position_data_ ? &*position_data_ : nullptr;  // Conduct::admit lets no other mask through
}

/// Fills gaps: plausible ones with the first element of an input; otherwise those of inputs, and
/// the guards around them, with what no element holds.
void Performance::fill_gaps(const Allocation& allocation, std::byte* image) const {
  int slot = allocation.root;
  std::int64_t guard = Block::kGuard;
  std::vector<std::byte> element;
  if (manner_.plausible_gaps) {
    const auto input = std::ranges::find_if(
        allocation.members, [&](int member) { return contents(member) != nullptr; });
    if (input == allocation.members.end()) return;
    slot = *input;
    guard = 0;
    const std::byte* const first = contents(slot)->bytes.data();
    element.assign(first, first + ref::dtype_size(view(slot).dtype));
  } else if (kind(allocation) == Memory::inputs) {
    element = outside_element(view(slot).dtype);
  }
  if (element.empty()) return;
  const auto size = static_cast<std::int64_t>(element.size());
  const std::int64_t first =
      allocation.low + (layout_.at[slot] - allocation.low) % size - guard / size * size;
  repeat(element, image + first, (allocation.high + guard - first) / size * size);
}

/// What the data pointers of its tensors must be multiples of.
std::size_t Performance::alignment(const Allocation& allocation) const {
  std::int64_t most = 1;
  for (int slot : allocation.members) {
    const bool position = positions_ && slot == indices_slot(call_.op);
    const std::int64_t size = ref::dtype_size(position ? ref::kInt32 : call_.tensors[slot].dtype);
    most = std::max(most, size);
  }
  return static_cast<std::size_t>(most);
}

void Performance::set_accessible(bool accessible) const {
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i)
    s_.blocks[i].set_accessible(accessible);
  if (out_.phase1.workspace > 0) s_.workspace.set_accessible(accessible);
}

void Performance::lay_out() {
  if (const int mask = indices_slot(call_.op); positions_ && !data_[mask].bytes.empty())
    position_data_ = mask_to_positions(call_, data_[mask]);
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) {
    const Allocation& allocation = layout_.allocations[i];
    Block& block = s_.blocks[i];
    block.prepare(static_cast<std::size_t>(allocation.high - allocation.low), manner_.fence,
                  alignment(allocation));
    if (kind(allocation) == Memory::guards_only) {
      block.poison_guards(manner_.poison);
      continue;
    }
    std::vector<std::byte>& bytes = block.make_image(manner_.poison);
    std::byte* image = bytes.data() + Block::kGuard - allocation.low;
    fill_gaps(allocation, image);
    for (int slot : allocation.members) {
      const ref::Dense* dense = contents(slot);
      if (dense != nullptr) scatter(view(slot), dense->bytes.data(), image + layout_.at[slot]);
    }
    block.upload();
  }
}

void* Performance::pointer(int slot) const {
  if (call_.tensors[slot].null_data || (c_.misuse == Misuse::null_data && slot == needed_slot()))
    return nullptr;
  const int i = layout_.allocation[slot];
  return s_.blocks[i].data() + (layout_.at[slot] - layout_.allocations[i].low);
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
    case Misuse::null_executor: tried(phase2(workspace(), size, nullptr, s_.stream)); break;
    case Misuse::null_workspace:
      if (size > 0) tried(phase2(nullptr, size, executor_, s_.stream));
      break;
    case Misuse::small_workspace:
      if (size > 0) tried(phase2(workspace(), size - 1, executor_, s_.stream));
      break;
    case Misuse::null_data:
      if (needed_slot() < 0) return true;
      tried(phase2(workspace(), size, executor_, s_.stream));
      return false;
    case Misuse::destroyed_executor:
      if (api_.destroy_executor == nullptr) return true;
      require(api_, "aclDestroyAclOpExecutor", api_.destroy_executor(executor_));
      tried(phase2(workspace(), size, std::exchange(executor_, nullptr), s_.stream));
      return false;
    case Misuse::foreign_executor:
      for (int other = 0; other < ref::kOperatorCount; ++other) {
        void* run = s_.entries[other].run;
        if (run == nullptr || other == static_cast<int>(call_.op)) continue;
        const Within step(Step::phase2);
        tried(invoke_phase2(run, workspace(), size, executor_, s_.stream));
        break;
      }
      break;
    case Misuse::unknown_executor: {
      alignas(64) static std::byte never_handed_out[4096];
      tried(
          phase2(workspace(), size, reinterpret_cast<aclOpExecutor*>(never_handed_out), s_.stream));
      break;
    }
    case Misuse::dead_stream: {
      aclrtStream dead = nullptr;
      require(api_, "aclrtCreateStream", api_.create_stream(&dead));
      require(api_, "aclrtDestroyStream", api_.destroy_stream(dead));
      tried(phase2(workspace(), size, executor_, dead));
      break;
    }
    case Misuse::none:
    case Misuse::consumed_executor: break;
  }
  if (!out_.misused) return true;
  // Phase 2 met another executor, or none.
  const bool untouched =
      c_.misuse == Misuse::null_executor || c_.misuse == Misuse::unknown_executor;
  if (out_.misuse_status != 0 && (untouched || s_.treatment.executors_after_failure)) return true;
  executor_ = nullptr;  // what was wrongly accepted may have consumed it, and so may a failure
  return false;
}

/// Phase 2 and synchronisation. False if either failed.
bool Performance::run() {
  out_.ran = true;
  set_accessible(false);
  out_.phase2 = phase2(workspace(), out_.phase1.workspace, executor_, s_.stream);
  if (out_.phase2 == 0) out_.sync = synchronise();
  set_accessible(true);
  if (out_.phase2 != 0) {
    out_.message = s_.recent_error();
    if (!s_.treatment.executors_after_failure) executor_ = nullptr;
    return false;
  }
  if (out_.sync != 0) out_.message = s_.recent_error();
  return out_.sync == 0;
}

void Performance::all() {
  lay_out();
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
  const std::size_t workspace_bytes = static_cast<std::size_t>(out_.phase1.workspace);
  if (workspace_bytes > 0) {
    s_.workspace.prepare(workspace_bytes, manner_.fence, kWorkspaceAlignment);
    s_.workspace.poison_guards(manner_.poison);
  }

  bool repeatable =
      manner_.repeats > 1 && api_.set_repeatable != nullptr && c_.misuse == Misuse::none;
  if (repeatable) {
    const std::int32_t status = api_.set_repeatable(executor_);
    if (s_.treatment.repeatable_executors) require(api_, "aclSetAclOpExecutorRepeatable", status);
    repeatable = status == 0;
  }
  if (misuse_before_run()) {
    for (int i = 0; i < (repeatable ? manner_.repeats : 1); ++i) {
      if (i > 0) lay_out();
      const bool good = run();
      if (out_.phase2 == 0 && !repeatable && c_.misuse != Misuse::consumed_executor)
        executor_ = nullptr;
      collect(i == 0);
      if (!good) break;
    }
    if (c_.misuse == Misuse::consumed_executor && out_.phase2 == 0) {
      tried(
          phase2(workspace(), out_.phase1.workspace, std::exchange(executor_, nullptr), s_.stream));
    }
  } else {
    collect(true);
    out_.outputs.clear();
  }
  if (workspace_bytes > 0) inspect_workspace();
}

void Performance::inspect_workspace() {
  const auto change = s_.workspace.first_guard_change(manner_.poison);
  if (!change) return;
  const auto bytes = static_cast<std::int64_t>(out_.phase1.workspace);
  out_.trespasses.push_back(
      change->at < 0
          ? "workspace: written " + counted(static_cast<std::uint64_t>(-change->at), "byte") +
                " before its start"
          : "workspace: written " +
                counted(static_cast<std::uint64_t>(change->at - bytes + 1), "byte") + " past the " +
                std::to_string(bytes) + " that phase 1 required");
}

/// Reads the outputs back and looks for changes everywhere else.
void Performance::collect(bool first) {
  if (first) out_.outputs.resize(call_.tensors.size());
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) {
    const Allocation& allocation = layout_.allocations[i];
    Block& block = s_.blocks[i];
    const Memory memory = kind(allocation);
    std::optional<Change> change;
    if (memory == Memory::guards_only) {
      change = block.first_guard_change(manner_.poison);
    } else if (memory == Memory::inputs) {
      change = block.first_change(false);
    } else {
      const std::byte* got = block.download().data() + Block::kGuard - allocation.low;
      std::byte* expected = block.image().data() + Block::kGuard - allocation.low;
      out_.wrote = out_.wrote || block.first_change(true).has_value();
      for (int slot : allocation.members) {
        if (access_of(call_.op, slot) != ref::Access::written) continue;
        const ref::Tensor tensor = view(slot);
        ref::Dense dense = gather(tensor, got + layout_.at[slot]);
        // What the view holds may change; everything else must be as it was.
        if (!dense.bytes.empty()) scatter(tensor, dense.bytes.data(), expected + layout_.at[slot]);
        if (positions_ && slot == indices_slot(call_.op) && !dense.bytes.empty())
          dense = positions_to_mask(call_, dense, out_.unreadable);
        if (first) {
          out_.outputs[slot] = std::move(dense);
        } else if (out_.unstable.empty() && dense.bytes != out_.outputs[slot].bytes) {
          out_.unstable = std::string(tensor_name(call_.op, slot)) +
                          " differs between two runs of one repeatable executor";
        }
      }
      change = block.first_change(true);
    }
    if (change) out_.trespasses.push_back(trespass(call_, allocation, *change));
  }
}

}  // namespace

void Session::State::perform(const Case& c, const std::vector<ref::Dense>& data,
                             const Manner& manner, Outcome& outcome) {
  make_stream();
  Performance(*this, c, data, manner, outcome).all();
}

}  // namespace gradproof::props
