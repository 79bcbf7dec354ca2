// Strict device mode: its flag, its protection key, its handler of faults, its list of handles.
#include "opt/runtime/strict.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include "opt/base/device_access.h"
#include "opt/base/eternal.h"
#include "opt/base/performed.h"
#include "opt/runtime/guarded_memory.h"

namespace gradproof::strict {

constinit std::atomic<bool> flag{false};

namespace {

struct Birth {
  const char* kind;
  Site site;
};

constinit std::mutex births_mutex;
std::map<const void*, Birth>& births() {  // guarded by births_mutex
  static Eternal<std::map<const void*, Birth>> it;
  return *it;
}

struct sigaction previous;

/// A line that is put together without functions that are unsafe in a handler of signals.
class Line {
 public:
  Line& operator<<(const char* text) {
    while (*text != '\0') put(*text++);  // uncovered: ends the process
    return *this;
  }
  /// With all 16 digits.
  Line& address(std::uintptr_t address) {
    *this << "0x";
    // uncovered: ends the process
    for (int shift = 60; shift >= 0; shift -= 4) put("0123456789abcdef"[address >> shift & 15]);
    return *this;
  }
  Line& operator<<(std::uint32_t number) {
    if (number >= 10) *this << number / 10;  // uncovered: ends the process
    put(static_cast<char>('0' + number % 10));
    return *this;
  }
  void write() const { (void)!::write(STDERR_FILENO, text_, length_); }

 private:
  void put(char c) {
    if (length_ < sizeof text_) text_[length_++] = c;  // uncovered: ends the process
  }

  char text_[256];  // names of the API have at most some 60 characters
  std::size_t length_ = 0;
};

/// Says what a fault means, then lets it happen again under the action that was in force before.
void explain(int, siginfo_t* fault, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(fault->si_addr);
  Line line;
  line << "gradproof strict: ";
  // uncovered: ends the process
  if (in_quarantine(fault->si_addr)) {
    line.address(address) << ": access to device memory that was freed";
    if (performed.function != nullptr)  // uncovered: ends the process
      line << ", by " << performed.function << " on stream " << performed.stream;
    (line << "\n").write();
#ifdef SEGV_PKUERR
  } else if (fault->si_code == SEGV_PKUERR) {  // uncovered: ends the process
    line.address(address)
        << ": a thread of the program accesses device memory directly; use aclrtMemcpy\n";
    line.write();
#endif
  }
  sigaction(SIGSEGV, &previous, nullptr);
}

bool handler_in_force() {
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == explain;
}

void install_handler() {
  if (handler_in_force()) return;
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;  // a stack of the program's, where it has set one
  sigaction(SIGSEGV, &action, &previous);
}

/// What the program had before; what it has set since stays.
void restore_handler() {
  if (handler_in_force()) sigaction(SIGSEGV, &previous, nullptr);
}

void take_key() {
  if (device_key.load() >= 0) return;
  const int key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
  if (key >= 0) {  // uncovered: protection keys
    device_key.store(key);
  } else {
    std::fprintf(stderr,
                 "gradproof strict: this processor or system has no memory protection keys (%s); "
                 "direct accesses of the program to device memory are not checked\n",
                 std::strerror(errno));
  }
}

}  // namespace

void begin(bool on) {
  if (on) {
    take_key();
    install_handler();
  } else if (flag.load()) {
    restore_handler();
  }
  flag.store(on, std::memory_order_release);
}

void end() noexcept {
  if (!flag.exchange(false)) return;
  restore_handler();
  const std::lock_guard lock(births_mutex);
  Leaks leaks("destroyed");
  for (const auto& [handle, birth] : births()) leaks.add(birth.kind, handle, birth.site);
  births().clear();
}

Site here() noexcept {
  Site site;
  site.count = backtrace(site.frames.data(), Site::kDepth);
  return site;
}

namespace {

/// "1,603".
std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

/// "main+0x1f (prog+0x11ab)", or "(prog+0x11ab)" where the function has no name: the first frame
/// outside of this library, after this library's own.
/// Before these there is another one if a sanitizer replaces `backtrace`.
std::string place(const Site& site) {
  Dl_info own{};
  Dl_info caller{};
  dladdr(reinterpret_cast<const void*>(&place), &own);
  const void* address = nullptr;
  bool inside = false;
  for (int i = 0; i < site.count; ++i) {
    // Where the call is; the frame is where it returns to, which may be another line.
    address = static_cast<const char*>(site.frames[static_cast<std::size_t>(i)]) - 1;
    const bool outside = dladdr(address, &caller) != 0 && caller.dli_fbase != own.dli_fbase;
    if (inside && outside) break;
    inside = inside || !outside;
  }
  const auto after = [&](const char* name, const void* base) {
    char text[32];
    std::snprintf(
        text, sizeof text, "+0x%zx",
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base));
    return (name != nullptr ? name : "?") + std::string(text);
  };
  const std::string file = "(" + after(caller.dli_fname, caller.dli_fbase) + ")";
  // perhaps uncovered: a program without symbols
  if (caller.dli_sname == nullptr) return file;
  return after(caller.dli_sname, caller.dli_saddr) + " " + file;
}

}  // namespace

void Leaks::add(const std::string& what, const void* it, const Site& site) noexcept {
  try {
    Group& group = groups_[what + '\n' + place(site)];
    group.first = it;
    ++group.count;
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    // One leak that will not be listed.
  }
}

Leaks::~Leaks() {
  for (const auto& [key, group] : groups_) {
    const auto what = static_cast<int>(key.find('\n'));
    const char* const where = key.c_str() + what + 1;
    if (group.count == 1) {
      const bool bytes = key[0] >= '0' && key[0] <= '9' && !key.starts_with("1 ");
      std::fprintf(stderr, "gradproof strict: %.*s (%p) %s never %s; created by %s\n", what,
                   key.c_str(), group.first, bytes ? "were" : "was", ended_, where);
    } else {
      std::fprintf(stderr, "gradproof strict: %s × %.*s were never %s; created by %s\n",
                   grouped(group.count).c_str(), what, key.c_str(), ended_, where);
    }
  }
}

void born(const void* handle, const char* kind) noexcept {
  const Site site = here();
  const std::lock_guard lock(births_mutex);
  try {
    births().insert_or_assign(handle, Birth{kind, site});
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    // One leak that will not be listed.
  }
}

void gone(const void* handle) noexcept {
  const std::lock_guard lock(births_mutex);
  births().erase(handle);
}

void at_fork(Fork phase) noexcept {
  phase == Fork::ahead ? births_mutex.lock() : births_mutex.unlock();
}

}  // namespace gradproof::strict
