// Strict device mode (GRADPROOF_STRICT): whether it is on, and who made what is still alive.
#pragma once

#include <array>
#include <atomic>

#include "opt/runtime/process.h"

namespace gradproof::strict {

extern std::atomic<bool> flag;
inline bool on() { return flag.load(std::memory_order_relaxed); }

/// Turns the mode on or off. Turning it on takes a protection key for device memory if the
/// processor has them, says on stderr if not, and explains the faults that follow from the mode.
void begin(bool on);
/// Lists on stderr each handle that was made since `begin` and is alive, turns the mode off and puts
/// the program's handler of faults back.
void end() noexcept;

/// Where the program called the library.
struct Site {
  static constexpr int kDepth = 16;
  std::array<void*, kDepth> frames{};
  int count = 0;
};
Site here() noexcept;

/// A line on stderr: "gradproof strict: <what> was never <ended>; made by main+0x1f (prog+0x11ab)".
void tell_leak(const char* what, const void* it, const char* ended, const Site& site) noexcept;

/// Keeps the place where a handle is made, until it is destroyed. `kind` is "aclTensor".
void born(const void* handle, const char* kind) noexcept;
void gone(const void* handle) noexcept;

void at_fork(Fork phase) noexcept;

}  // namespace gradproof::strict
