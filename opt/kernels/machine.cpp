// What kernels are planned for: the processor's caches, read once a process, and what the program
// chose for all calls.
#include "opt/kernels/machine.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace gradproof::kernels {
namespace {

constexpr std::int64_t kLeastStreamed = 256 << 10;  // smaller outputs gain little from streaming

constinit std::atomic<const char*> kernel_left_out{nullptr}, kernel_wanted{nullptr};
constinit std::atomic<bool> as_large{false}, small_blocks{false};

constexpr std::int64_t kNotAsked = -2;
constinit std::atomic<std::int64_t> l2_bytes{kNotAsked};

/// 0 or less where the system does not tell. Threads that ask at the same time get the same answer,
/// and none waits for another, which a child of fork() may not have.
std::int64_t l2_bytes_here() {
  std::int64_t bytes = l2_bytes.load(std::memory_order_relaxed);
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (bytes == kNotAsked) {
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    l2_bytes.store(bytes, std::memory_order_relaxed);
  }
#endif
  return bytes;
}

bool amd_here() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

}  // namespace

std::int64_t Machine::streamed_bytes(bool whole_lines) const {
  if (as_large) return 0;
  if (!whole_lines || l2_bytes <= 0) return kStreamedBytes;
  return std::clamp(l2_bytes / 2, kLeastStreamed, kStreamedBytes);
}

Machine machine_here(InstructionSet instruction_set, int threads) {
  const bool large = as_large.load(std::memory_order_relaxed);
  return {instruction_set,
          threads,
          l2_bytes_here(),
          kernel_left_out.load(std::memory_order_relaxed),
          kernel_wanted.load(std::memory_order_relaxed),
          large,
          small_blocks.load(std::memory_order_relaxed),
          large,
          amd_here()};
}

void leave_out(const char* kernel) { kernel_left_out.store(kernel, std::memory_order_relaxed); }

void want(const char* kernel) { kernel_wanted.store(kernel, std::memory_order_relaxed); }

void plan_as_large(bool whether, bool in_small_blocks) {
  as_large.store(whether, std::memory_order_relaxed);
  small_blocks.store(in_small_blocks, std::memory_order_relaxed);
}

}  // namespace gradproof::kernels
