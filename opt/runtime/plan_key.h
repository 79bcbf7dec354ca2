// What a plan depends on, in a form that is quick to compare (plan_cache.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include "opt/runtime/pin.h"
#include "opt/runtime/shared_value.h"

namespace gradproof {

/// What one descriptor says, or the call itself: words and their hash. A descriptor makes its part
/// once; whoever reads it has not pinned the descriptor.
struct KeyPart {
  static constexpr std::size_t kWords = 7;
  std::array<SharedValue<std::uint64_t>, kWords> words;
  SharedValue<std::uint64_t> hash;  ///< 0: the words do not tell all

  bool operator==(const KeyPart& other) const {
    return equals(other, std::make_index_sequence<kWords>());
  }
  static std::uint64_t mixed(std::uint64_t word) {
    word *= 0x9E3779B97F4A7C15;
    return word ^ word >> 32;
  }

 private:
  /// Not a loop, which would take twice as long.
  template <std::size_t... i>
  bool equals(const KeyPart& other, std::index_sequence<i...>) const {
    return ((words[i] ^ other.words[i]) | ...) == 0;
  }
};

/// A part of these words and then these numbers; one without a hash where they do not fit.
inline KeyPart key_part(std::span<const std::uint64_t> words,
                        std::span<const std::int64_t> numbers) {
  KeyPart part;
  if (words.size() + numbers.size() > KeyPart::kWords) return part;
  std::uint64_t hash = 0;
  std::size_t size = 0;
  const auto add = [&](std::uint64_t word) {
    part.words[size++] = word;
    hash += KeyPart::mixed(word + size);  // not one after the other: a product takes its time
  };
  for (const std::uint64_t word : words) add(word);
  for (const std::int64_t number : numbers) add(static_cast<std::uint64_t>(number));
  part.hash = hash | 1;
  return part;
}
inline KeyPart key_part(std::initializer_list<std::uint64_t> words,
                        std::span<const std::int64_t> numbers = {}) {
  return key_part(std::span(words.begin(), words.size()), numbers);
}

/// The parts of a call, where they are: nothing is copied.
class PlanKey {
 public:
  static constexpr std::size_t kParts = 10;
  struct Part {
    const KeyPart* part;
    Sight sight;  ///< of the descriptor that has the part; none if nobody can destroy it
  };

  /// Whether the part tells all, and there was room for it. The part must stay where it is.
  bool add(const KeyPart& part, const Sight& sight = {}) {
    const std::uint64_t hash = part.hash;
    if (hash == 0 || size_ == kParts) return false;
    hash_ += KeyPart::mixed(hash + size_);  // as in key_part
    parts_[size_++] = {&part, sight};
    return true;
  }
  bool add(const KeyPart&&, const Sight& = {}) = delete;

  std::uint64_t hash() const { return hash_; }
  std::span<const Part> parts() const { return {parts_.data(), size_}; }
  /// Whether all descriptors are still live.
  bool lasts() const {
    for (const Part& one : parts()) {
      if (one.sight.state != nullptr && !one.sight.lasts()) return false;
    }
    return true;
  }

 private:
  std::uint64_t hash_ = 0;
  std::size_t size_ = 0;
  std::array<Part, kParts> parts_;  // `size_` of them are set
};

/// A copy of a call's parts.
class KeptKey {
 public:
  void keep(const PlanKey& key) {
    hash_ = key.hash();
    size_ = 0;
    for (const PlanKey::Part& one : key.parts()) {
      parts_[size_] = *one.part;
      sights_[size_++] = one.sight;
    }
  }
  /// Whether the call has the same parts, if its key lasts. A descriptor never changes: one that
  /// was compared before is not compared again.
  bool equals(const PlanKey& key) {
    if (hash_ != key.hash() || size_ != key.parts().size()) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      const PlanKey::Part& other = key.parts()[i];
      if (other.sight.state != nullptr && other.sight == sights_[i]) continue;
      if (!(parts_[i] == *other.part)) return false;
      sights_[i] = other.sight;
    }
    return true;
  }

 private:
  std::uint64_t hash_ = 0;
  std::size_t size_ = 0;
  std::array<Sight, PlanKey::kParts> sights_;
  std::array<KeyPart, PlanKey::kParts> parts_;
};

}  // namespace gradproof
