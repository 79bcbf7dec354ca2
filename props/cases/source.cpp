// Where generators take their decisions from: a seed or a byte string.
#include "props/cases/generator.h"

namespace gradproof::props {

std::uint64_t SeededSource::below(std::uint64_t n) {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return z % n;  // its bias, below n/2^64, is nothing to test decisions
}

std::uint64_t ByteSource::below(std::uint64_t n) {
  std::uint64_t value = 0;
  for (std::uint64_t range = n - 1; range != 0; range >>= 8) {
    value = value << 8 | (bytes_.empty() ? 0 : bytes_.front());
    if (!bytes_.empty()) bytes_ = bytes_.subspan(1);
  }
  return value % n;
}

}  // namespace gradproof::props
