// Prefetches a cache line, for kernels that read memory in an order that the processor's own
// prefetcher does not follow. Copies in the order of memory have no prefetches: with them they were
// slower (measured on a Zen 4).
#pragma once

#include <algorithm>
#include <cstdint>

#include "hwy/cache_control.h"

namespace gradproof::kernels {

/// Bytes between what is read and what is prefetched. A core that reads 40 GB/s reads 4 KiB during
/// one access to memory; L2 has room for more.
inline constexpr std::int64_t kPrefetchAhead = 16384;

/// From memory into L2, from where loads and the processor's own prefetcher take it. L1 can wait
/// for few lines at a time (a Zen 4 for 24), and where prefetches do, loads cannot.
///
/// The empty statement in assembly keeps the prefetch: for GCC, a function that only prefetches
/// has no effect, so that it removes calls of it (tests/kernels/prefetches.py).
template <class T>
HWY_INLINE void prefetch(const T* at) {
  constexpr int kRead = 0, kIntoL2 = 2;
  __builtin_prefetch(at, kRead, kIntoL2);
  asm volatile("");
}

/// Into L1: lines that are in L2, or so few that loads need not wait for them.
template <class T>
HWY_INLINE void prefetch_near(const T* at) {
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
