// An object that is never destroyed: made at its first use, and there for threads, destructors of
// globals and exit handlers that run after everything else.
#pragma once

#include <cstddef>
#include <new>

namespace gradproof {

/// To be a function's static variable: `static Eternal<T> it; return *it;`. Leak checkers see what
/// the object owns, since its place is a static one.
template <class T>
class Eternal {
 public:
  Eternal() { new (place_) T; }
  Eternal(const Eternal&) = delete;
  Eternal& operator=(const Eternal&) = delete;

  T& operator*() { return *std::launder(reinterpret_cast<T*>(place_)); }

 private:
  alignas(T) std::byte place_[sizeof(T)];
};

}  // namespace gradproof
