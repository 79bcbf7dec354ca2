// Terms added at positions of which several may be the same.
#pragma once

#include <hwy/base.h>

#include <cstdint>
#include <cstring>

namespace gradproof::kernels {

/// sums[at[i]] += terms[i] in ascending i. Two positions a load: loads are what it waits for. No
/// position is negative.
template <class Position>
HWY_INLINE void scatter_add(float* sums, const Position* at, const float* terms, std::int64_t n) {
  static_assert(sizeof(Position) == 4);
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    std::uint64_t a, b;
    std::memcpy(&a, at + i, sizeof a);
    std::memcpy(&b, at + i + 2, sizeof b);
    sums[static_cast<std::uint32_t>(a)] += terms[i];
    sums[a >> 32] += terms[i + 1];
    sums[static_cast<std::uint32_t>(b)] += terms[i + 2];
    sums[b >> 32] += terms[i + 3];
  }
  for (; i < n; ++i) sums[at[i]] += terms[i];
}

}  // namespace gradproof::kernels
