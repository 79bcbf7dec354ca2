// Prefetches a tile's terms, which are read channel by channel: blocks of rows of many planes in
// turn, which the processor's own prefetcher does not follow.
#pragma once

#include <cstdint>

#include "opt/kernels/machine.h"
#include "opt/kernels/prefetch.h"

namespace gradproof::kernels {

/// Where the n terms at `grad`, of one channel's block, are read: prefetches those at grad + next,
/// which are read later. With `near` also those of the channel after the next one, from L2 into
/// L1.
template <class Scalar>
HWY_INLINE void prefetch_terms(const Scalar* grad, std::int64_t n, std::int64_t next,
                               std::int64_t channel_stride, bool near) {
  constexpr std::int64_t kStep = kLine / sizeof(Scalar);
  for (std::int64_t i = 0; i < n; i += kStep) {
    prefetch(grad + next + i);
    if (near) prefetch_near(grad + 2 * channel_stride + i);
  }
}

}  // namespace gradproof::kernels
