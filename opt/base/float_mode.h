// The floating-point mode that the library computes in, whatever its caller's or a dependency's is.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace gradproof {

/// While it lives, the current thread rounds to nearest even, keeps subnormals and traps nothing;
/// afterwards its mode and its exception flags are what they were. The compiler does not know that
/// arithmetic depends on the mode, so guarded code must sit behind a call that is not inlined.
class FloatModeGuard {
 public:
  FloatModeGuard(const FloatModeGuard&) = delete;
  FloatModeGuard& operator=(const FloatModeGuard&) = delete;

#if defined(__x86_64__)
  // Writing the register takes several times as long as reading it.
  FloatModeGuard() : saved_(_mm_getcsr()) {
    if ((saved_ & ~kFlags) != kDefault) _mm_setcsr(kDefault);
  }
  ~FloatModeGuard() {
    if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned kDefault = 0x1f80;  // all exceptions masked, nothing else set
  static constexpr unsigned kFlags = 0x3f;      // which exceptions there were
  unsigned saved_;
#elif defined(__aarch64__)
  FloatModeGuard() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode_));
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags_));
    __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}) : "memory");
  }
  ~FloatModeGuard() {
    __asm__ volatile("msr fpcr, %0" : : "r"(mode_) : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"(flags_) : "memory");
  }

 private:
  std::uint64_t mode_, flags_;
#else
  FloatModeGuard() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatModeGuard() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
};

}  // namespace gradproof
