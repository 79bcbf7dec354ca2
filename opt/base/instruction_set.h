// The vector instructions that kernels may use: which there are, and their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gradproof {

/// `scalar` is the baseline of the processor's family without vector code of ours.
enum class InstructionSet : std::uint8_t { scalar, sse4, avx2, avx512, neon, sve };
inline constexpr int kInstructionSets = 6;

/// "scalar", "sse4", "avx2", "avx512", "neon", "sve".
const char* name(InstructionSet set) noexcept;

/// Whether the library has kernels for it and the processor can run them.
bool available(InstructionSet set) noexcept;

/// The one that kernels use unless the user chose another.
InstructionSet best_instruction_set() noexcept;

/// The available one of that name, if any.
std::optional<InstructionSet> find_instruction_set(std::string_view name) noexcept;

/// Those of this machine, "scalar, sse4, avx2", for messages.
std::string available_instruction_sets();

/// The place of a set's function in a table of GRADPROOF_VARIANTS that has `size` entries.
std::size_t dispatch_index(InstructionSet set, std::size_t size) noexcept;

}  // namespace gradproof
