// What a plan depends on, in a form that is quick to compare (plan_cache.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace gradproof {

/// What one descriptor says, or the call itself: words and their hash. A descriptor makes its part
/// once.
struct KeyPart {
  static constexpr std::size_t kWords = 7;
  std::array<std::uint64_t, kWords> words;
  std::uint64_t hash;  ///< 0: the words do not tell all

  static std::uint64_t mixed(std::uint64_t word) {
    word *= 0x9E3779B97F4A7C15;
    return word ^ word >> 32;
  }
};
static_assert(std::has_unique_object_representations_v<KeyPart>);  // compared as bytes

/// A part of these words and then these numbers; one without a hash where they do not fit.
inline KeyPart key_part(std::span<const std::uint64_t> words,
                        std::span<const std::int64_t> numbers) {
  KeyPart part{};
  if (words.size() + numbers.size() > part.words.size()) return part;
  std::copy(numbers.begin(), numbers.end(),
            std::copy(words.begin(), words.end(), part.words.begin()));
  for (const std::uint64_t word : part.words) part.hash = KeyPart::mixed(part.hash ^ word);
  part.hash |= 1;
  return part;
}
inline KeyPart key_part(std::initializer_list<std::uint64_t> words,
                        std::span<const std::int64_t> numbers = {}) {
  return key_part(std::span(words.begin(), words.size()), numbers);
}

/// The parts of a call.
class PlanKey {
 public:
  PlanKey() = default;
  PlanKey(const PlanKey& other) { *this = other; }
  PlanKey& operator=(const PlanKey& other) {
    hash_ = other.hash_;
    size_ = other.size_;
    std::memmove(parts_.data(), other.parts_.data(), size_ * sizeof(KeyPart));
    return *this;
  }

  /// Whether the part tells all, and there was room for it.
  bool add(const KeyPart& part) {
    if (part.hash == 0 || size_ == parts_.size()) return false;
    hash_ = KeyPart::mixed(hash_ ^ part.hash);
    parts_[size_++] = part;
    return true;
  }

  std::uint64_t hash() const { return hash_; }
  bool operator==(const PlanKey& other) const {
    return size_ == other.size_ &&
           std::memcmp(parts_.data(), other.parts_.data(), size_ * sizeof(KeyPart)) == 0;
  }

 private:
  std::uint64_t hash_ = 0;
  std::size_t size_ = 0;
  std::array<KeyPart, 10> parts_;  // `size_` of them are set
};

}  // namespace gradproof
