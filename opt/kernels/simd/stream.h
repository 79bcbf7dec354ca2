// When outputs go past the caches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradproof::kernels {

inline constexpr std::size_t kLine = 64;  ///< bytes of a cache line

/// Outputs of this many bytes do not find room beside what is read in a core's own caches.
inline constexpr std::int64_t kStreamedBytes = 1 << 20;

}  // namespace gradproof::kernels
