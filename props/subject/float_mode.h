// The floating-point mode in which the suite computes, whatever a library makes of it.
#pragma once

#include <cfenv>
#include <limits>

namespace gradproof::props {

/// At its end the thread rounds, traps and flushes as at its beginning. A library that is linked
/// with -ffast-math makes the thread that loads it flush subnormals to zero. Without this, the
/// suite would then take each of them for 0.
class FloatModeKept {
 public:
  FloatModeKept() { std::fegetenv(&before_); }
  ~FloatModeKept() { std::fesetenv(&before_); }
  FloatModeKept(const FloatModeKept&) = delete;
  FloatModeKept& operator=(const FloatModeKept&) = delete;

 private:
  std::fenv_t before_;
};

/// Whether the thread rounds to nearest and keeps subnormals.
inline bool float_mode_is_usual() {
  volatile float least = std::numeric_limits<float>::min();
  volatile float half = least / 2;
  return std::fegetround() == FE_TONEAREST && half != 0;
}

}  // namespace gradproof::props
