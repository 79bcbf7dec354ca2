// Describes a bad access by the tensor or workspace nearest to it.
#include "props/subject/access.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace gradproof::props {
namespace {

struct Extent {
  std::string_view name;
  std::uintptr_t begin = 0, end = 0;

  std::uintptr_t distance(std::uintptr_t at) const {
    return at < begin ? begin - at : at >= end ? at - end + 1 : 0;
  }
};

// Read by the handler in whatever thread the access was; written between calls alone.
std::array<Extent, 16> memory;
std::size_t known = 0;

char* access_place = nullptr;
pid_t watched = 0;

/// A null pointer and what is reached from it.
constexpr std::uintptr_t kNearNull = 1 << 16;
/// Bytes that a wrong index of 32 bits reaches. An access farther away has another cause.
constexpr std::uintptr_t kNear = std::uintptr_t{1} << 36;

/// Allocates nothing and takes no lock: the thread may hold any.
void tell(std::uintptr_t at) {
  if (at < kNearNull) {
    std::snprintf(access_place, kAccessRoom, "an access to address %#zx", std::size_t{at});
    return;
  }
  const auto end = memory.begin() + static_cast<std::ptrdiff_t>(known);
  const auto nearest = std::min_element(memory.begin(), end, [at](const auto& a, const auto& b) {
    return a.distance(at) < b.distance(at);
  });
  if (nearest == end) return;
  const std::uintptr_t bytes = nearest->distance(at);
  if (bytes > kNear) return;
  if (bytes == 0) {
    std::snprintf(access_place, kAccessRoom, "an access to %.*s",
                  static_cast<int>(nearest->name.size()), nearest->name.data());
    return;
  }
  std::snprintf(access_place, kAccessRoom, "an access %zu byte%s %s of %.*s", std::size_t{bytes},
                bytes == 1 ? "" : "s", at < nearest->begin ? "before the start" : "past the end",
                static_cast<int>(nearest->name.size()), nearest->name.data());
}

/// The handler runs once. The access is then repeated, and ends the process as it would without it.
void on_fault(int signal, siginfo_t* info, void*) {
  if (info->si_code <= 0) {  // sent by kill() or raise(): no access is repeated
    raise(signal);
    return;
  }
  // Children of fork() share the place; what ends them does not count. With SI_KERNEL the processor
  // reports no address.
  if (getpid() == watched && info->si_code != SI_KERNEL)
    tell(reinterpret_cast<std::uintptr_t>(info->si_addr));
}

}  // namespace

void note_memory(std::string_view name, const std::byte* begin, std::size_t bytes) {
  if (known == memory.size()) return;
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  memory[known++] = {name, at, at + bytes};
}

void forget_memory() { known = 0; }

void keep_access_in(char* place) {
  access_place = place;
  watched = getpid();
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction own {};
    own.sa_sigaction = on_fault;
    own.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
    sigaction(signal, &own, nullptr);
  }
}

}  // namespace gradproof::props
