// A problem's tensors in memory, and the workspace beside them.
#pragma once

#include <optional>
#include <vector>

#include "bench/memory.h"
#include "bench/problem.h"

namespace gradproof::bench {

/// Builds of a library that are compared use the same tensors in turn: where memory lies changes
/// the time of a call by up to a fifth.
class Tensors {
 public:
  explicit Tensors(const Problem& problem);

  const Problem& problem() const { return problem_; }
  /// By slot; no bytes are at that of `self`, which is only described.
  std::vector<void*> data() const;
  /// At least so many bytes, for the next call; null for none.
  void* workspace(std::size_t bytes);
  /// Everything that a call may read or write.
  std::vector<std::span<std::byte>> memory() const;
  /// gradInput of the latest call, dense. Overwrites it, so that no other build can pass with it.
  ref::Dense take_result();

 private:
  const Problem& problem_;
  std::vector<Buffer> tensors_;  ///< by slot
  std::optional<Buffer> workspace_;
};

}  // namespace gradproof::bench
