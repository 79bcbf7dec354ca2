// Large blocks that were freed, kept for the next allocation of about that size: new ones cost a
// page fault for each page, which takes longer than many a kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>

namespace gradproof {

/// At most 16 blocks and `bound` bytes. The caller guards it with a lock.
class BlockPool {
 public:
  struct Kept {
    void* start = nullptr;
    std::size_t bytes = 0;
  };

  constexpr explicit BlockPool(std::size_t bound) : bound_(bound) {}

  /// The smallest kept block that has room for `bytes` and wastes at most a quarter; its size may
  /// be larger. Null start if there is none.
  Kept take(std::size_t bytes) noexcept {
    Kept* best = nullptr;
    for (Kept& kept : kept_) {
      if (kept.bytes < bytes || kept.bytes - bytes > bytes / 4) continue;
      if (best == nullptr || kept.bytes < best->bytes) best = &kept;
    }
    if (best == nullptr) return {};
    const Kept taken = *best;
    total_ -= taken.bytes;
    *best = {};
    return taken;
  }

  /// Keeps the block and frees older ones for it, or frees the block if it is small or too large.
  void keep(void* start, std::size_t bytes) noexcept {
    if (bytes < kLeast || bytes > bound_) {
      std::free(start);
      return;
    }
    Kept* place = nullptr;
    while (total_ + bytes > bound_ || (place = find_free()) == nullptr) drop_next();
    *place = {start, bytes};
    total_ += bytes;
  }

  void clear() noexcept {
    for (Kept& kept : kept_) drop(kept);
  }

  std::size_t bytes() const { return total_; }

 private:
  static constexpr std::size_t kLeast = std::size_t{1} << 20;

  Kept* find_free() noexcept {
    for (Kept& kept : kept_) {
      if (kept.start == nullptr) return &kept;
    }
    return nullptr;
  }
  void drop_next() noexcept { drop(kept_[next_++ % kept_.size()]); }
  void drop(Kept& kept) noexcept {
    std::free(kept.start);
    total_ -= kept.bytes;
    kept = {};
  }

  const std::size_t bound_;
  std::array<Kept, 16> kept_{};
  std::size_t total_ = 0;
  std::size_t next_ = 0;
};

}  // namespace gradproof
