// The machine that a call is planned for.
//
// A value: kernels read it and never ask the processor. So a call that is planned for AVX2 on a
// machine with AVX-512 gets the kernels, tiles and stores that a machine with AVX2 gives it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "opt/base/instruction_set.h"

namespace gradproof::kernels {

inline constexpr std::size_t kLine = 64;  ///< bytes of a cache line

/// Outputs of this many bytes do not fit into a core's own caches beside the inputs.
inline constexpr std::int64_t kStreamedBytes = 1 << 20;

struct Machine {
  InstructionSet instruction_set = InstructionSet::scalar;  ///< one that the processor has
  int threads = 1;                                          ///< at most so many for a call
  std::int64_t l2_bytes = 0;  ///< of a core's L2 cache; 0 where it is not known
  /// A kernel that is not chosen, by its name; null: all are chosen from.
  const char* left_out = nullptr;
  /// A kernel that is chosen wherever it is right, by its name; null: the preferred one is.
  const char* wanted = nullptr;
  /// Small calls are planned like large ones: divided among all threads, and streamed.
  bool as_large = false;
  /// Blocks, which are sized for a cache, are much smaller, so that small calls have several.
  bool small_blocks = false;
  /// Areas of the workspace have gaps between them, into which no kernel may write. For tests
  /// alone; `as_large` is also set for parts of large calls.
  bool gaps = false;
  bool amd = false;  ///< the processor is from AMD

  /// Whether code for AVX2 runs on it: with AVX-512, too.
  bool has_avx2() const {
    return instruction_set == InstructionSet::avx2 || instruction_set == InstructionSet::avx512;
  }

  /// The same for the kernel that another kernel runs, which is the library's choice.
  Machine for_inner() const {
    Machine inner = *this;
    inner.wanted = nullptr;
    return inner;
  }

  /// A block's size: `usual`, or with `small_blocks` 1/64 of it, but no less than
  /// `least`.
  std::int64_t block(std::int64_t usual, std::int64_t least = 1) const {
    return small_blocks ? std::max(least, usual / 64) : usual;
  }

  /// Outputs of this many bytes or more are streamed. If everything is written in whole lines: half
  /// of the L2 cache, because inputs need the rest, within limits. Else kStreamedBytes: streaming
  /// smaller outputs with partial lines is slower than storing them.
  std::int64_t streamed_bytes(bool whole_lines) const;
};

/// The machine that runs this process, with the given choices of the user.
Machine machine_here(InstructionSet instruction_set, int threads);

/// Machines that `machine_here` makes from now on leave this kernel out. @param kernel lives for
/// ever, or null
void leave_out(const char* kernel);
/// Likewise, want this kernel.
void want(const char* kernel);
/// Likewise, plan small calls as large ones with gaps, also with small blocks, or no longer.
void plan_as_large(bool whether, bool small_blocks);

}  // namespace gradproof::kernels
