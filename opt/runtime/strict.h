// Strict device mode (GRADPROOF_STRICT): whether it is on, and who made what is still alive.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <string>

#include "opt/runtime/process.h"

namespace gradproof::strict {

extern std::atomic<bool> flag;
inline bool on() { return flag.load(std::memory_order_relaxed); }

/// Turns the mode on or off. Turning it on takes a protection key for device memory if the
/// processor has them, says on stderr if not, and explains the faults that follow from the mode.
void begin(bool on);
/// Lists on stderr each handle that was made since `begin` and is alive, turns the mode off and
/// puts the program's handler of faults back.
void end() noexcept;

/// Where the program called the library.
struct Site {
  static constexpr int kDepth = 16;
  std::array<void*, kDepth> frames{};
  int count = 0;
};
Site here() noexcept;

/// Leaks that are told together, on stderr and when this ends: a line each, "gradproof strict:
/// <what> (0x…) was never <ended>; created by main+0x1f (prog+0x11ab)", or one with their number
/// for all of a kind that one place has made.
class Leaks {
 public:
  explicit Leaks(const char* ended) : ended_(ended) {}
  Leaks(const Leaks&) = delete;
  Leaks& operator=(const Leaks&) = delete;
  ~Leaks();
  void add(const std::string& what, const void* it, const Site& site) noexcept;

 private:
  struct Group {
    const void* first = nullptr;
    std::size_t count = 0;
  };
  const char* const ended_;
  std::map<std::string, Group> groups_;  ///< by what and place, a line feed between them
};

/// Keeps the place where a handle is made, until it is destroyed. `kind` is "aclTensor".
void born(const void* handle, const char* kind) noexcept;
void gone(const void* handle) noexcept;

void at_fork(Fork phase) noexcept;

}  // namespace gradproof::strict
