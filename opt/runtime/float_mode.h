// Default floating-point mode for the time of a scope, whatever the thread's own is.
//
// Work runs on a stream's thread, which inherits the mode of the thread that created the stream, or
// on a thread that synchronises. Either may have chosen to flush subnormals or to round otherwise;
// the results of an operator must not depend on it.
#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace gradproof {

class DefaultFloatMode {
 public:
#if defined(__SSE2__)
  // SSE's control word alone: the x87 unit is not used, and saving it takes ten times as long.
  DefaultFloatMode() : saved_(_mm_getcsr()) { _mm_setcsr(kDefault); }
  ~DefaultFloatMode() { _mm_setcsr(saved_); }

 private:
  static constexpr unsigned kDefault = 0x1F80;  // nearest even, no flushing, all exceptions masked
  unsigned saved_;
#else
  DefaultFloatMode() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatMode() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif

 public:
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;
};

}  // namespace gradproof
