// Random numbers by splitmix64: of decisions, in sequence, and of tensor data, by position: a value
// depends on its key and its position alone, so that neither threads nor layout can change it. And
// a hash of text and files, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace gradproof::props {

/// How far splitmix64 steps from one number to the next, and how it mixes a step's bits.
inline constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15u;
inline std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// The stream of random numbers of one tensor of one case.
class Stream {
 public:
  Stream(std::uint64_t seed, int slot)
      : key_(mix(mix(seed + kStep) + static_cast<std::uint64_t>(slot + 1) * kStep)) {}
  std::uint64_t at(std::int64_t i) const {
    return mix(key_ + static_cast<std::uint64_t>(i) * kStep);
  }

 private:
  std::uint64_t key_;
};

/// A number in [0, n) from the upper half of a random number, n ≤ 2^32.
inline std::uint64_t below(std::uint64_t random, std::uint64_t n) {
  return (random >> 32) * n >> 32;
}

/// FNV-1a of bytes that follow those of `before`.
inline constexpr std::uint64_t kHashOfNothing = 0xCBF29CE484222325u;
inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t before = kHashOfNothing) {
  for (const char c : bytes) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return before;
}

}  // namespace gradproof::props
