// The layout of a kernel's scratch memory: its size, and the offset of each area.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gradproof::kernels {

inline constexpr std::uint64_t kCacheLine = 64;

/// Areas one after the other, each beginning with a cache line. Sizes that do not fit saturate: no
/// caller can allocate such a workspace, so nothing runs in it.
class WorkspaceLayout {
 public:
  /// Room for `count` objects of `size` bytes; the area's offset from the workspace's start.
  std::uint64_t take(std::uint64_t count, std::uint64_t size) {
    const std::uint64_t offset = round_up(bytes_);
    std::uint64_t area;
    if (__builtin_mul_overflow(count, size, &area) ||
        __builtin_add_overflow(offset, area, &bytes_)) {
      bytes_ = kMost;
    }
    return offset;
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
    std::uint64_t area;
    if (__builtin_mul_overflow(count, size, &area)) area = kMost;
    Slots slots;
    slots.stride = round_up(area);
    slots.offset = take(static_cast<std::uint64_t>(workers), slots.stride);
    return slots;
  }
  /// Makes the workspace at least this large.
  void reach(std::uint64_t bytes) { bytes_ = std::max(bytes_, bytes); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static std::uint64_t round_up(std::uint64_t bytes) {
    return bytes > kMost - kCacheLine ? kMost : (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  }
  std::uint64_t bytes_ = 0;
};

template <class T>
T* area(std::byte* workspace, std::uint64_t offset) {
  return reinterpret_cast<T*>(workspace + offset);
}

}  // namespace gradproof::kernels
