// The layout of a kernel's scratch memory: its size, and the offset of each area.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace gradproof::kernels {

inline constexpr std::uint64_t kCacheLine = 64;

/// Areas one after the other, each beginning with a cache line. Sizes that do not fit saturate: no
/// caller can allocate such a workspace, so nothing runs in it.
class WorkspaceLayout {
 public:
  /// @param with_gaps for tests: behind each area, and each slot of one, is a gap into which no
  ///                  kernel may write
  explicit WorkspaceLayout(bool with_gaps = false)
      : gaps_(with_gaps ? std::make_unique<std::vector<Gaps>>() : nullptr) {}

  /// Room for `count` objects of `size` bytes; the area's offset from the workspace's start.
  std::uint64_t take(std::uint64_t count, std::uint64_t size) {
    const std::uint64_t area = product(count, size);
    return append(1, area, area).offset;
  }
  /// The same for each of `workers` slots, `stride` bytes apart.
  struct Slots {
    std::uint64_t offset = 0, stride = 0;
    template <class T>
    T* at(std::byte* workspace, int slot) const {
      return reinterpret_cast<T*>(workspace + offset + static_cast<std::uint64_t>(slot) * stride);
    }
  };
  Slots take_slots(int workers, std::uint64_t count, std::uint64_t size) {
    const std::uint64_t area = product(count, size);
    return append(static_cast<std::uint64_t>(workers), area, round_up(area));
  }
  /// Makes the workspace at least this large.
  void reach(std::uint64_t bytes) { bytes_ = std::max(bytes_, bytes); }
  std::uint64_t bytes() const { return bytes_; }

  /// Before a run; does nothing without gaps.
  void fill_gaps(std::byte* workspace) const {
    each_gap(workspace, [](std::byte* begin, std::size_t size) {
      std::memset(begin, kUntouched, size);
      return true;
    });
  }
  /// Whether nobody has written into a gap since they were filled.
  bool gaps_are_whole(const std::byte* workspace) const {
    return each_gap(workspace, [](const std::byte* begin, std::size_t size) {
      return std::all_of(begin, begin + size,
                         [](std::byte b) { return b == std::byte{kUntouched}; });
    });
  }

 private:
  /// One behind each of `slots` areas, which are `stride` bytes apart.
  struct Gaps {
    std::uint64_t offset, stride, size, slots;
  };

  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kGap = 8 * kCacheLine;
  static constexpr std::uint8_t kUntouched = 0xA5;

  static std::uint64_t round_up(std::uint64_t bytes) {
    return bytes > kMost - kCacheLine ? kMost : (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? kMost : result;
  }
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? kMost : result;
  }

  Slots append(std::uint64_t slots, std::uint64_t area, std::uint64_t stride) {
    if (gaps_ != nullptr) stride = sum(round_up(area), kGap);
    const Slots taken{round_up(bytes_), stride};
    if (gaps_ != nullptr) gaps_->push_back({sum(taken.offset, area), stride, stride - area, slots});
    bytes_ = sum(taken.offset, product(slots, stride));
    return taken;
  }

  /// Until `visit(begin, bytes)` is false; whether it never was.
  template <class Byte, class Visit>
  bool each_gap(Byte* workspace, const Visit& visit) const {
    if (gaps_ == nullptr) return true;
    for (const Gaps& gaps : *gaps_) {
      for (std::uint64_t slot = 0; slot < gaps.slots; ++slot) {
        if (!visit(workspace + gaps.offset + slot * gaps.stride, gaps.size)) return false;
      }
    }
    return true;
  }

  std::uint64_t bytes_ = 0;
  std::unique_ptr<std::vector<Gaps>> gaps_;  // null: none
};

template <class T>
T* area(std::byte* workspace, std::uint64_t offset) {
  return reinterpret_cast<T*>(workspace + offset);
}

}  // namespace gradproof::kernels
