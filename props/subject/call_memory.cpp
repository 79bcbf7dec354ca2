// Lays a call's tensors out in blocks, and reads them back.
#include "props/subject/call_memory.h"

#include <algorithm>
#include <utility>

#include "props/cases/counted.h"
#include "props/cases/data/outside.h"
#include "props/cases/shapes.h"
#include "props/subject/access.h"
#include "props/subject/mask_positions.h"
#include "props/subject/scatter.h"
#include "props/subject/trespass.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// Of aclrtMalloc's memory, which a workspace is.
constexpr std::size_t kWorkspaceAlignment = 64;
/// `self` of a gradient is never touched, so large ones need no host copy to compare with.
constexpr std::int64_t kLargeDescribed = std::int64_t{1} << 24;

}  // namespace

CallMemory::CallMemory(Session::State& s, const ref::Call& call,
                       const std::vector<ref::Dense>& data, const Manner& manner)
    : s_(s),
      call_(call),
      data_(data),
      manner_(manner),
      layout_(layout_of(call)),
      positions_(s.conduct != nullptr && indices_slot(call.op) >= 0 &&
                 s.conduct->has_positions(call)),
      plain_mask_(s.conduct != nullptr && indices_slot(call.op) >= 0 &&
                  s.conduct->ignores_mask_view(call)) {}

CallMemory::~CallMemory() {
  forget_memory();
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) s_.blocks[i].trim();
  s_.workspace.trim();
}

/// Where the elements of the tensor are.
ref::Tensor CallMemory::view(int slot) const {
  ref::Tensor tensor = call_.tensors[slot];
  if (plain_mask_ && slot == indices_slot(call_.op)) {
    tensor.offset = 0;
    tensor.null_strides = true;
  }
  return tensor;
}

CallMemory::Memory CallMemory::kind(const Allocation& allocation) const {
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
const ref::Dense* CallMemory::contents(int slot) const {
  const ref::Dense& dense = data_[slot];
  if (access_of(call_.op, slot) != ref::Access::read || dense.bytes.empty()) return nullptr;
  if (!positions_ || slot != indices_slot(call_.op)) return &dense;
  return position_data_ ? &*position_data_ : nullptr;  // Conduct::admit lets no other mask through
}

/// Fills gaps: plausible ones with the first element of an input; otherwise those of inputs, and
/// the guards around them, with what no element holds.
void CallMemory::fill_gaps(const Allocation& allocation, std::byte* image) const {
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
std::size_t CallMemory::alignment(const Allocation& allocation) const {
  std::int64_t most = 1;
  for (int slot : allocation.members) {
    const bool position = positions_ && slot == indices_slot(call_.op);
    const std::int64_t size = ref::dtype_size(position ? ref::kInt32 : call_.tensors[slot].dtype);
    most = std::max(most, size);
  }
  return static_cast<std::size_t>(most);
}

void CallMemory::set_accessible(bool accessible) const {
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i)
    s_.blocks[i].set_accessible(accessible);
  if (workspace_bytes_ > 0) s_.workspace.set_accessible(accessible);
}

void CallMemory::take_workspace(std::size_t bytes) {
  workspace_bytes_ = bytes;
  if (bytes == 0) return;
  s_.workspace.prepare(bytes, manner_.fence, kWorkspaceAlignment);
  s_.workspace.poison_guards(manner_.poison, manner_.workspace);
}

void CallMemory::note() const {
  if (!s_.on_given_memory) return;
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) {
    const Allocation& allocation = layout_.allocations[i];
    note_memory(tensor_name(call_.op, allocation.root), s_.blocks[i].data(),
                static_cast<std::size_t>(allocation.high - allocation.low));
  }
  if (workspace_bytes_ > 0) note_memory("the workspace", s_.workspace.data(), workspace_bytes_);
}

void CallMemory::lay_out() {
  if (const int mask = indices_slot(call_.op); positions_ && !data_[mask].bytes.empty())
    position_data_ = mask_to_positions(call_, data_[mask]);
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) {
    const Allocation& allocation = layout_.allocations[i];
    Block& block = s_.blocks[i];
    block.prepare(static_cast<std::size_t>(allocation.high - allocation.low), manner_.fence,
                  alignment(allocation));
    if (kind(allocation) == Memory::guards_only) {
      block.poison_guards(manner_.poison, manner_.poison);
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

void* CallMemory::pointer(int slot) const {
  const int i = layout_.allocation[slot];
  return s_.blocks[i].data() + (layout_.at[slot] - layout_.allocations[i].low);
}

void CallMemory::inspect_workspace(Outcome& out) const {
  if (workspace_bytes_ == 0) return;
  const auto change = s_.workspace.first_guard_change(manner_.poison);
  if (!change) return;
  if (change->at < 0) {
    out.trespasses.push_back("workspace: written " +
                             counted(static_cast<std::uint64_t>(-change->at), "byte") +
                             " before its start");
    return;
  }
  out.behind_workspace = s_.workspace.changed_behind(manner_.poison);
  const auto bytes = static_cast<std::int64_t>(workspace_bytes_);
  const std::int64_t last = bytes + out.behind_workspace - 1;
  const std::string first = std::to_string(change->at);
  out.trespasses.push_back((change->at == last ? "byte " + first + " of the workspace was written"
                                               : "bytes " + first + " to " + std::to_string(last) +
                                                     " of the workspace were written") +
                           "; phase 1 required " + std::to_string(bytes));
}

/// What the views hold may change; everything else must be as it was.
void CallMemory::take_outputs(const Allocation& allocation, Block& block, Outcome& out,
                              std::vector<ref::Dense>& outputs) const {
  const std::byte* got = block.download().data() + Block::kGuard - allocation.low;
  std::byte* expected = block.image().data() + Block::kGuard - allocation.low;
  out.wrote = out.wrote || block.first_change(true).has_value();
  for (int slot : allocation.members) {
    if (access_of(call_.op, slot) != ref::Access::written) continue;
    const ref::Tensor tensor = view(slot);
    ref::Dense dense = gather(tensor, got + layout_.at[slot]);
    if (!dense.bytes.empty()) scatter(tensor, dense.bytes.data(), expected + layout_.at[slot]);
    if (positions_ && slot == indices_slot(call_.op) && !dense.bytes.empty())
      dense = positions_to_mask(call_, dense, out.unreadable);
    outputs[slot] = std::move(dense);
  }
}

void CallMemory::collect(bool first, Outcome& out) {
  std::vector<ref::Dense> outputs(call_.tensors.size());
  for (std::size_t i = 0; i < layout_.allocations.size(); ++i) {
    const Allocation& allocation = layout_.allocations[i];
    Block& block = s_.blocks[i];
    const Memory memory = kind(allocation);
    if (memory == Memory::outputs) take_outputs(allocation, block, out, outputs);
    const std::optional<Change> change = memory == Memory::guards_only
                                             ? block.first_guard_change(manner_.poison)
                                             : block.first_change(memory == Memory::outputs);
    if (change) out.trespasses.push_back(trespass(call_, allocation, *change));
  }
  if (first) {
    out.outputs = std::move(outputs);
  } else if (!std::ranges::equal(outputs, out.outputs, {}, &ref::Dense::bytes,
                                 &ref::Dense::bytes)) {
    out.other_runs.push_back(std::move(outputs));
  }
}

}  // namespace gradproof::props
