// Runs a kernel the way that every kernel must stand: any thread count, any floating-point mode of
// the caller, exactly the workspace that it asked for, no allocation; the same bits each time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstring>
#include <string_view>
#include <vector>

#include "opt/kernels/kernel.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gradproof::test {

/// How often operator new was called so far, by any thread (allocations.cpp).
std::uint64_t allocations();

/// Rounds upward and, where the machine has it, flushes subnormals, until it is destroyed.
class HostileMode {
 public:
  HostileMode() {
    std::fegetenv(&saved_);
    std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
    mode_ = _mm_getcsr() & ~_MM_EXCEPT_MASK;
#endif
  }
  ~HostileMode() { std::fesetenv(&saved_); }
  bool still_in_force() const {
#if defined(__x86_64__)
    if ((_mm_getcsr() & ~_MM_EXCEPT_MASK) != mode_) return false;
#endif
    return std::fegetround() == FE_UPWARD;
  }

 private:
  std::fenv_t saved_;
  unsigned mode_ = 0;
};

/// Any machine will do: what it is decides which path runs, never the result.
inline kernels::Machine machine(InstructionSet set = best_instruction_set(), int threads = 1) {
  return {set, threads, 1 << 20};
}

/// Whether the table has a kernel of that name, and it supports the geometry.
template <class Geometry, class Buffers>
bool supports(kernels::Table<Geometry, Buffers> table, std::string_view name,
              const Geometry& geometry) {
  return std::any_of(table.begin(), table.end(), [&](const auto& kernel) {
    return kernel.name == name && kernel.supports(geometry);
  });
}

/// Runs a kernel of the table and, if it declines, the one that takes over, with a workspace of
/// exactly the size asked for, between guards.
template <class Geometry, class Buffers>
kernels::Outcome run_once(kernels::Table<Geometry, Buffers> table,
                          const kernels::Kernel<Geometry, Buffers>& kernel,
                          const Geometry& geometry, const Buffers& buffers,
                          const kernels::Machine& on = machine()) {
  constexpr std::size_t kGuard = 256;
  const kernels::CallPlan<Geometry, Buffers> plan(table, kernel, geometry, on);
  const std::uint64_t bytes = plan.workspace_bytes();
  std::vector<std::byte> memory(bytes + 2 * kGuard + 64, std::byte{0xa5});
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data() + kGuard);
  std::byte* workspace = memory.data() + kGuard + (64 - address % 64) % 64;
  std::memset(workspace, 0xff, bytes);  // NaN, should a kernel read before it writes
  const std::uint64_t before = allocations();
  const kernels::Outcome outcome = plan.run(buffers, bytes > 0 ? workspace : nullptr);
  if (on.threads == 1) {
    EXPECT_EQ(allocations(), before) << kernel.name << " allocated on the heap";
  }
  EXPECT_FALSE(outcome.declined()) << kernel.name;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const std::byte* at = memory.data() + i;
    if (at >= workspace && at < workspace + bytes) continue;
    if (*at != std::byte{0xa5}) {
      ADD_FAILURE() << kernel.name << ": workspace overrun at byte " << at - workspace << " of "
                    << bytes;
      break;
    }
  }
  return outcome;
}

/// Whether a kernel serves a call to its end, without the one that takes over.
template <class Geometry, class Buffers>
bool serves(const kernels::Kernel<Geometry, Buffers>& kernel, const Geometry& geometry,
            const Buffers& buffers) {
  kernels::PlanBox<kernels::Plan<Geometry, Buffers>> plan;
  kernel.plan(plan, geometry, machine());
  std::vector<std::byte> memory(plan->layout.bytes() + 64);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return !plan->run(buffers, memory.data() + (64 - address % 64) % 64).declined();
}

/// Runs each kernel of the table that supports the geometry, whatever the policy would choose, on
/// each instruction set that the machine has, with 1, 2 and 5 threads and under HostileMode, and
/// expects the outcome and the bits of the last kernel, the one for any geometry. `outputs` is the
/// memory that `buffers` writes to, and holds the result afterwards.
template <class Geometry, class Buffers>
kernels::Outcome run_everywhere(kernels::Table<Geometry, Buffers> table, const Geometry& geometry,
                                const Buffers& buffers, std::vector<std::byte*> outputs,
                                std::vector<std::size_t> sizes) {
  std::vector<std::vector<std::byte>> fresh, first;
  const auto save = [&](std::vector<std::vector<std::byte>>& to) {
    to.clear();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      to.emplace_back(outputs[i], outputs[i] + sizes[i]);
  };
  const auto same_as_first = [&] {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (sizes[i] > 0 && std::memcmp(outputs[i], first[i].data(), sizes[i]) != 0) return false;
    }
    return true;
  };
  save(fresh);
  const kernels::Outcome outcome = run_once(table, table.back(), geometry, buffers);
  save(first);
  for (const auto& kernel : table) {
    if (!kernel.supports(geometry)) continue;
    const auto again = [&](int threads, InstructionSet set) {
      for (std::size_t i = 0; i < outputs.size(); ++i)
        std::copy(fresh[i].begin(), fresh[i].end(), outputs[i]);
      const kernels::Outcome other =
          run_once(table, kernel, geometry, buffers, machine(set, threads));
      EXPECT_EQ(other.end, outcome.end) << kernel.name;
      EXPECT_EQ(other.position, outcome.position) << kernel.name;
      EXPECT_EQ(other.value, outcome.value) << kernel.name;
      if (outcome.done()) {
        EXPECT_TRUE(same_as_first())
            << kernel.name << ", " << name(set) << ", " << threads << " threads";
      }
    };
    for (int i = 0; i < kInstructionSets; ++i) {
      const auto set = static_cast<InstructionSet>(i);
      if (!available(set)) continue;
      for (const int threads : {1, 2, 5}) again(threads, set);
    }
    const HostileMode mode;
    again(1, best_instruction_set());
    again(5, best_instruction_set());
    EXPECT_TRUE(mode.still_in_force());
  }
  return outcome;
}

}  // namespace gradproof::test
