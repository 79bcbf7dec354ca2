// Sources of random decisions.
#include "props/cases/generate/source.h"

#include "props/cases/hash.h"

namespace gradproof::props {

std::uint64_t SeededSource::below(std::uint64_t n) {
  return mix(state_ += kStep) % n;  // its bias, below n/2^64, is nothing to test decisions
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
