// Prefetches a cache line, for kernels that read memory in an order that the processor's own
// prefetcher does not follow.
#pragma once

#include "hwy/cache_control.h"

namespace gradproof::kernels {

/// The empty statement in assembly keeps the prefetch: for GCC, a function that only prefetches
/// has no effect, so that it removes calls of it (tests/kernels/prefetches.py).
template <class T>
HWY_INLINE void prefetch(const T* at) {
  hwy::Prefetch(at);
  asm volatile("");
}

}  // namespace gradproof::kernels
