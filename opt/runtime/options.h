// What can be chosen about the library: the names of each option, and how its values are read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "opt/runtime/config.h"
#include "opt/runtime/process.h"

namespace gradproof {

inline constexpr int kMaxThreads = 1024;
inline constexpr std::uint32_t kMaxQueue = 1u << 24;

/// What a value is in aclInit's file. Elsewhere all are texts.
enum class ValueKind : std::uint8_t { word, number, flag };

struct Option {
  const char* key;       ///< in aclInit's file and for gradproof_set_option
  const char* variable;  ///< of the environment
  ValueKind kind;
  /// Takes the value over, or answers false and leaves the configuration alone.
  bool (*set)(std::string_view value, Config& config);
  /// What a refused value is not, to follow it in a message: "not 0 or 1".
  std::string (*refusal)();
  /// The value in force, as `set` takes it.
  std::string (*value)(const Config& config);
};

/// All of them; a bad variable is reported in this order.
std::span<const Option> options() noexcept;
/// Null if there is none of that name.
const Option* find_option(std::string_view key) noexcept;
/// "soc, threads, ..." for messages.
std::string known_options();

void options_at_fork(Fork phase) noexcept;

}  // namespace gradproof
