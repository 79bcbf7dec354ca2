// Changes of one element of device memory while a library reads it: by a thread beside the reads,
// or between any two of them.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "props/cases/hash.h"
#include "props/services/own_pages.h"

namespace gradproof::props {

/// Bytes of device memory as they are where this process sees them; nothing if it cannot.
inline std::vector<std::byte> seen_from_here(const void* address, std::size_t size) {
  int ends[2];
  std::vector<std::byte> bytes(size);
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const bool readable = write(ends[1], address, size) == static_cast<ssize_t>(size) &&
                        read(ends[0], bytes.data(), size) == static_cast<ssize_t>(size);
  close(ends[0]);
  close(ends[1]);
  return readable ? bytes : std::vector<std::byte>{};
}

/// One element of the indices: what it was, and something else.
class Element {
 public:
  /// `size` is 1 or 4.
  Element(const Api& api, void* address, std::size_t size) : api_(api), at_(address), size_(size) {
    require(api_, "aclrtMemcpy", api_.memcpy(&was_, size_, at_, size_, ACL_MEMCPY_DEVICE_TO_HOST));
    const std::vector<std::byte> seen = seen_from_here(at_, size_);
    direct_ = !seen.empty() && std::memcmp(seen.data(), &was_, size_) == 0;
  }
  /// Whether a store changes it. Otherwise aclrtMemcpy does.
  bool direct() const { return direct_; }
  void* address() const { return at_; }
  void change(std::int32_t to) const { store(to); }
  void restore() const { store(was_); }

 private:
  void store(std::int32_t value) const {
    if (!direct_)
      (void)api_.memcpy(at_, size_, &value, size_, ACL_MEMCPY_HOST_TO_DEVICE);
    else if (size_ == 4)
      std::atomic_ref(*static_cast<std::int32_t*>(at_)).store(value, std::memory_order_relaxed);
    else
      std::atomic_ref(*static_cast<std::int8_t*>(at_))
          .store(static_cast<std::int8_t>(value), std::memory_order_relaxed);
  }

  const Api& api_;
  void* at_;
  std::size_t size_;
  std::int32_t was_ = 0;
  bool direct_ = false;
};

/// A thread that changes one element, again and again, as long as it lives.
class Changes {
 public:
  Changes(const Element& element, std::int32_t other)
      : element_(element), thread_([this, other] {
          for (unsigned i = 0; !end_; ++i) {
            // Each value lasts about as long as a kernel takes from a check to the use.
            if (i % 64 == 0) element_.change(other);
            if (i % 64 == 32) element_.restore();
          }
        }) {}
  ~Changes() {
    end_ = true;
    thread_.join();
    element_.restore();
  }

 private:
  const Element& element_;
  std::atomic<bool> end_{false};
  std::thread thread_;
};

/// Runs work in which each instruction that reads the element's page finds another value there, by
/// whichever thread: a read of the page faults, which changes the element, and the page is out of
/// reach again one instruction later. A thread beside the kernel seldom makes its change between
/// two reads, least of all on a busy machine.
class Reads {
 public:
#if defined(__x86_64__)
  static constexpr bool kPossible = true;
  /// The element changes until then. Only one object may live at a time.
  Reads(const Element& element, std::int32_t other, std::chrono::steady_clock::time_point until) {
    element_ = &element;
    other_ = other;
    page_ = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(element.address()) &
                                    ~(OwnPages::kPage - 1));
    until_ = until;
    handle(SIGSEGV, fault, before_fault_);
    handle(SIGTRAP, step, before_step_);
    protect(PROT_NONE);
  }
  ~Reads() {
    protect(PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &before_fault_, nullptr);
    sigaction(SIGTRAP, &before_step_, nullptr);
    element_->restore();
  }

 private:
  static constexpr long long kTrapFlag = 0x100;

  static void handle(int signal, void (*handler)(int, siginfo_t*, void*),
                     struct sigaction& before) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, &before);
  }
  static void protect(int protection) { (void)mprotect(page_, OwnPages::kPage, protection); }
  static long long& flags(void* context) {
    return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  }

  static void fault(int signal, siginfo_t* info, void* context) {
    const auto at = static_cast<std::byte*>(info->si_addr);
    const auto page = static_cast<std::byte*>(page_);
    if (at < page || at >= page + OwnPages::kPage) {
      std::signal(signal, SIG_DFL);  // happens again, and ends the process
      return;
    }
    protect(PROT_READ | PROT_WRITE);
    if (std::chrono::steady_clock::now() > until_) return;
    mix(random_.fetch_add(kStep, std::memory_order_relaxed)) % 2 != 0 ? element_->change(other_)
                                                                      : element_->restore();
    flags(context) |= kTrapFlag;
  }
  static void step(int, siginfo_t*, void* context) {
    flags(context) &= ~kTrapFlag;
    protect(PROT_NONE);
  }

  static inline const Element* element_ = nullptr;
  static inline void* page_ = nullptr;
  static inline std::int32_t other_ = 0;
  static inline std::atomic<std::uint64_t> random_{kStep};
  static inline std::chrono::steady_clock::time_point until_;
  static inline struct sigaction before_fault_ {};
  static inline struct sigaction before_step_ {};
#else
  static constexpr bool kPossible = false;
  Reads(const Element&, std::int32_t, std::chrono::steady_clock::time_point) {}
#endif
};

}  // namespace gradproof::props
