/// Where `indices` points for a kernel that did not ask for positions; for the kit's own use.
#ifndef GRADPROOF_SUBJECT_FORBIDDEN_HPP_
#define GRADPROOF_SUBJECT_FORBIDDEN_HPP_

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace gradproof::subject::detail {

/// Memory that nobody may touch: an access ends the process as a null pointer's would, but says on
/// stderr, which findings show, what the library forgot.
class ForbiddenPositions {
 public:
  /// The same in each call; null where the process may not reserve it.
  static const std::int32_t* data() {
    static const ForbiddenPositions only;
    return static_cast<const std::int32_t*>(begin_);
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 32;  // of address space alone

  ForbiddenPositions() {
    void* const memory =
        mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    begin_ = memory;
    struct sigaction action {};
    action.sa_sigaction = explain;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &before_);
  }

  /// The access is repeated, and ends as it would have without this.
  static void explain(int, siginfo_t* fault, void*) {
    constexpr char kText[] =
        "the kernel reads `indices`: a 2-D pool that takes positions needs GRADPROOF_POSITIONS\n";
    const auto at = reinterpret_cast<std::uintptr_t>(fault->si_addr);
    const auto begin = reinterpret_cast<std::uintptr_t>(begin_);
    if (at - begin < kBytes) (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
    sigaction(SIGSEGV, &before_, nullptr);
  }

  static inline void* begin_ = nullptr;
  static inline struct sigaction before_ {};
};

}  // namespace gradproof::subject::detail

#endif
