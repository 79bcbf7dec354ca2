// Where random decisions come from. A generator draws from a Source and from nothing else, so a
// seeded Source makes it reproducible, and a Source over a byte string makes every byte string a
// case.
#pragma once

#include <cstdint>
#include <span>

namespace gradproof::props {

class Source {
 public:
  virtual ~Source() = default;
  /// A number in [0, n), n > 0.
  virtual std::uint64_t below(std::uint64_t n) = 0;
};

/// splitmix64: the same seed gives the same decisions on every machine.
class SeededSource final : public Source {
 public:
  explicit SeededSource(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) override;

 private:
  std::uint64_t state_;
};

/// Decisions read from bytes; zeros after the end.
class ByteSource final : public Source {
 public:
  explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t below(std::uint64_t n) override;

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace gradproof::props
