// The machine that a call is planned for.
//
// A value: kernels read it and never ask the processor. So a call that is planned for AVX2 on a
// machine with AVX-512 gets the kernels, tiles and stores that a machine with AVX2 gives it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opt/base/instruction_set.h"

namespace gradproof::kernels {

inline constexpr std::size_t kLine = 64;  ///< bytes of a cache line

/// Outputs of this many bytes do not find room beside what is read in a core's own caches.
inline constexpr std::int64_t kStreamedBytes = 1 << 20;

struct Machine {
  InstructionSet instruction_set = InstructionSet::scalar;  ///< one that the processor has
  int threads = 1;                                          ///< at most so many for a call
  std::int64_t l2_bytes = 0;  ///< of a core's second-level cache; 0 where it is not known

  /// Outputs of this many bytes are streamed, past the caches, if all that is written at once is
  /// whole lines: half of the second-level cache, which what is read must share, within limits.
  /// Rows with gaps, or that begin within lines, took 1.2 to 1.4 times as long when they were
  /// streamed below kStreamedBytes.
  std::int64_t streamed_bytes(bool whole_lines) const;
};

/// The machine that runs this process, with the given choices of the user.
Machine machine_here(InstructionSet instruction_set, int threads);

}  // namespace gradproof::kernels
