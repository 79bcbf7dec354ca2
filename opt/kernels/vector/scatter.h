// Adds or stores terms at given positions, of which several may be the same.
#pragma once

#include <hwy/base.h>

#include <cstdint>
#include <cstring>

namespace gradproof::kernels {

/// sums[at[i]] += terms[i] in ascending i. One load brings two positions, because loads bound the
/// loop. No position is negative.
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

/// cells[at[i]] = scalars[i] in ascending i. Eight at a time: a Zen 3, where once a load depended
/// on a store, waits with the next load until it knows where all earlier stores go, and took four
/// times as long one by one.
template <class Position>
HWY_INLINE void scatter_store(std::uint16_t* cells, const Position* at,
                              const std::uint16_t* scalars, std::int64_t n) {
  static_assert(sizeof(Position) == 4);
  const auto load = [](const void* from) {
    std::uint64_t bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
  };
  const auto put = [=](std::uint64_t two, std::uint64_t values) {
    cells[static_cast<std::uint32_t>(two)] = static_cast<std::uint16_t>(values);
    cells[two >> 32] = static_cast<std::uint16_t>(values >> 16);
  };
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const std::uint64_t a = load(at + i), b = load(at + i + 2), c = load(at + i + 4),
                        d = load(at + i + 6), low = load(scalars + i), high = load(scalars + i + 4);
    put(a, low);
    put(b, low >> 32);
    put(c, high);
    put(d, high >> 32);
  }
  for (; i < n; ++i) cells[at[i]] = scalars[i];
}

}  // namespace gradproof::kernels
