// Lines of the log that a place in the program causes once.
#include "opt/runtime/notice.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include <dlfcn.h>

#include "opt/runtime/observe.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

/// Where the program called the library: the innermost frame outside of it.
const char* outside(Dl_info& where) noexcept {
  const strict::Site site = strict::here();
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(&notice_once), &own);
  const char* address = nullptr;
  for (int i = 0; i < site.count; ++i) {
    address = static_cast<const char*>(site.frames[static_cast<std::size_t>(i)]) - 1;
    if (dladdr(address, &where) != 0 && where.dli_fbase != own.dli_fbase) break;
  }
  return address;
}

/// What was said, by hash: no lock that a fork could leave closed. What no longer fits is said
/// again.
constinit std::array<std::atomic<std::uint64_t>, 1024> said{};

bool say(std::uint64_t key) noexcept {
  for (std::size_t i = 0; i < said.size(); ++i) {
    std::uint64_t there = 0;
    if (said[(key + i) % said.size()].compare_exchange_strong(there, key)) return true;
    if (there == key) return false;
  }
  return true;
}

}  // namespace

void notice_once(const std::string& text) noexcept {
  Dl_info where{};
  const char* const address = outside(where);
  const std::uint64_t key =
      std::hash<std::string_view>{}(text) ^ reinterpret_cast<std::uintptr_t>(address);
  if (!say(key | 1)) return;
  const auto from = [&](const void* base) {
    return static_cast<std::size_t>(address - static_cast<const char*>(base));
  };
  const char* const file = where.dli_fname ? where.dli_fname : "?";
  if (where.dli_sname != nullptr) {
    log_line(LogLevel::info, "%s; called by %s+0x%zx (%s+0x%zx)", text.c_str(), where.dli_sname,
             from(where.dli_saddr), file, from(where.dli_fbase));
  } else {  // perhaps uncovered: a program without symbols
    log_line(LogLevel::info, "%s; called by (%s+0x%zx)", text.c_str(), file, from(where.dli_fbase));
  }
}

}  // namespace gradproof
