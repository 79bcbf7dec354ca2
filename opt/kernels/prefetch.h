// Prefetches a cache line, for kernels that read memory in an order that the processor's own
// prefetcher does not follow.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hwy/cache_control.h"

namespace gradproof::kernels {

/// Bytes between what is read and what is prefetched. A core that reads 40 GB/s reads 4 KiB during
/// one access to memory.
inline constexpr std::int64_t kPrefetchAhead = 8192;

/// The empty statement in assembly keeps the prefetch: for GCC, a function that only prefetches
/// has no effect, so that it removes calls of it (tests/kernels/prefetches.py).
template <class T>
HWY_INLINE void prefetch(const T* at) {
  hwy::Prefetch(at);
  asm volatile("");
}

/// Scalars from a row to the one that is prefetched, where `read` scalars of each of `rows` rows
/// are read: as many rows as make kPrefetchAhead of what is read, or none where there is one row.
template <class Scalar>
std::int64_t prefetch_distance(std::int64_t read, std::int64_t rows, std::int64_t row_stride) {
  constexpr std::int64_t kAhead = kPrefetchAhead / sizeof(Scalar);
  return rows > 1 ? ((kAhead - 1) / std::max<std::int64_t>(read, 1) + 1) * row_stride : 0;
}

}  // namespace gradproof::kernels
