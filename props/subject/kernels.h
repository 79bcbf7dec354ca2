// The kernels that a library says it has (include/gradproof/kernels.h), and which of them run.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gradproof/statistics.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// Calls that a kernel has computed, of one element type and with one instruction set.
struct KernelUse {
  ref::Operator op{};
  std::string kernel;
  std::int32_t dtype = 0;  ///< of the first tensor
  std::string instruction_set;
  bool compared = false;  ///< the property `kernels` chose the kernel, not the library

  friend auto operator<=>(const KernelUse&, const KernelUse&) = default;
};
using KernelUses = std::map<KernelUse, std::uint64_t>;

/// A campaign by time draws for kernels, types and instruction sets that the library chose less
/// often.
inline constexpr std::uint64_t kLeastRuns = 3;

/// How calls are planned that are small: gradproof_plan_as_large.
enum class SmallCalls : int { usual = 0, like_large = 1, in_small_blocks = 2 };

class Kernels {
 public:
  explicit Kernels(const Library& library);

  /// Names of the operator's kernels; empty if the library does not tell.
  std::vector<std::string> of(ref::Operator op) const;
  /// The kernel that the executor runs; "" if the library does not tell.
  std::string chosen(const aclOpExecutor* executor) const;
  /// Chooses one that is used wherever it is right; "": the library chooses. False if the library
  /// has no such function, or no such kernel.
  bool use(const std::string& name) const;
  /// How small calls are planned from now on. False if the library has no such function.
  bool plan(SmallCalls how) const;
  /// Chooses the value of an option while the library runs; "": withdraws the choice. False if the
  /// library has no such function, or refuses the value.
  bool choose(const char* option, const std::string& value) const;
  /// How many kernels have left a run to another one, because of an index outside its window; 0 if
  /// the library does not tell.
  std::uint64_t declined() const;
  /// The instruction set in force; "" if the library does not tell.
  std::string instruction_set() const;

 private:
  const char* (*name_)(const char* api, std::size_t index) = nullptr;
  const char* (*chosen_)(const aclOpExecutor* executor) = nullptr;
  aclError (*use_)(const char* name) = nullptr;
  void (*plan_as_large_)(int how) = nullptr;
  const char* (*option_)(const char* key) = nullptr;
  aclError (*set_option_)(const char* key, const char* value) = nullptr;
  aclError (*get_statistics_)(gradproofStatistics* statistics, std::size_t bytes) = nullptr;
};

}  // namespace gradproof::props
