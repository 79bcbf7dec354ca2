// Handles: opaque values that can be checked, whatever the caller passes.
//
// A handle is not a pointer but a number: kind (8 bits) | generation (32) | slot (24). The kind's
// byte makes it an address that no program can have (non-canonical), so that following one faults
// instead of reading somebody's memory. A slot's generation changes whenever its object is
// destroyed. A set of live addresses could not tell a stale handle from a new object at the same
// place; this can.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "opt/runtime/strict.h"

namespace gradproof {

enum class HandleKind : std::uint8_t {
  tensor = 0xA1,
  int_array,
  scalar,
  executor,
  stream,
  event,
  context,
};
inline constexpr std::uint8_t kLastHandleKind = static_cast<std::uint8_t>(HandleKind::context);

/// "aclTensor".
const char* name(HandleKind kind) noexcept;

inline std::uint8_t kind_byte(const void* handle) {
  return static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(handle) >> 56);
}

/// Objects of one kind by handle. All functions may be called from several threads at once; those
/// that concern different objects only meet in the short list of free slots.
template <class T>
class HandleTable {
 public:
  constexpr explicit HandleTable(HandleKind kind) : kind_(kind) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable() {
    for (std::atomic<Slot*>& chunk : chunks_) delete[] chunk.load();
  }

  /// A new handle. Throws std::bad_alloc when memory or slots (2^24) run out.
  void* insert(std::shared_ptr<T> object) {
    const std::uint32_t index = claim_index();
    Slot& slot = *slot_at(index);
    const std::lock_guard lock(slot.mutex);
    slot.object = std::move(object);
    void* const handle = encode(slot.generation, index);
    if (strict::on()) strict::born(handle, name(kind_));
    return handle;
  }

  /// The object, kept alive by the result even if the handle is destroyed meanwhile; null if the
  /// handle is not live.
  std::shared_ptr<T> find(const void* handle) const noexcept {
    const Slot* slot = slot_of(handle);
    if (slot == nullptr) return nullptr;
    const std::lock_guard lock(slot->mutex);
    return slot->generation == generation_of(handle) ? slot->object : nullptr;
  }

  /// Lets a live handle stand for another object. False if it is not live.
  bool replace(const void* handle, std::shared_ptr<T> object) noexcept {
    Slot* slot = slot_of(handle);
    if (slot == nullptr) return false;
    const std::lock_guard lock(slot->mutex);
    if (slot->generation != generation_of(handle) || slot->object == nullptr) return false;
    slot->object.swap(object);
    return true;
  }

  /// Ends the handle and returns its object; null if it was not live. Of several threads that try,
  /// one gets the object.
  std::shared_ptr<T> remove(const void* handle) noexcept {
    Slot* slot = slot_of(handle);
    if (slot == nullptr) return nullptr;
    std::shared_ptr<T> object;
    {
      const std::lock_guard lock(slot->mutex);
      if (slot->generation != generation_of(handle) || slot->object == nullptr) return nullptr;
      object = std::move(slot->object);
      slot->object = nullptr;
      // A slot whose generations are used up is never used again: no handle ever comes back.
      if (slot->generation == std::numeric_limits<std::uint32_t>::max()) return object;
      ++slot->generation;
    }
    if (strict::on()) strict::gone(handle);
    const std::lock_guard lock(mutex_);
    slot->next_free = first_free_;
    first_free_ = index_of(handle);
    return object;
  }

  /// Calls `visit(std::shared_ptr<T>)` for every live object, without holding any lock.
  template <class Visit>
  void for_each(Visit&& visit) {
    std::uint32_t used;
    {
      const std::lock_guard lock(mutex_);
      used = used_;
    }
    for (std::uint32_t index = 0; index < used; ++index) {
      Slot& slot = *slot_at(index);
      std::unique_lock lock(slot.mutex);
      std::shared_ptr<T> object = slot.object;
      lock.unlock();
      if (object != nullptr) visit(std::move(object));
    }
  }

 private:
  struct Slot {
    mutable std::mutex mutex;  ///< guards generation and object
    std::uint32_t generation = 1;
    std::uint32_t next_free = 0;  ///< guarded by the table's mutex
    std::shared_ptr<T> object;
  };

  // Chunk c has kFirst << c slots, so slots never move and lookups take no lock on the table.
  static constexpr std::uint32_t kFirst = 256;
  static constexpr std::size_t kChunks = 16;
  static constexpr std::uint32_t kCapacity = kFirst * ((1u << kChunks) - 1);
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static_assert(kCapacity <= (1u << 24));
  static_assert(sizeof(void*) == 8, "handles need 64 bits");

  static std::uint32_t index_of(const void* handle) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle)) & 0xFFFFFFu;
  }
  static std::uint32_t generation_of(const void* handle) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle) >> 24);
  }
  void* encode(std::uint32_t generation, std::uint32_t index) const {
    const std::uint64_t value = std::uint64_t{static_cast<std::uint8_t>(kind_)} << 56 |
                                std::uint64_t{generation} << 24 | index;
    return reinterpret_cast<void*>(value);
  }

  static std::size_t chunk_of(std::uint32_t index) {
    return static_cast<std::size_t>(std::bit_width(index / kFirst + 1)) - 1;
  }
  /// Null if that part of the table does not exist yet.
  Slot* slot_at(std::uint32_t index) const noexcept {
    const std::size_t chunk = chunk_of(index);
    if (chunk >= kChunks) return nullptr;
    Slot* slots = chunks_[chunk].load(std::memory_order_acquire);
    if (slots == nullptr) return nullptr;
    return slots + (index - kFirst * ((1u << chunk) - 1));
  }
  Slot* slot_of(const void* handle) const noexcept {
    if (kind_byte(handle) != static_cast<std::uint8_t>(kind_)) return nullptr;
    return slot_at(index_of(handle));
  }

  std::uint32_t claim_index() {
    const std::lock_guard lock(mutex_);
    if (first_free_ != kNone) {
      const std::uint32_t index = first_free_;
      first_free_ = slot_at(index)->next_free;
      return index;
    }
    if (used_ == kCapacity) throw std::bad_alloc();
    if (slot_at(used_) == nullptr) {
      const std::size_t chunk = chunk_of(used_);
      chunks_[chunk].store(new Slot[std::size_t{kFirst} << chunk], std::memory_order_release);
    }
    return used_++;
  }

  const HandleKind kind_;
  std::array<std::atomic<Slot*>, kChunks> chunks_{};
  std::mutex mutex_;  ///< guards the members below and Slot::next_free
  std::uint32_t first_free_ = kNone;
  std::uint32_t used_ = 0;
};

}  // namespace gradproof
