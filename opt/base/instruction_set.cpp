// Instruction sets as Highway knows them.
#include "opt/base/instruction_set.h"

#include <atomic>

#include "opt/base/highway_targets.h"
#include "opt/base/processor.h"

#include "hwy/highway.h"

namespace gradproof {
namespace {

struct Entry {
  const char* name;
  std::int64_t targets;  ///< Highway's bits
};

constexpr Entry kEntries[kInstructionSets] = {
    {"scalar", HWY_SCALAR | HWY_EMU128},
#if HWY_ARCH_X86
    {"sse4", HWY_SSE4},
    {"avx2", HWY_AVX2},
    {"avx512", HWY_AVX3},
#else
    {"sse4", 0},
    {"avx2", 0},
    {"avx512", 0},
#endif
#if HWY_ARCH_ARM
    {"neon", HWY_NEON},
    {"sve", HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128},
#else
    {"neon", 0},
    {"sve", 0},
#endif
};

constinit std::atomic<std::int64_t> usable{0};  // 0: not asked yet

/// Those that the processor has of the ones that are compiled; the baseline is always among them.
/// Asked once: in a virtual machine each question to the processor takes microseconds. Threads that
/// ask at the same time get the same answer, and none waits for another, which a child of fork()
/// may not have.
std::int64_t usable_targets() {
  std::int64_t targets = usable.load(std::memory_order_relaxed);
  if (targets == 0) {
    targets = processor_targets() & HWY_TARGETS;
    usable.store(targets, std::memory_order_relaxed);
  }
  return targets;
}

const Entry& entry(InstructionSet set) { return kEntries[static_cast<std::size_t>(set)]; }

}  // namespace

const char* name(InstructionSet set) noexcept { return entry(set).name; }

bool available(InstructionSet set) noexcept { return (entry(set).targets & usable_targets()) != 0; }

InstructionSet best_instruction_set() noexcept {
  int best = kInstructionSets - 1;
  // uncovered: a machine without vectors
  while (best > 0 && !available(static_cast<InstructionSet>(best))) --best;
  return static_cast<InstructionSet>(best);
}

std::optional<InstructionSet> find_instruction_set(std::string_view name) noexcept {
  for (int i = 0; i < kInstructionSets; ++i) {
    const auto set = static_cast<InstructionSet>(i);
    if (name == entry(set).name && available(set)) return set;
  }
  return std::nullopt;
}

std::string available_instruction_sets() {
  std::string list;
  for (int i = 0; i < kInstructionSets; ++i) {
    if (!available(static_cast<InstructionSet>(i))) continue;
    if (!list.empty()) list += ", ";
    list += kEntries[i].name;
  }
  return list;
}

std::size_t dispatch_index(InstructionSet set, std::size_t size) noexcept {
  if (size == 1) return 0;  // uncovered: an architecture without dynamic dispatch
  hwy::ChosenTarget chosen;
  chosen.Update(entry(set).targets & usable_targets());
  return chosen.GetIndex() - 1;  // entry 0 of Highway's own tables is a function that chooses
}

}  // namespace gradproof
