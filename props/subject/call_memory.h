// The memory of one call that is performed: its tensors and its workspace in a session's blocks,
// poisoned and guarded, and what became of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "props/cases/memory_layout.h"
#include "props/subject/session_state.h"

namespace gradproof::props {

class CallMemory {
 public:
  CallMemory(Session::State& s, const ref::Call& call, const std::vector<ref::Dense>& data,
             const Manner& manner);
  /// Gives back what the blocks have too much of.
  ~CallMemory();
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  /// Writes the inputs, and poison everywhere else.
  void lay_out();
  /// Of so many bytes; none if 0.
  void take_workspace(std::size_t bytes);
  /// Until this object is destroyed, an access that ends the process is described by the tensor or
  /// workspace nearest to it (access.h).
  void note() const;
  /// The data pointer of a tensor.
  void* pointer(int slot) const;
  /// Null if the call needs none.
  void* workspace() const { return workspace_bytes_ > 0 ? s_.workspace.data() : nullptr; }
  /// The pages of the fences.
  void set_accessible(bool accessible) const;

  /// Reads the outputs back and looks for changes everywhere else. Outputs of a later run of the
  /// same executor are kept if they differ from the first one's.
  void collect(bool first, Outcome& out);
  void inspect_workspace(Outcome& out) const;

 private:
  enum class Memory : std::uint8_t { inputs, outputs, guards_only };

  Memory kind(const Allocation& allocation) const;
  const ref::Dense* contents(int slot) const;
  void fill_gaps(const Allocation& allocation, std::byte* image) const;
  std::size_t alignment(const Allocation& allocation) const;
  ref::Tensor view(int slot) const;
  void take_outputs(const Allocation& allocation, Block& block, Outcome& out,
                    std::vector<ref::Dense>& outputs) const;

  Session::State& s_;
  const ref::Call& call_;
  const std::vector<ref::Dense>& data_;
  const Manner& manner_;
  const Layout layout_;
  const bool positions_;   ///< the mask is to hold INT32 positions
  const bool plain_mask_;  ///< the mask is to lie at its data pointer
  std::optional<ref::Dense> position_data_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace gradproof::props
