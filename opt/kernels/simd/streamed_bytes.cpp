// The size of the processor's second cache.
#include "opt/kernels/simd/streamed_bytes.h"

#include <unistd.h>

#include <algorithm>

namespace gradproof::kernels {
namespace {

constexpr std::int64_t kLeast = 256 << 10;  // below, little was gained

/// 0 or less where the system does not tell.
std::int64_t second_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  return sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
  return 0;
#endif
}

}  // namespace

std::int64_t streamed_bytes(bool in_lines) {
  static const std::int64_t half = [] {
    const std::int64_t cache = second_cache();
    return cache <= 0 ? kStreamedBytes : std::clamp(cache / 2, kLeast, kStreamedBytes);
  }();
  return in_lines ? half : kStreamedBytes;
}

}  // namespace gradproof::kernels
